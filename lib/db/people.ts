import type { Role } from "@/lib/domain/access";
import { type Client, prisma } from "./client";
import type { Tx } from "./mutate";

export type Person = {
  id: string;
  email: string;
  name: string;
  role: Role;
  sessionVersion: number;
  createdAt: Date;
  disabledAt: Date | null;
};

export function findPersonByEmail(email: string): Promise<(Person & { passwordHash: string | null }) | null> {
  return prisma.user.findUnique({ where: { email }, omit: { passwordHash: false } });
}

export function findPerson(id: string): Promise<Person | null> {
  return prisma.user.findUnique({ where: { id } });
}

export async function listPeople() {
  const people = await prisma.user.findMany({
    orderBy: { createdAt: "asc" },
    include: {
      sessions: { where: { revokedAt: null }, orderBy: { lastSeenAt: "desc" }, take: 1, select: { lastSeenAt: true } },
    },
  });
  return people.map(({ sessions, ...person }) => ({ ...person, lastSeenAt: sessions[0]?.lastSeenAt ?? null }));
}

export function countPeople(): Promise<number> {
  return prisma.user.count();
}

export function insertPerson(
  tx: Client,
  person: { email: string; name: string; role: Role; passwordHash: string | null; createdAt: Date },
): Promise<Person> {
  return tx.user.create({ data: person });
}

export function addPerson(person: Parameters<typeof insertPerson>[1]): Promise<Person> {
  return insertPerson(prisma, person);
}

/** Changes a person; every older session of theirs dies with the version. */
export function updatePerson(tx: Tx, id: string, change: { role?: Role; disabledAt?: Date | null }): Promise<Person> {
  return tx.user.update({ where: { id }, data: { ...change, sessionVersion: { increment: 1 } } });
}

/** Locks all admins' rows, so that two changes at once cannot remove the last one. */
export async function lockAdmins(tx: Tx): Promise<string[]> {
  const rows = await tx.$queryRaw<
    { id: string }[]
  >`SELECT id FROM app_user WHERE role = 'admin' AND disabled_at IS NULL FOR UPDATE`;
  return rows.map((row) => row.id);
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
  ip: string | null;
  userAgent: string | null;
};

export async function insertSession({ at, ...session }: NewSession): Promise<void> {
  await prisma.session.create({ data: { ...session, createdAt: at, lastSeenAt: at, signedInAt: at } });
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

export async function revokeSessionsOf(tx: Tx, userId: string, now: Date): Promise<number> {
  const { count } = await tx.session.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: now } });
  return count;
}

// ── failed sign-ins ─────────────────────────────────────────────────────────

export async function readFailures(keys: string[]): Promise<{ key: string; count: number; nextAt: Date }[]> {
  return prisma.rateLimit.findMany({ where: { key: { in: keys } } });
}

/** Counts one more failure; the delay follows from the count. */
export async function addFailure(key: string, now: Date, delayMs: (count: number) => number): Promise<void> {
  const { count } = await prisma.rateLimit.upsert({
    where: { key },
    create: { key, count: 1, nextAt: now },
    update: { count: { increment: 1 } },
    select: { count: true },
  });
  await prisma.rateLimit.update({ where: { key }, data: { nextAt: new Date(now.getTime() + delayMs(count)) } });
}

export async function clearFailures(keys: string[]): Promise<void> {
  await prisma.rateLimit.deleteMany({ where: { key: { in: keys } } });
}
