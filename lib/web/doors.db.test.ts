import { encode } from "next-auth/jwt";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { prisma } from "@/lib/db/client";
import { setTestClock } from "@/lib/db/clock";
import { type Ctx, type Grant, PERMISSIONS, ROLES, type Role, systemCtx } from "@/lib/domain/access";
import { prepareHouse } from "@/lib/services/house";
import { mintToken, sha256 } from "@/lib/services/tokens";
import {
  type Action,
  type Answer,
  actionFolders,
  actionsIn,
  below,
  type Caller,
  type Door,
  full,
  handlerOf,
  ORIGIN,
  openDoors,
  plainNames,
  rightOf,
  tell,
} from "@/lib/testing/doors";
import { DEVICE, secretOf, somebody } from "@/lib/testing/people";
import { makeToken } from "@/lib/testing/senders";
import { API_DOORS } from "./api-doors";
import { ACTION_DOORS, OPEN_ACTIONS, OTHER_ROUTES, ROUTE_NOTES } from "./doors-table";

/* Every action and every route, called as the browser and programs call them, by everybody who must not get in. */

const asked = vi.hoisted(() => ({ headers: new Headers(), cookies: new Map<string, string>() }));

vi.mock("server-only", () => ({}));
vi.mock("next/cache", () => ({ refresh: () => {} }));
vi.mock("next/headers", () => ({
  headers: async () => asked.headers,
  cookies: async () => ({
    has: (name: string) => asked.cookies.has(name),
    get: (name: string) => (asked.cookies.has(name) ? { name, value: asked.cookies.get(name) } : undefined),
    getAll: () => [...asked.cookies].map(([name, value]) => ({ name, value })),
  }),
}));
// The schema of an action is inside it; here it also hangs outside, so that a form can be filled in.
vi.mock("@/lib/web/action", async (original) => {
  const real = await original<typeof import("./action")>();
  const shown =
    (make: (schema: never, verb: never) => object) =>
    (schema: never, verb: never): object =>
      Object.assign(make(schema, verb), { schema });
  return { action: shown(real.action as never), strangerAction: shown(real.strangerAction as never) };
});

const NOW = new Date("2026-11-20T12:00:00Z");
const COOKIE = "hopperdeck.session";
const LATE_MS = 11 * 60_000;

const sids = {} as Record<Role, string>;
const ids = {} as Record<Role, string>;
let disabledSid = "";
let signedOutSid = "";
const bearers = {} as Record<Role, string>;
let narrow = "";
let revoked = "";
let ingest = "";

beforeAll(async () => {
  await setTestClock(NOW);
  await prepareHouse(systemCtx("test", NOW));
  for (const role of ROLES) {
    const person = await somebody(role, NOW);
    sids[role] = await session(person.id);
    ids[role] = person.id;
    bearers[role] = await token(role, []);
  }
  const disabled = await somebody("admin", NOW);
  disabledSid = await session(disabled.id);
  await prisma.user.update({ where: { id: disabled.id }, data: { disabledAt: NOW } });
  const left = await somebody("admin", NOW);
  signedOutSid = await session(left.id);
  await prisma.session.updateMany({ where: { userId: left.id }, data: { revokedAt: NOW } });
  narrow = await token("admin", ["wallboard:read"]);
  revoked = await token("admin", []);
  await prisma.token.updateMany({ where: { prefix: revoked.split("_")[1] ?? "" }, data: { revokedAt: NOW } });
  ingest = (await makeToken("ingest", NOW.getTime())).secret;
});

async function session(userId: string, signedInAt = NOW): Promise<string> {
  const sid = `${userId}-${signedInAt.getTime()}`;
  const at = { createdAt: signedInAt, lastSeenAt: NOW, signedInAt };
  await prisma.session.create({ data: { sidHash: sha256(sid), userId, sessionVersion: 1, ...at, ...DEVICE } });
  return sid;
}

