import type { Role } from "@/lib/domain/access";
import { type Client, prisma, transact } from "./client";
import type { Tx } from "./mutate";

export type Person = {
  id: string;
  email: string;
  name: string;
  role: Role;
  sessionVersion: number;
  createdAt: Date;
  disabledAt: Date | null;
  oidcIssuer: string | null;
  oidcSubject: string | null;
};

export function findPersonByIdentity(oidcIssuer: string, oidcSubject: string): Promise<Person | null> {
  return prisma.user.findUnique({ where: { oidcIssuer_oidcSubject: { oidcIssuer, oidcSubject } } });
}

/** Writes beside an account who it is at the identity provider; one that has an identity keeps it. */
export async function linkIdentity(tx: Client, id: string, oidcIssuer: string, oidcSubject: string): Promise<boolean> {
  const { count } = await tx.user.updateMany({ where: { id, oidcSubject: null }, data: { oidcIssuer, oidcSubject } });
  return count === 1;
}

export function findPersonByEmail(email: string): Promise<(Person & { passwordHash: string | null }) | null> {
  return prisma.user.findUnique({ where: { email }, omit: { passwordHash: false } });
}

export function findPerson(id: string): Promise<Person | null> {
  return prisma.user.findUnique({ where: { id } });
}

export async function listPeople() {
  const people = await prisma.user.findMany({
    orderBy: { createdAt: "asc" },
    omit: { passwordHash: false },
    include: {
      sessions: { orderBy: { lastSeenAt: "desc" }, take: 1, select: { lastSeenAt: true } },
    },
  });
  return people.map(({ sessions, passwordHash, ...person }) => ({
    ...person,
    hasPassword: passwordHash !== null,
    lastSeenAt: sessions[0]?.lastSeenAt ?? null,
  }));
}

export function countPeople(): Promise<number> {
  return prisma.user.count();
}

export function insertPerson(
  tx: Client,
  person: {
    email: string;
    name: string;
    role: Role;
    passwordHash: string | null;
    createdAt: Date;
    oidcIssuer?: string;
    oidcSubject?: string;
  },
): Promise<Person> {
  return tx.user.create({ data: person });
}

export function addPerson(person: Parameters<typeof insertPerson>[1]): Promise<Person> {
  return insertPerson(prisma, person);
}

/** Changes a person; every older session of theirs dies with the version. */
export function updatePerson(
  tx: Client,
  id: string,
  change: { role?: Role; disabledAt?: Date | null },
): Promise<Person> {
  return tx.user.update({ where: { id }, data: { ...change, sessionVersion: { increment: 1 } } });
}

/** Locks all admins' rows, so that two changes at once cannot remove the last one. */
export async function lockAdmins(tx: Client): Promise<string[]> {
  const rows = await tx.$queryRaw<
    { id: string }[]
  >`SELECT id FROM app_user WHERE role = 'admin' AND disabled_at IS NULL FOR UPDATE`;
  return rows.map((row) => row.id);
}

export async function readPasswordHash(id: string): Promise<string | null> {
  const row = await prisma.user.findUnique({ where: { id }, select: { passwordHash: true } });
  return row?.passwordHash ?? null;
}

/** A new password for somebody who keeps the session in which it was given; all others are the caller's to end. */
export function changePasswordHash(tx: Tx, id: string, passwordHash: string): Promise<Person> {
  return tx.user.update({ where: { id }, data: { passwordHash } });
}

export function replacePassword(tx: Tx, id: string, passwordHash: string): Promise<Person> {
  return tx.user.update({ where: { id }, data: { passwordHash, sessionVersion: { increment: 1 } } });
}

// ── sessions ────────────────────────────────────────────────────────────────

export type NewSession = {
  sidHash: Uint8Array<ArrayBuffer>;
  userId: string;
  sessionVersion: number;
  at: Date;
  /** When the person proved who they are. */
  provenAt: Date;
  ip: string | null;
  userAgent: string | null;
};

export async function insertSession({ at, provenAt, ...session }: NewSession): Promise<void> {
  await prisma.session.create({ data: { ...session, createdAt: at, lastSeenAt: at, signedInAt: provenAt } });
}

