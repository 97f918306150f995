import { createRequire } from "node:module";
import { NextRequest } from "next/server";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { prisma } from "@/lib/db/client";
import { now } from "@/lib/db/clock";
import { type Role, systemCtx } from "@/lib/domain/access";
import { changePerson, signIn, whoIs } from "@/lib/services/people";
import { type IdentityProvider, type Said, startIdentityProvider } from "@/lib/testing/identity-provider";
import { PASSWORD, somebody } from "@/lib/testing/people";

/* Signing in through an identity provider, as a browser does it: out to it and back, cookies and all. */

const asked = vi.hoisted(() => ({ headers: new Headers(), cookies: new Map<string, string>() }));
const nextHeaders = vi.hoisted(() => ({
  headers: async () => asked.headers,
  cookies: async () => ({
    has: (name: string) => asked.cookies.has(name),
    get: (name: string) => (asked.cookies.has(name) ? { name, value: asked.cookies.get(name) } : undefined),
    getAll: () => [...asked.cookies].map(([name, value]) => ({ name, value })),
  }),
}));
vi.mock("server-only", () => ({}));
vi.mock("next/headers", () => nextHeaders);

const ORIGIN = "http://localhost:3000";
const SESSION = "hopperdeck.session";
const MINUTE = 60_000;

type Handler = (request: Request, context: { params: Promise<{ nextauth: string[] }> }) => Promise<Response>;
/** What whoever runs this is told. */
const told = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
let provider: IdentityProvider;
let route: { GET: Handler; POST: Handler };

beforeAll(async () => {
  provider = await startIdentityProvider();
  Object.assign(process.env, {
    NEXTAUTH_URL: ORIGIN,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_NAME: "Example",
    OIDC_ROLES: "gpu-admins=admin, gpu-ops=operator, cfo=finance",
    OIDC_EMAIL_DOMAINS: "example.com",
  });
  // next-auth is loaded as it is and asks the real module.
  Object.assign(createRequire(import.meta.url)("next/headers"), nextHeaders);
  route = await import("@/app/api/auth/[...nextauth]/route");
});
afterAll(() => provider.close());

/** A browser: keeps cookies, sends them to us alone. */
class Browser {
  cookies = new Map<string, string>();

  async ask(method: "GET" | "POST", path: string, form?: Record<string, string>, origin = ORIGIN): Promise<Response> {
    asked.cookies = new Map(this.cookies);
    asked.headers = new Headers({
      "x-forwarded-for": "192.0.2.9",
      "user-agent": "test",
      host: "localhost:3000",
      ...(form && { origin, "content-type": "application/x-www-form-urlencoded" }),
    });
    const url = new URL(path, ORIGIN);
    const init = { method, headers: asked.headers, ...(form && { body: new URLSearchParams(form).toString() }) };
    const nextauth = url.pathname.split("/").slice(3);
    const response = await route[method](new NextRequest(url, init), { params: Promise.resolve({ nextauth }) });
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...rest] = line.split("; ");
      const [name = "", value = ""] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
      const isGone = value === "" || rest.some((one) => /^max-age=0$/i.test(one));
      if (isGone) this.cookies.delete(name);
      else this.cookies.set(name, decodeURIComponent(value));
    }
    return response;
  }

  /** Presses the button; where the provider's page is. */
  async leave(query = ""): Promise<string> {
    const { csrfToken } = (await (await this.ask("GET", "/api/auth/csrf")).json()) as { csrfToken: string };
    const form = { csrfToken, callbackUrl: `${ORIGIN}/fleet`, json: "true" };
    const { url } = (await (await this.ask("POST", `/api/auth/signin/oidc${query}`, form)).json()) as { url: string };
    return url;
  }

  /** The provider sends them back; where they land. */
  async comeBack(code: string, state: string): Promise<string> {
    const response = await this.ask("GET", `/api/auth/callback/oidc?${new URLSearchParams({ code, state })}`);
    let where = response.headers.get("location") ?? String(response.status);
    for (let steps = 0; steps < 3 && where.startsWith(`${ORIGIN}/api/auth/`); steps += 1)
      where = (await this.ask("GET", where)).headers.get("location") ?? where;
    return where;
  }

  async signIn(said: Said, query = ""): Promise<string> {
    const address = await this.leave(query);
    return this.comeBack(provider.consent(address, said), provider.asked(address).state);
  }

  async who() {
    const { sidInCookie } = await import("./auth");
    asked.cookies = new Map(this.cookies);
    const sid = await sidInCookie();
    return sid === null ? null : whoIs(sid);
  }
}