async function token(role: Role, scopes: string[]): Promise<string> {
  const { secret, prefix, secretHash } = mintToken();
  await prisma.token.create({ data: { kind: "api", name: role, role, scopes, prefix, secretHash, createdAt: NOW } });
  return secret;
}

async function come({ sid, cookie, bearer, origin = ORIGIN, site = "same-origin" }: Caller): Promise<Headers> {
  const given = { "x-forwarded-for": DEVICE.ip, ...(origin !== null && { origin }) };
  asked.headers = new Headers({
    ...given,
    ...(site !== null && { "sec-fetch-site": site }),
    ...(bearer && { authorization: `Bearer ${bearer}` }),
  });
  asked.cookies.clear();
  const value = sid ? await cookieOf(sid) : cookie;
  if (value) asked.cookies.set(COOKIE, value);
  return asked.headers;
}

let actionDoors: Door[] = [];
let routeDoors: Door[] = [];
beforeAll(async () => {
  ({ actionDoors, routeDoors } = await openDoors(come));
});

const sealed = new Map<string, string>();
async function cookieOf(sid: string, secret = process.env.AUTH_SECRET ?? ""): Promise<string> {
  const key = `${sid} ${secret}`;
  const known = sealed.get(key) ?? (await encode({ token: { sub: "x", sid }, secret }));
  sealed.set(key, known);
  return known;
}

/** Calls every door as somebody and returns those whose answer is not as wanted. */
async function wrong(
  doors: Door[],
  caller: Caller,
  isRight: (answer: Answer, door: Door) => boolean,
  more?: object,
): Promise<string[]> {
  const found: string[] = [];
  for (const door of doors) {
    const answer = await door.call(caller, more).catch((error: unknown) => ({ code: String(error), isStepUp: false }));
    if (!isRight(answer, door)) found.push(`${door.name}: ${answer.code}`);
  }
  return found;
}

const may = (role: Role, door: Door) => (PERMISSIONS[rightOf(door.listed)].roles as readonly Role[]).includes(role);
const grantOf = (door: Door): Grant => PERMISSIONS[rightOf(door.listed)];
const isForPeople = (door: Door) =>
  full(door.listed).right === "own" || full(door.listed).isForPeople === true || grantOf(door).isForPeople === true;
const isUnsure = (role: Role, door: Door) => full(door.listed).unsure?.includes(role) ?? false;
const isOpen = ({ code }: Answer) =>
  !["forbidden", "unauthenticated", "internal", "none"].includes(code) && !code.includes(" ");
const isCode = (code: string) => (answer: Answer) => answer.code === code;
const entries = () => prisma.auditEvent.count();

