import { prisma, transact } from "@/lib/db/client";
import type { PollOutcome } from "@/lib/domain/fleet/poll";

export type Connection = {
  id: string;
  provider: string;
  name: string;
  baseUrl: string;
  keyLast4: string;
  mutateKeyLast4: string | null;
  lastPollAt: Date | null;
  lastOkAt: Date | null;
  staleSince: Date | null;
  lastError: string | null;
  mutationsFrozenAt: Date | null;
  /** The key that changes things is refused since then; looking goes on. */
  mutateFrozenAt: Date | null;
  mutateCheckedAt: Date | null;
  typesReadAt: Date | null;
  filesystemsReadAt: Date | null;
  catalogReadAt: Date | null;
  eventsReadTo: Date | null;
  eventsReadAt: Date | null;
  eventsError: string | null;
  createdAt: Date;
};

/** The one connection of this installation, made at the first look; its keys stay in the environment. */
export async function ensureConnection(facts: {
  provider: string;
  name: string;
  baseUrl: string;
  keyLast4: string;
  mutateKeyLast4: string | null;
  at: Date;
}): Promise<Connection> {
  const { provider, name, at, ...keys } = facts;
  return prisma.connection.upsert({
    where: { provider_name: { provider, name } },
    create: { provider, name, createdAt: at, ...keys },
    update: keys,
  });
}

export async function findConnection(): Promise<Connection | null> {
  return prisma.connection.findFirst({ orderBy: { createdAt: "asc" } });
}

export type FailedPoll = {
  connectionId: string;
  at: Date;
  outcome: Exclude<PollOutcome, "ok" | "suspect">;
  durationMs: number;
  error: string;
};

/** A failed look: the fleet turns stale, and nothing else changes. Refusals of the key freeze all mutations. */
export async function recordFailedPoll({
  connectionId,
  at,
  outcome,
  durationMs,
  error,
}: FailedPoll): Promise<{ isFirst: boolean }> {
  return transact(async (tx) => {
    const [before] = await tx.$queryRaw<{ staleSince: Date | null }[]>`
      UPDATE connection c SET last_poll_at = ${at}, stale_since = coalesce(c.stale_since, ${at}), last_error = ${error},
        mutations_frozen_at = CASE WHEN ${outcome} = 'unauthorised' THEN coalesce(c.mutations_frozen_at, ${at}) ELSE c.mutations_frozen_at END
      FROM (SELECT id, stale_since FROM connection WHERE id = ${connectionId}::uuid FOR NO KEY UPDATE) old
      WHERE c.id = old.id AND (c.last_poll_at IS NULL OR c.last_poll_at < ${at})
      RETURNING old.stale_since AS "staleSince"`;
    if (!before) return { isFirst: false };
    await tx.poll.create({ data: { connectionId, at, outcome, durationMs, error: error.slice(0, 500) } });
    return { isFirst: before.staleSince === null };
  });
}

/** The key for changes was refused; false when that was known. */
export async function freezeMutations(connectionId: string, at: Date, error: string): Promise<boolean> {
  const { count } = await prisma.connection.updateMany({
    where: { id: connectionId, mutateFrozenAt: null },
    data: { mutateFrozenAt: at, mutateCheckedAt: at, lastError: error },
  });
  return count === 1;
}

/** Takes the next try of a refused key; of two workers one gets it. */
export async function takeKeyCheck(connectionId: string, before: Date, at: Date): Promise<boolean> {
  const { count } = await prisma.connection.updateMany({
    where: { id: connectionId, mutateFrozenAt: { not: null }, mutateCheckedAt: { lt: before } },
    data: { mutateCheckedAt: at },
  });
  return count === 1;
}

export async function thawMutations(connectionId: string): Promise<boolean> {
  const { count } = await prisma.connection.updateMany({
    where: { id: connectionId, mutateFrozenAt: { not: null } },
    data: { mutateFrozenAt: null, lastError: null },
  });
  return count === 1;
}

export async function markTypesRead(connectionId: string, at: Date): Promise<void> {
  await prisma.connection.update({ where: { id: connectionId }, data: { typesReadAt: at } });
}

export async function markEventsRead(
  connectionId: string,
  at: Date,
  readTo: Date | null,
  error: string | null,
): Promise<void> {
  await prisma.connection.update({
    where: { id: connectionId },
    data: { eventsReadAt: at, eventsError: error?.slice(0, 500) ?? null, ...(readTo && { eventsReadTo: readTo }) },
  });
}

export type PollStats = { polls: number; failed: number; instances: number | null; tookMs: number | null };

/** How the looks at the instances went since an instant, and what the last good one saw. */
export async function pollStats(connectionId: string, since: Date): Promise<PollStats> {
  const [polls, failed, last] = await Promise.all([
    prisma.poll.count({ where: { connectionId, at: { gte: since } } }),
    prisma.poll.count({ where: { connectionId, at: { gte: since }, outcome: { notIn: ["ok", "suspect"] } } }),
    prisma.poll.findFirst({ where: { connectionId, outcome: "ok" }, orderBy: { at: "desc" } }),
  ]);
  return { polls, failed, instances: last?.resources ?? null, tookMs: last?.durationMs ?? null };
}