let browser: Browser;
let nth = 0;
beforeEach(() => {
  browser = new Browser();
  nth += 1;
});
const email = () => `ada-${nth}@example.com`;
const ada = (more: Record<string, unknown> = {}, token: Partial<Said> = {}): Said => ({
  claims: { sub: `ada-${nth}`, email: email(), email_verified: true, name: "Ada", groups: ["gpu-ops"], ...more },
  ...token,
});
const HOME = `${ORIGIN}/fleet`;
const refusedFor = (code: string) => `/sign-in?refused=${code}`;
const isOut = async (where: string, code: string) => {
  expect(where).toContain(code);
  expect(browser.cookies.has(SESSION)).toBe(false);
  expect(await prisma.user.count({ where: { email: email() } })).toBe(0);
};
const trail = async (subject: string) =>
  (await prisma.auditEvent.findMany({ where: { subject }, orderBy: { seq: "asc" } })).map(({ action }) => action);

describe("somebody whom the provider knows", () => {
  test("comes in with the role of their groups, and lands where they wanted", async () => {
    const address = await browser.leave();
    expect(provider.asked(address)).toMatchObject({
      redirectUri: `${ORIGIN}/api/auth/callback/oidc`,
      clientId: provider.clientId,
      prompt: null,
    });
    const { state, nonce, challenge } = provider.asked(address);
    expect([state.length > 20, nonce.length > 20, challenge.length > 40]).toEqual([true, true, true]);
    expect(await browser.comeBack(provider.consent(address, ada({ groups: ["cfo", "gpu-ops"] })), state)).toBe(HOME);
    expect((await browser.who())?.actor).toMatchObject({ name: "Ada", email: email(), role: "operator" });
    expect(await prisma.user.findUnique({ where: { email: email() } })).toMatchObject({
      oidcIssuer: provider.issuer,
      oidcSubject: `ada-${nth}`,
    });
    expect(provider.exchanges.at(-1)?.get("code_verifier")).toMatch(/^[\w-]{43,}$/);
    // What was kept for the way back is gone.
    expect([...browser.cookies.keys()].filter((name) => /state|nonce|pkce/.test(name))).toEqual([]);
  });

  test("has the role of today's groups, not of yesterday's; older sessions end with it", async () => {
    await somebody("admin", await now());
    await browser.signIn(ada());
    const older = browser;
    browser = new Browser();
    expect(await browser.signIn(ada({ groups: "gpu-admins" }))).toBe(HOME);
    expect((await browser.who())?.actor.role).toBe("admin");
    expect(await older.who()).toBeNull();
    await browser.signIn(ada({ groups: ["cfo"] }));
    expect((await browser.who())?.actor.role).toBe("finance");
    const entry = await prisma.auditEvent.findFirst({ where: { action: "person.changed" }, orderBy: { seq: "desc" } });
    expect(entry).toMatchObject({
      actorKind: "system",
      actor: "Example",
      changes: { role: { from: "admin", to: "finance" } },
    });
  });

  test("is out, with all sessions, when no group gives a role any more", async () => {
    await browser.signIn(ada());
    const older = browser;
    browser = new Browser();
    expect(await browser.signIn(ada({ groups: [] }))).toBe(refusedFor("no-role"));
    expect(await older.who()).toBeNull();
    expect(await browser.who()).toBeNull();
  });

  test("stays out when disabled here", async () => {
    await browser.signIn(ada());
    const at = await now();
    const { id } = await prisma.user.findUniqueOrThrow({ where: { email: email() } });
    await changePerson(systemCtx("test", at), { userId: id, isDisabled: true });
    browser = new Browser();
    expect(await browser.signIn(ada())).toBe(refusedFor("disabled"));
    expect(await browser.who()).toBeNull();
  });

  test("cannot lock the house by taking the last admin's group away", async () => {
    await prisma.user.updateMany({ where: { role: "admin" }, data: { role: "viewer" } });
    await browser.signIn(ada({ groups: ["gpu-admins"] }));
    await browser.signIn(ada({ groups: ["cfo"] }));
    expect((await browser.who())?.actor.role).toBe("admin");
  });
});

