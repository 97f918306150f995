import { type Client, pool, prisma } from "@/lib/db/client";
import type { Tx } from "@/lib/db/mutate";
import { assignSource } from "./identity";

export type SourceFacts = {
  id: string;
  resourceId: string | null;
  hostname: string;
  host: Record<string, string>;
  tokenName: string;
  agentVersion: string | null;
  intervalMs: number;
  firstSeenAt: Date;
  lastReceivedAt: Date;
  clockSkewMs: number | null;
  lastError: string | null;
  dismissedAt: Date | null;
  models: string[];
  refused: number;
};

/** The senders of machines that are present, and those that belong to nobody; refusals since a day. */
export async function listSources(since: Date): Promise<SourceFacts[]> {
  const { rows } = await pool().query<SourceFacts>(
    `select t.id, t.resource_id as "resourceId", t.hostname, t.host, coalesce(k.name, t.url) as "tokenName", t.agent_version as "agentVersion",
            t.interval_ms as "intervalMs", t.first_seen_at as "firstSeenAt", t.last_received_at as "lastReceivedAt",
            t.clock_skew_ms as "clockSkewMs", t.last_error as "lastError", t.dismissed_at as "dismissedAt",
            coalesce((select array_agg(g.model order by g.position) from gpu g where g.source_id = t.id), '{}') as models,
            coalesce((select sum(x.count) from ingest_refusal x where x.source_id = t.id and x.last_at >= $1 and x.reason not in ('duplicate', 'out_of_range')), 0)::float8 as refused
     from telemetry_source t left join token k on k.id = t.token_id left join resource r on r.id = t.resource_id
     where (t.resource_id is null or r.gone_at is null) and (t.kind <> 'scrape' or t.last_received_at > t.first_seen_at)
     order by t.last_received_at desc limit 2000`,
    [since],
  );
  return rows;
}

/** The agent of a machine: the one that reported last. */
export async function findAgent(resourceId: string): Promise<{
  host: unknown;
  agentVersion: string | null;
  lastReceivedAt: Date;
  clockSkewMs: number | null;
} | null> {
  return prisma.telemetrySource.findFirst({
    where: { resourceId, kind: "agent" },
    orderBy: { lastReceivedAt: "desc" },
    select: { host: true, agentVersion: true, lastReceivedAt: true, clockSkewMs: true },
  });
}

/** A sender, locked against another person who assigns it at the same moment. */
export async function lockSource(
  tx: Tx,
  id: string,
): Promise<{ id: string; hostname: string; resourceId: string | null; dismissedAt: Date | null } | null> {
  const rows = await tx.$queryRaw<
    { id: string; hostname: string; resourceId: string | null; dismissedAt: Date | null }[]
  >`SELECT id, hostname, resource_id AS "resourceId", dismissed_at AS "dismissedAt" FROM telemetry_source WHERE id = ${id}::uuid FOR UPDATE`;
  return rows[0] ?? null;
}

/** Ties a sender to a machine, and marks what its GPUs sent since an instant to be derived anew. */
export async function adoptSource(tx: Tx, sourceId: string, resourceId: string, since: Date): Promise<void> {
  await assignSource(tx, sourceId, resourceId);
  await markDirty(tx, sourceId, since);
}

async function markDirty(tx: Client, sourceId: string, since: Date): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO telemetry_mark (bucket, gpu_ids)
    SELECT date_bin('5 minutes', s.at, 'epoch'), array_agg(DISTINCT s.gpu_id) FROM gpu_sample s JOIN gpu g ON g.id = s.gpu_id
    WHERE g.source_id = ${sourceId}::uuid AND g.resource_id IS NOT NULL AND s.at >= ${since} GROUP BY 1`;
}

export async function setDismissed(tx: Tx, sourceId: string, at: Date | null): Promise<void> {
  await tx.telemetrySource.update({ where: { id: sourceId }, data: { dismissedAt: at } });
}

/** A machine that is there, by its id. */
export async function findPresentInstance(tx: Client, id: string): Promise<{ id: string; name: string } | null> {
  const row = await tx.resource.findFirst({
    where: { id, kind: "instance", goneAt: null },
    select: { id: true, externalId: true, spans: { orderBy: { validFrom: "desc" }, take: 1, select: { name: true } } },
  });
  return row && { id: row.id, name: row.spans[0]?.name ?? row.externalId };
}
