import "server-only";
import { cookies } from "next/headers";
import type { NextAuthOptions } from "next-auth";
import { decode } from "next-auth/jwt";
import Credentials from "next-auth/providers/credentials";
import { ROLES } from "@/lib/domain/access";
import { env, required } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { readNow } from "@/lib/services/clock";
import { type Device, endReplaced, signIn, signInAs, signOut } from "@/lib/services/people";

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

/** next-auth signs the cookie and nothing more: a session is a row in Postgres, and the cookie holds its secret. */
export function authOptions(): NextAuthOptions {
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
    ],
    callbacks: {
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
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
  };
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
