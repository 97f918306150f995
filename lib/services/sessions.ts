import { verify } from "@node-rs/argon2";
import { mutate } from "@/lib/db/mutate";
import * as db from "@/lib/db/people";
import { readSettingNow } from "@/lib/db/settings";
import { authorize, type Ctx, type UserActor } from "@/lib/domain/access";
import { isSessionAlive, type OwnPassword, type SessionsAnswer, signInDelayMs } from "@/lib/domain/people";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { hashPassword } from "./passwords";
import { requirePasswords } from "./people";

/* What everybody may do about their own account; the permission is the least that every role has. */

/** The live sessions of the person who asks. */
export async function readMySessions(ctx: Ctx): Promise<SessionsAnswer> {
  authorize(ctx, "fleet:read");
  const me = self(ctx);
  const [sessions, limits, passwordHash] = await Promise.all([
    db.listSessions(me.id),
    readSettingNow("session"),
    db.readPasswordHash(me.id),
  ]);
  return {
    now: ctx.now.getTime(),
    hasPassword: passwordHash !== null && env.hasPasswordSignIn,
    sessions: sessions
      .filter((session) => isSessionAlive(session, limits, ctx.now))
      .map(({ id, createdAt, lastSeenAt, ip, userAgent }) => ({
        id,
        isThis: id === me.sessionId,
        signedInAt: createdAt.getTime(),
        lastSeenAt: lastSeenAt.getTime(),
        ip: ip?.replace(/^::ffff:(?=\d+\.)/, "") ?? null,
        userAgent,
      })),
  };
}

/** Ends one of one's own sessions. */
export async function endMySession(ctx: Ctx, { sessionId }: { sessionId: string }): Promise<{ id: string }> {
  const me = self(ctx);
  return mutate(ctx, "fleet:read", async (tx) => {
    if (!(await db.revokeSessionById(tx, me.id, sessionId, ctx.now)))
      throw new AppError("not-found", "This session has ended already.");
    return { action: "session.ended", ...subject(me), after: { sessionId }, result: { id: sessionId } };
  });
}

/** Ends all one's own sessions but the one that asks. */
export async function endMyOtherSessions(ctx: Ctx): Promise<{ ended: number }> {
  const me = self(ctx);
  return mutate(ctx, "fleet:read", async (tx) => {
    const ended = await db.revokeSessionsOf(tx, me.id, ctx.now, me.sessionId);
    return { action: "session.others-ended", ...subject(me), after: { ended }, result: { ended } };
  });
}

/** Changes one's own password; every other session ends. Wrong tries wait as at the door. */
export async function changeMyPassword(ctx: Ctx, { current, password }: OwnPassword): Promise<{ ended: number }> {
  const me = self(ctx);
  requirePasswords();
  const key = `password:${me.id}`;
  const waitMs = await db.takeTry([key], ctx.now, signInDelayMs);
  if (waitMs > 0)
    throw new AppError("too-many", `Too many wrong tries. Wait ${Math.ceil(waitMs / 1000)} s.`, {}, waitMs);
  const known = await db.readPasswordHash(me.id);
  if (known === null) throw new AppError("conflict", "This account signs in without a password.");
  if (!(await verify(known, current).catch(() => false))) {
    throw new AppError("invalid", "The current password is wrong; nothing was changed.", { current: "is wrong" });
  }
  const passwordHash = await hashPassword(password);
  const ended = await mutate(ctx, "fleet:read", async (tx) => {
    await db.changePasswordHash(tx, me.id, passwordHash);
    const count = await db.revokeSessionsOf(tx, me.id, ctx.now, me.sessionId);
    return { action: "person.password-changed", ...subject(me), after: { ended: count }, result: count };
  });
  await db.clearFailures([key]);
  return { ended };
}

function self(ctx: Ctx): UserActor {
  if (ctx.actor.kind !== "user") throw new AppError("forbidden", "Only people have sessions; this is a program.");
  return ctx.actor;
}

function subject(me: UserActor) {
  return { subjectKind: "person", subjectId: me.id, subject: me.name };
}