describe("an account that was there before", () => {
  const account = async (role: Role) => {
    const person = await somebody(role, await now());
    await prisma.user.update({ where: { id: person.id }, data: { email: email() } });
    return person;
  };

  test("is linked by a verified address, whatever its letters' width, and keeps its password", async () => {
    const { id, name } = await account("viewer");
    expect(await browser.signIn(ada({ email: email().replace("ada", "ＡDA") }))).toBe(HOME);
    expect((await browser.who())?.actor).toMatchObject({ id, role: "operator" });
    expect((await trail(name)).slice(-2)).toEqual(["person.linked", "person.signed-in"]);
    await signIn(await now(), email(), PASSWORD, { ip: null, userAgent: null });
  });

  test.each([
    { email_verified: false },
    { email_verified: undefined },
    { email_verified: "false" },
    { email: undefined },
  ])("is not given to whom the provider does not vouch for: %j", async (more) => {
    const { id } = await account("admin");
    expect(await browser.signIn(ada(more))).toBe(refusedFor("email"));
    expect(await browser.who()).toBeNull();
    expect(await prisma.user.findUnique({ where: { id } })).toMatchObject({ oidcSubject: null, role: "admin" });
  });

  test("is not given to a second identity with the same address", async () => {
    await browser.signIn(ada());
    browser = new Browser();
    expect(await browser.signIn(ada({ sub: "mallory" }))).toBe(refusedFor("taken"));
    expect(await browser.who()).toBeNull();
  });
});

describe("nobody comes in", () => {
  test("without a group that has a role, or from another domain", async () => {
    await isOut(await browser.signIn(ada({ groups: ["lunch"] })), "no-role");
    await isOut(await browser.signIn(ada({ email: `ada-${nth}@example.com.evil.net` })), "domain");
  });

  test.each<[string, string, Partial<Said>]>([
    ["another issuer", "unexpected iss value", { token: { iss: "https://evil.example" } }],
    ["another audience", "aud mismatch", { token: { aud: "another-client" } }],
    ["another nonce", "nonce mismatch", { token: { nonce: "another" } }],
    ["no nonce", "nonce mismatch", { token: { nonce: undefined } }],
    ["an end that has passed", "JWT expired", { token: { exp: Math.floor(Date.now() / 1000) - 60 } }],
    ["a time to come", "JWT not active yet", { token: { nbf: Math.floor(Date.now() / 1000) + 3600 } }],
    ["a key of somebody else", "failed to validate JWT signature", { isForged: true }],
    ["no signature", "unexpected JWT alg received", { alg: "none" }],
    ["a signature by a shared secret", "unexpected JWT alg received", { alg: "HS256" }],
    ["no subject", "missing required JWT property sub", { token: { sub: undefined } }],
  ])("by a token with %s", async (_, why, said) => {
    told.mockClear();
    await isOut(await browser.signIn(ada({}, said)), "error=OAuthCallback");
    expect(told.mock.calls.map(([line]) => String(line)).join("")).toContain(why);
  });

  test("by a code or a state that was used, or is another's", async () => {
    const address = await browser.leave();
    const { state } = provider.asked(address);
    const kept = new Map(browser.cookies);
    const code = provider.consent(address, ada());
    expect(await browser.comeBack(code, state)).toBe(HOME);

    // The same address again: the cookies for it are gone; and with a copy of them the code is spent.
    const thief = new Browser();
    expect(await thief.comeBack(code, state)).toContain("error=");
    thief.cookies = kept;
    expect(await thief.comeBack(code, state)).toContain("error=");
    expect(await thief.who()).toBeNull();

    // Somebody else's code in my browser: their sign-in would become mine.
    const victim = new Browser();
    const victims = await victim.leave();
    const theirs = provider.consent(await thief.leave(), ada());
    expect(await victim.comeBack(theirs, provider.asked(victims).state)).toContain("error=");
    expect(await victim.comeBack(theirs, "another")).toContain("error=");
    expect(await victim.who()).toBeNull();
  });

  test("from another site's form, and our own address decides where they land", async () => {
    const { csrfToken } = (await (await browser.ask("GET", "/api/auth/csrf")).json()) as { csrfToken: string };
    const form = { csrfToken, json: "true", callbackUrl: "https://evil.example/" };
    const foreign = await browser.ask("POST", "/api/auth/signin/oidc", form, "https://evil.example");
    expect(foreign.status).toBe(403);
    const { url } = (await (await browser.ask("POST", "/api/auth/signin/oidc", form)).json()) as { url: string };
    const where = await browser.comeBack(provider.consent(url, ada()), provider.asked(url).state);
    expect(new URL(where).origin).toBe(ORIGIN);
  });
});

