import "server-only";
import { cookies, headers } from "next/headers";
import type { NextAuthOptions } from "next-auth";
import { decode, encode } from "next-auth/jwt";
import Credentials from "next-auth/providers/credentials";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { ROLES } from "@/lib/domain/access";
import { redact } from "@/lib/domain/redact";
import { env, required } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { readNow } from "@/lib/services/clock";
import { type Device, endReplaced, signIn, signInAs, signOut } from "@/lib/services/people";
import { signInByProvider } from "@/lib/services/sign-in-provider";

const isSecure = () => env.publicUrl.startsWith("https:");

export const sessionCookie = () => (isSecure() ? "__Host-hopperdeck.session" : "hopperdeck.session");

type SignedIn = { id: string; sid: string };
type Claims = { sid?: string };

/** The secret of the session that the request's cookie holds; null for none, or one that we did not sign. */
export async function sidInCookie(): Promise<string | null> {
  const token = (await cookies()).get(sessionCookie())?.value;
  if (!token) return null;
  const claims = await decode({ token, secret: required("authSecret") }).catch(() => null);
  const sid = (claims as { sid?: unknown } | null)?.sid;
  return typeof sid === "string" ? sid : null;
}

/** The one identity provider that may be set up beside passwords; its name in addresses. */
export const PROVIDER = "oidc";

/** `isProof`: the person must prove who they are anew. `wasProofAsked`: that was asked of the sign-in that comes back now. */
type Asked = { isProof?: boolean; wasProofAsked?: boolean };

/** next-auth signs the cookie and nothing more: a session is a row in Postgres, and the cookie holds its secret. */
export function authOptions({ isProof = false, wasProofAsked = false }: Asked = {}): NextAuthOptions {
  return {
    secret: required("authSecret"),
    session: { strategy: "jwt", maxAge: 90 * 24 * 3600 },
    pages: { signIn: "/sign-in", error: "/sign-in", signOut: "/sign-in" },
    cookies: {
      sessionToken: {
        name: sessionCookie(),
        options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure() },
      },
    },
    providers: [
      Credentials({
        id: "password",
        credentials: { email: {}, password: {} },
        authorize: (given, request) =>
          opened(async (device) => signIn(await readNow(), given?.email ?? "", given?.password ?? "", device), request),
      }),
      Credentials({
        id: "demo",
        credentials: { role: {} },
        authorize: (given, request) =>
          opened(async (device) => {
            const role = ROLES.find((known) => known === given?.role);
            if (!role) throw new AppError("invalid", "There is no such role.");
            return signInAs(await readNow(), role, device);
          }, request),
      }),
      ...identityProvider(isProof),
    ],
    callbacks: {
      signIn: ({ user, account, profile }) =>
        account?.provider === PROVIDER ? openedByProvider(user, profile, wasProofAsked) : true,
      jwt: ({ token, user }) => (user ? { sub: user.id, sid: (user as unknown as SignedIn).sid } : token),
      // Nobody reads next-auth's own session; it must not tell anything.
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: {
      signOut: async ({ token }) => {
        const { sid } = token as Claims;
        if (sid) await signOut(await readNow(), sid);
      },
    },
    logger: { error: tellOperator, warn: () => {}, debug: () => {} },
  };
}

/** OpenID Connect by discovery, with the code flow, PKCE, state and nonce; what the ID token says is all that is read. */
function identityProvider(isProof: boolean): OAuthConfig<Record<string, unknown>>[] {
  if (!env.oidc) return [];
  const { issuer, name, clientId, clientSecret, scopes, signing } = env.oidc;
  return [
    {
      id: PROVIDER,
      name,
      type: "oauth",
      wellKnown: `${issuer}/.well-known/openid-configuration`,
      idToken: true,
      checks: ["pkce", "state", "nonce"],
      clientId,
      ...(clientSecret !== null && { clientSecret }),
      client: {
        id_token_signed_response_alg: signing,
        token_endpoint_auth_method: clientSecret === null ? "none" : "client_secret_basic",
      },
      // A provider that is asked for the age of a sign-in says when it was.
      authorization: {
        params: { scope: scopes, max_age: isProof ? 0 : 7 * 24 * 3600, ...(isProof && { prompt: "login" }) },
      },
      profile: (claims) => ({ id: String(claims.sub) }),
    },
  ];
}

/** Lets somebody in whom the provider named; a refusal goes back to the door, by its code. */
async function openedByProvider(user: object, claims: unknown, wasProofAsked: boolean): Promise<true | string> {
  try {
    const given = await headers();
    const device = { ip: given.get("x-forwarded-for"), userAgent: given.get("user-agent") };
    const before = await sidInCookie();
    const { userId, sid } = await signInByProvider(await readNow(), claims, wasProofAsked, device);
    if (before) await endReplaced(await readNow(), before);
    Object.assign(user, { id: userId, sid } satisfies SignedIn);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.fields.oidc) return `/sign-in?refused=${error.fields.oidc}`;
    process.stderr.write(`${JSON.stringify({ level: "error", at: "sign-in", error: redact(String(error)) })}\n`);
    return "/sign-in?refused=provider";
  }
}

/** Why the provider's sign-in failed is for whoever runs this; the person is told that it did. */
function tellOperator(code: string, said: unknown): void {
  if (!code.includes("OAUTH")) return;
  const error = said instanceof Error ? said : (said as { error?: unknown } | undefined)?.error;
  const text = redact(error instanceof Error ? error.message : String(error ?? ""));
  process.stderr.write(`${JSON.stringify({ level: "error", at: "sign-in", code, error: text })}\n`);
}

const PROOF_SALT = "hopperdeck.proof";
const PROOF_S = 15 * 60;
const proofCookie = () => (isSecure() ? "__Host-hopperdeck.proof" : "hopperdeck.proof");

/** A cookie by which we know again the sign-in for which a proof was asked: it holds that sign-in's state, and we signed it. */
export async function proofSetCookie(state: string): Promise<string> {
  const value = await encode({ token: { state }, secret: required("authSecret"), salt: PROOF_SALT, maxAge: PROOF_S });
  return `${proofCookie()}=${value}; Path=/; Max-Age=${PROOF_S}; HttpOnly; SameSite=Lax${isSecure() ? "; Secure" : ""}`;
}

/** Whether a proof was asked of the sign-in with this state. */
export async function wasProofAskedFor(state: string | null): Promise<boolean> {
  const token = (await cookies()).get(proofCookie())?.value;
  if (!token || !state) return false;
  const held = await decode({ token, secret: required("authSecret"), salt: PROOF_SALT }).catch(() => null);
  return (held as { state?: unknown } | null)?.state === state;
}

async function opened(
  open: (device: Device) => Promise<{ userId: string; sid: string }>,
  request: { headers?: Record<string, unknown> | undefined },
): Promise<SignedIn> {
  const header = (name: string) => (typeof request.headers?.[name] === "string" ? String(request.headers[name]) : null);
  try {
    const { userId, sid } = await open({ ip: header("x-forwarded-for"), userAgent: header("user-agent") });
    const before = await sidInCookie();
    if (before) await endReplaced(await readNow(), before);
    return { id: userId, sid };
  } catch (error) {
    if (error instanceof AppError) throw new Error(error.message);
    process.stderr.write(`${JSON.stringify({ level: "error", at: "sign-in", error: String(error) })}\n`);
    throw new Error("Signing in is not possible right now. Nothing was changed; try again in a moment.");
  }
}