/** The session and its person, by the hash of the cookie's sid, and what time it is: one query. */
export async function findSession(sidHash: Uint8Array) {
  const rows = await prisma.$queryRaw<
    {
      id: string;
      createdAt: Date;
      lastSeenAt: Date;
      signedInAt: Date;
      revokedAt: Date | null;
      sessionVersion: number;
      userId: string;
      email: string;
      name: string;
      role: Role;
      userVersion: number;
      disabledAt: Date | null;
      now: Date;
    }[]
  >`SELECT s.id, s.created_at AS "createdAt", s.last_seen_at AS "lastSeenAt", s.signed_in_at AS "signedInAt", s.revoked_at AS "revokedAt",
           s.session_version AS "sessionVersion", u.id AS "userId", u.email, u.name, u.role::text AS role,
           u.session_version AS "userVersion", u.disabled_at AS "disabledAt", hopperdeck_now() AS now
    FROM session s JOIN app_user u ON u.id = s.user_id WHERE s.sid_hash = ${sidHash}`;
  return rows[0] ?? null;
}

/** Marks use, at most once a minute. */
export async function touchSession(id: string, now: Date): Promise<void> {
  await prisma.session.updateMany({
    where: { id, lastSeenAt: { lt: new Date(now.getTime() - 60_000) } },
    data: { lastSeenAt: now },
  });
}

export async function revokeSession(
  sidHash: Uint8Array<ArrayBuffer>,
  now: Date,
): Promise<{ userId: string; name: string; id: string } | null> {
  const session = await prisma.session.findUnique({ where: { sidHash }, include: { user: true } });
  if (!session || session.revokedAt) return null;
  await prisma.session.update({ where: { id: session.id }, data: { revokedAt: now } });
  return { userId: session.userId, name: session.user.name, id: session.id };
}

/** Ends the sessions of a person, all or all but one. */
export async function revokeSessionsOf(tx: Client, userId: string, now: Date, butId?: string): Promise<number> {
  const { count } = await tx.session.updateMany({
    where: { userId, revokedAt: null, ...(butId !== undefined && { id: { not: butId } }) },
    data: { revokedAt: now },
  });
  return count;
}

/** The sessions of a person that were not ended, the newest use first. */
export async function listSessions(userId: string) {
  return prisma.session.findMany({
    where: { userId, revokedAt: null },
    select: {
      id: true,
      createdAt: true,
      lastSeenAt: true,
      signedInAt: true,
      revokedAt: true,
      sessionVersion: true,
      ip: true,
      userAgent: true,
      user: { select: { sessionVersion: true, disabledAt: true } },
    },
    orderBy: { lastSeenAt: "desc" },
    take: 100,
  });
}

/** Ends one session of a person; false when it had ended, or is somebody else's. */
export async function revokeSessionById(tx: Tx, userId: string, id: string, now: Date): Promise<boolean> {
  const { count } = await tx.session.updateMany({ where: { id, userId, revokedAt: null }, data: { revokedAt: now } });
  return count === 1;
}

// ── tries at the door ─────────────────────────────────────────────────────────

/**
 * Counts one more try under each key, before its outcome is known, so that a thousand at once are no way around the wait.
 * Returns for how long nobody may try; then nothing was counted.
 */
export async function takeTry(keys: string[], now: Date, delayMs: (count: number) => number): Promise<number> {
  return transact(async (tx) => {
    const sorted = [...keys].sort();
    await tx.rateLimit.createMany({ data: sorted.map((key) => ({ key, nextAt: now })), skipDuplicates: true });
    const rows = await tx.$queryRaw<{ key: string; count: number; nextAt: Date }[]>`
      SELECT key, count, next_at AS "nextAt" FROM rate_limit WHERE key = ANY (${sorted}) ORDER BY key FOR UPDATE`;
    const waitMs = Math.max(0, ...rows.map(({ nextAt }) => nextAt.getTime() - now.getTime()));
    if (waitMs > 0) return waitMs;
    for (const { key, count } of rows) {
      const nextAt = new Date(now.getTime() + delayMs(count + 1));
      await tx.rateLimit.update({ where: { key }, data: { count: count + 1, nextAt } });
    }
    return 0;
  });
}

/** The try was right: the counts begin anew. */
export async function clearFailures(keys: string[]): Promise<void> {
  await prisma.rateLimit.deleteMany({ where: { key: { in: keys } } });
}

/** Forgets tries and sessions that nobody can come back to. */
export async function forgetOld(triesBefore: Date, sessionsBefore: Date): Promise<void> {
  await prisma.$executeRaw`DELETE FROM rate_limit WHERE key ~ '^(sign-in|sign-in-ip|password):' AND next_at < ${triesBefore}`;
  await prisma.session.deleteMany({ where: { lastSeenAt: { lt: sessionsBefore } } });
}