describe("the lists", () => {
  test("name every action, and nothing else", async () => {
    const there: string[] = [];
    for (const folder of actionFolders)
      for (const [name] of await actionsIn(folder)) there.push(`${plainNames(folder)} ${name}`);
    const listed = Object.entries(ACTION_DOORS).flatMap(([folder, names]) =>
      Object.keys(names).map((name) => `${folder} ${name}`),
    );
    const open = Object.entries(OPEN_ACTIONS).flatMap(([folder, names]) => names.map((name) => `${folder} ${name}`));
    expect([...listed, ...open].sort()).toEqual(there.sort());
    expect(there.length).toBeGreaterThan(70);
  });

  test("name every route, and nothing else", () => {
    const there = below("app", "route.ts").map((folder) => folder.replace(/^app\//, ""));
    const described = API_DOORS.map(({ path: at }) => at.slice(1).replaceAll("{", "[").replaceAll("}", "]"));
    expect([...new Set([...described, ...Object.keys(OTHER_ROUTES)])].sort()).toEqual(there.sort());
    expect(routeDoors.length).toBeGreaterThan(60);
    const names = new Set(API_DOORS.map((door) => `${door.method.toUpperCase()} ${door.path}`));
    expect(Object.keys(ROUTE_NOTES).filter((name) => !names.has(name))).toEqual([]);
    // A note says more than the description, never something else.
    const others = API_DOORS.filter((door) => {
      const right = ROUTE_NOTES[`${door.method.toUpperCase()} ${door.path}`]?.right;
      return right !== undefined && right !== "own" && right !== door.right;
    });
    expect(others.map((door) => door.path)).toEqual([]);
  });
});

describe.each([
  ["actions", () => actionDoors],
  ["routes", () => routeDoors],
] as const)("%s", (kind, doors) => {
  let before = 0;
  beforeEach(async () => {
    before = await entries();
  });

  test("let in nobody without a session that lives", async () => {
    const forged = await cookieOf(sids.admin, "another secret of thirty-two letters");
    for (const caller of [
      {},
      { sid: disabledSid },
      { bearer: revoked },
      // With a cookie and a bearer the cookie counts.
      { sid: signedOutSid, bearer: bearers.admin },
    ])
      expect([caller, await wrong(doors(), caller, isCode("unauthenticated"))]).toEqual([caller, []]);
    // Who it is, is found out in one place: what that takes for nobody is tried at some doors.
    const some = doors().filter((_, nth) => nth % 12 === 0);
    for (const caller of [
      { cookie: "rubbish" },
      { cookie: forged },
      { sid: "never-made" },
      { sid: signedOutSid },
      { bearer: ingest },
      { bearer: `${bearers.admin}x` },
    ])
      expect([caller, await wrong(some, caller, isCode("unauthenticated"))]).toEqual([caller, []]);
    expect(await entries()).toBe(before);
  });

  test("change nothing for another site's page, nor without an origin", async () => {
    const writes = doors().filter((door) => !door.isRead);
    for (const caller of [
      { origin: null },
      { origin: "null" },
      { origin: "https://evil.example" },
      { origin: "http://localhost:3000.evil.example" },
      { origin: "https://localhost:3000" },
      { site: "cross-site" },
      { site: "same-site" },
    ])
      expect([caller, await wrong(writes, { sid: sids.admin, ...caller }, isCode("forbidden"))]).toEqual([caller, []]);
    // A bearer beside the cookie does not excuse it.
    expect(
      await wrong(
        writes,
        { sid: sids.admin, bearer: bearers.admin, origin: "https://evil.example" },
        isCode("forbidden"),
      ),
    ).toEqual([]);
    expect(await entries()).toBe(before);
  });

  test.each(ROLES)("refuse %s what is not its right, whatever else the form says", async (role) => {
    const closed = doors().filter((door) => !may(role, door));
    const more = kind === "actions" ? { role: "admin", actor: { kind: "system" }, isAdmin: "true" } : undefined;
    expect(await wrong(closed, { sid: sids[role] }, isCode("forbidden"))).toEqual([]);
    // A strict schema may refuse what it does not know before the right is asked for; then nothing happened either.
    const isRefused = ({ code }: Answer) => code === "forbidden" || code === "invalid";
    if (more) expect(await wrong(closed, { sid: sids[role] }, isRefused, more)).toEqual([]);
    expect(await entries()).toBe(before);
  });

  test("ask again who it is where the table says so", async () => {
    for (const role of ROLES) {
      const asking = doors().filter((door) => may(role, door) && grantOf(door).stepUp?.includes(role));
      const late = await session(ids[role], new Date(NOW.getTime() - LATE_MS - doors().length));
      const isAsked = (answer: Answer) => answer.code === "forbidden" && answer.isStepUp;
      expect([role, await wrong(asking, { sid: late }, isAsked)]).toEqual([role, []]);
    }
    expect(await entries()).toBe(before);
  });

  test("let in the roles whose right it is", async () => {
    // Programs of every role are let in below.
    for (const role of kind === "actions" ? ROLES : (["viewer", "admin"] as const)) {
      const own = doors().filter((door) => may(role, door) && !isUnsure(role, door));
      expect([role, await wrong(own, { sid: sids[role] }, isOpen)]).toEqual([role, []]);
    }
  });
});

describe("programs", () => {
  test("get in by token alone, without an origin, with their role's rights and no person's", async () => {
    for (const role of ROLES) {
      const isAsOwn = (answer: Answer, door: Door) =>
        isForPeople(door) || isUnsure(role, door) ? true : may(role, door) === isOpen(answer);
      const bearer = { bearer: bearers[role], origin: null, site: null };
      expect([role, await wrong(routeDoors, bearer, isAsOwn)]).toEqual([role, []]);
      const people = routeDoors.filter(isForPeople);
      expect([role, await wrong(people, bearer, isCode("forbidden"))]).toEqual([role, []]);
    }
  });

  test("with a scope get that and nothing more", async () => {
    const isScoped = (answer: Answer, door: Door) =>
      rightOf(door.listed) === "wallboard:read" ? isOpen(answer) : answer.code === "forbidden";
    expect(await wrong(routeDoors, { bearer: narrow }, isScoped)).toEqual([]);
  });

  test("write samples with an ingest token, and with nothing else", async () => {
    for (const door of API_DOORS.filter(({ right }) => right === "ingest")) {
      for (const caller of [{ sid: sids.admin }, { bearer: bearers.admin }, { bearer: narrow }, {}]) {
        await come(caller);
        const handler = await handlerOf(door.path, door.method);
        const request = new Request(`${ORIGIN}${door.path}`, { method: "POST", headers: asked.headers, body: "x" });
        const { status } = await handler(request, { params: Promise.resolve({}) });
        expect([door.path, caller, [401, 403].includes(status)]).toEqual([door.path, caller, true]);
      }
    }
  });
});

describe("what strangers hand in", () => {
  test("is good once, for what it was made for, and never from another site", async () => {
    const { accept, look } = Object.fromEntries(await actionsIn("app/welcome")) as Record<string, Action>;
    const { take } = Object.fromEntries(await actionsIn("app/a/[token]")) as Record<string, Action>;
    if (!accept || !look || !take) throw new Error("an open action is gone");
    const { invite } = await import("@/lib/services/people");
    const ctx: Ctx = systemCtx("test", NOW);
    const secret = secretOf((await invite(ctx, { role: "viewer", name: "" })).url);
    const form = { token: secret, name: "Eve", email: "eve@example.com", password: "correct horse battery staple" };

    for (const origin of [null, "https://evil.example"]) {
      await come({ origin });
      for (const one of [accept, look, take]) expect((await tell(one, form)).code).toBe("forbidden");
    }
    await come({});
    // The role is the link's, whatever the form says; sent again, the form is worth nothing.
    const filled = new FormData();
    for (const [name, value] of Object.entries({ ...form, role: "admin", $ACTION_ID_x: "" })) filled.set(name, value);
    expect((await tell(accept, filled)).code).toBe("ok");
    expect((await prisma.user.findUniqueOrThrow({ where: { email: form.email } })).role).toBe("viewer");
    expect((await tell(accept, { ...form, email: "eve2@example.com" })).code).toBe("invalid");
    // A token of another kind opens nothing here.
    for (const other of [bearers.admin, ingest, narrow, "hd_x_y", "x".repeat(40)]) {
      expect((await tell(accept, { ...form, email: "eve3@example.com", token: other })).code).toBe("invalid");
      expect((await tell(take, { token: other })).code).not.toBe("ok");
    }
    expect(await prisma.user.count({ where: { email: { startsWith: "eve" } } })).toBe(1);
  });
});

describe("the other routes", () => {
  test("say only what anybody may know, or ask", async () => {
    for (const [folder, right] of Object.entries(OTHER_ROUTES)) {
      if (right === "open") continue;
      const handler = await handlerOf(`/${folder}`, "get");
      const call = async (caller: Caller) => {
        await come(caller);
        return (
          await handler(new Request(`${ORIGIN}/${folder}`, { headers: asked.headers }), { params: Promise.resolve({}) })
        ).status;
      };
      expect([folder, await call({}), await call({ bearer: narrow }), await call({ bearer: revoked })]).toEqual([
        folder,
        401,
        403,
        401,
      ]);
      expect([folder, await call({ bearer: bearers.viewer })]).toEqual([folder, 200]);
    }
  });
});