describe("a fresh sign-in", () => {
  const ageMs = async () => {
    const found = await browser.who();
    if (!found) throw new Error("nobody is signed in");
    return found.now.getTime() - found.actor.signedInAt.getTime();
  };
  const seconds = (agoMs: number) => Math.floor((Date.now() - agoMs) / 1000);

  test("asks the provider for a proof; nothing else that the address says is passed on", async () => {
    expect(provider.asked(await browser.leave("?again=1"))).toMatchObject({ prompt: "login", maxAge: "0" });
    const plain = await browser.leave("?prompt=none&max_age=99999999&redirect_uri=https://evil.example&client_id=x");
    expect(provider.asked(plain)).toMatchObject({
      prompt: null,
      maxAge: String(7 * 24 * 3600),
      clientId: provider.clientId,
      redirectUri: `${ORIGIN}/api/auth/callback/oidc`,
    });
  });

  test("is as old as the provider says, also when it was asked for a proof", async () => {
    await browser.signIn(ada({ auth_time: seconds(2 * MINUTE) }));
    expect(await ageMs()).toBeGreaterThan(1.9 * MINUTE);
    expect(await ageMs()).toBeLessThan(3 * MINUTE);
    await browser.signIn(ada({ auth_time: seconds(3600_000) }), "?again=1");
    expect(await ageMs()).toBeGreaterThan(59 * MINUTE);
    await browser.signIn(ada({ auth_time: seconds(-3600_000) }));
    expect(await ageMs()).toBeGreaterThanOrEqual(0);
  });

  test("counts without a time only where we asked for it, and only for that one way back", async () => {
    await browser.signIn(ada());
    expect(await ageMs()).toBeGreaterThan(10 * MINUTE);
    await browser.signIn(ada(), "?again=1");
    expect(await ageMs()).toBeLessThan(MINUTE);
    // The mark of a proof that was asked for does not make another way back fresh.
    await browser.leave("?again=1");
    await browser.signIn(ada());
    expect(await ageMs()).toBeGreaterThan(10 * MINUTE);
  });

  test("ends the session in whose place it steps", async () => {
    await browser.signIn(ada());
    const copy = new Browser();
    copy.cookies = new Map(browser.cookies);
    await browser.signIn(ada(), "?again=1");
    expect(await copy.who()).toBeNull();
    expect(await browser.who()).not.toBeNull();
  });
});
