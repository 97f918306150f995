import { randomUUID } from "node:crypto";
import { prisma } from "@/lib/db/client";
import type { Ctx, Role, UserActor } from "@/lib/domain/access";
import { systemCtx } from "@/lib/domain/access";
import { acceptInvite, invite, signIn, whoIs } from "@/lib/services/people";

export const PASSWORD = "correct horse battery staple";
export const DEVICE = { ip: "192.0.2.7", userAgent: "test" };

export type Somebody = { id: string; email: string; name: string };

/** Somebody with an account, as an invitation makes it. */
export async function somebody(role: Role, now: Date): Promise<Somebody> {
  const email = `${role}-${randomUUID().slice(0, 8)}@example.com`;
  const name = `A ${role.replace("_", "-")}`;
  const { url } = await invite(systemCtx("test", now), { role, name: "" });
  await acceptInvite(now, { token: secretOf(url), email, name, password: PASSWORD }, DEVICE);
  const { id } = await prisma.user.findUniqueOrThrow({ where: { email }, select: { id: true } });
  return { id, email, name };
}

/** The secret in an invitation's link. */
export function secretOf(url: string): string {
  return new URL(url).hash.slice(1);
}

/** Signs somebody in and asks as them. */
export async function signedIn(person: Somebody, now: Date): Promise<{ sid: string; ctx: Ctx & { actor: UserActor } }> {
  const { sid } = await signIn(now, person.email, PASSWORD, DEVICE);
  const found = await whoIs(sid);
  if (!found) throw new Error("a new session does not speak for its person");
  return { sid, ctx: { actor: found.actor, now, ip: DEVICE.ip } };
}

/** A person of that role who has just signed in. */
export async function as(role: Role, now: Date): Promise<Ctx & { actor: UserActor }> {
  return (await signedIn(await somebody(role, now), now)).ctx;
}

/** The newest entry of the audit trail about something. */
export async function lastAudit(subjectId: string) {
  return prisma.auditEvent.findFirst({
    where: { subjectId },
    orderBy: { seq: "desc" },
    select: { action: true, actor: true, subject: true, changes: true, ip: true },
  });
}

/** Somebody of that role, as if just signed in, at any instant: for stories of another time than ours. */
export async function personAt(role: Role, at: string): Promise<Ctx> {
  const now = new Date(at);
  const { id, name, email } = await somebody(role, now);
  return { actor: { kind: "user", id, name, email, role, sessionId: "", signedInAt: now }, now };
}
