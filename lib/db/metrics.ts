import { pool, prisma } from "./client";

export type Counts = {
  intents: { kind: string; state: string; count: number }[];
  outbox: { state: string; count: number }[];
  alerts: { severity: string; status: string; count: number }[];
  dirtyBuckets: number;
  unassignedSenders: number;
};

/** How much lies where: intents, messages, open alerts, and what waits. */
export async function readCounts(): Promise<Counts> {
  const [intents, outbox, alerts, waiting] = await Promise.all([
    prisma.intent.groupBy({ by: ["kind", "state"], _count: true }),
    prisma.outbox.groupBy({ by: ["state"], _count: true }),
    prisma.alert.groupBy({ by: ["severity", "status"], where: { resolvedAt: null }, _count: true }),
    pool().query<{ dirty: number; unassigned: number }>(
      `select (select count(*)::int from telemetry_mark) as dirty,
         (select count(*)::int from telemetry_source where resource_id is null and dismissed_at is null) as unassigned`,
    ),
  ]);
  return {
    intents: intents.map(({ kind, state, _count }) => ({ kind, state, count: _count })),
    outbox: outbox.map(({ state, _count }) => ({ state, count: _count })),
    alerts: alerts.map(({ severity, status, _count }) => ({ severity, status, count: _count })),
    dirtyBuckets: waiting.rows[0]?.dirty ?? 0,
    unassignedSenders: waiting.rows[0]?.unassigned ?? 0,
  };
}
