import "server-only";
import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Ctx, UserActor } from "@/lib/domain/access";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { actorOfToken } from "@/lib/services/api-access";
import { whoIs } from "@/lib/services/people";
import { sessionCookie, sidInCookie } from "./auth";

type UserCtx = Ctx & { actor: UserActor };

/** Who is calling by cookie, and when; settled once per request. Any doubt is nobody. */
const cookieCtx = cache(async (): Promise<UserCtx | null> => {
  const sid = await sidInCookie();
  if (sid === null) return null;
  const found = await whoIs(sid);
  return found && { ...found, ip: (await headers()).get("x-forwarded-for") };
});

/** For pages: a stranger gets the door. Call it in every page, never in a layout. */
export async function pageCtx(): Promise<UserCtx> {
  return (await cookieCtx()) ?? redirect("/sign-in");
}

export async function maybeCtx(): Promise<UserCtx | null> {
  return cookieCtx();
}

/** From where and with what a stranger calls. */
export async function callerDevice(): Promise<{ ip: string | null; userAgent: string | null }> {
  const given = await headers();
  return { ip: given.get("x-forwarded-for"), userAgent: given.get("user-agent") };
}

/** For actions: a stranger is refused, and so is a request that another site's page could have sent. */
export async function actionCtx(): Promise<UserCtx> {
  await requireSameOrigin();
  const ctx = await cookieCtx();
  if (!ctx) throw new AppError("unauthenticated", "Your session has ended. Sign in again; nothing was changed.");
  return ctx;
}

/** For routes: by cookie like a page, or by bearer token. A request with both is judged by its cookie. */
export async function requestCtx(request: Request): Promise<Ctx> {
  if ((await cookies()).has(sessionCookie())) {
    if (request.method !== "GET" && request.method !== "HEAD") await requireSameOrigin();
    const ctx = await cookieCtx();
    if (ctx) return ctx;
    throw new AppError("unauthenticated", "Your session has ended. Sign in again.");
  }
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  const found = bearer ? await actorOfToken(bearer) : null;
  if (!found) throw new AppError("unauthenticated", "Sign in, or send an API token as a bearer.");
  return { ...found, ip: request.headers.get("x-forwarded-for") };
}

/** Next runs an action that comes without an Origin; we do not. */
export async function requireSameOrigin(): Promise<void> {
  const given = await headers();
  const origin = given.get("origin");
  const site = given.get("sec-fetch-site");
  if (!origin || !isOwnOrigin(origin) || (site !== null && site !== "same-origin")) {
    throw new AppError(
      "forbidden",
      `This request did not come from ${env.publicUrl}. Open that address and try again; nothing was changed.`,
    );
  }
}

function isOwnOrigin(origin: string): boolean {
  if (origin === new URL(env.publicUrl).origin) return true;
  if (!URL.canParse(origin)) return false;
  const [given, own] = [new URL(origin), new URL(env.publicUrl)];
  const isLocal = (url: URL) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  return isLocal(own) && isLocal(given) && given.port === own.port && given.protocol === own.protocol;
}
