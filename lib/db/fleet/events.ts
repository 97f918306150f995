import { type Client, prisma, transact } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { ensureType } from "./types";

export type ProviderEventRow = {
  eventId: string;
  at: Date;
  action: string;
  actor: string | null;
  apiKey: string | null;
  externalId: string | null;
  detail: Record<string, unknown>;
};

/** Adds events of the provider's log; known ones are left alone. Returns those that are new, with the resource they name. */
export async function insertProviderEvents(
  connectionId: string,
  events: ProviderEventRow[],
  readAt: Date,
): Promise<{ eventId: string; resourceId: string | null }[]> {
  if (events.length === 0) return [];
  return transact(async (tx) => {
    const resources = await tx.resource.findMany({
      where: { connectionId, externalId: { in: events.flatMap((event) => event.externalId ?? []) } },
      select: { id: true, externalId: true },
    });
    const byExternal = new Map(resources.map((resource) => [resource.externalId, resource.id]));
    const data = events.map(({ detail, ...event }) => ({
      connectionId,
      readAt,
      ...event,
      resourceId: (event.externalId && byExternal.get(event.externalId)) || null,
      detail: detail as Prisma.InputJsonObject,
    }));
    const known = await tx.providerEvent.findMany({
      where: { connectionId, eventId: { in: data.map((row) => row.eventId) } },
      select: { eventId: true },
    });
    const isKnown = new Set(known.map((row) => row.eventId));
    await tx.providerEvent.createMany({ data, skipDuplicates: true });
    return data.filter((row) => !isKnown.has(row.eventId)).map(({ eventId, resourceId }) => ({ eventId, resourceId }));
  });
}

/** Ties events that were read before their machine was listed to it, and remembers who launched and ended it. */
export async function linkProviderEvents(connectionId: string): Promise<void> {
  await prisma.$executeRaw`
    UPDATE provider_event e SET resource_id = r.id FROM resource r
    WHERE e.connection_id = ${connectionId}::uuid AND e.resource_id IS NULL AND e.external_id IS NOT NULL
      AND r.connection_id = e.connection_id AND r.external_id = e.external_id`;
  await prisma.$executeRaw`
    WITH said AS (
      SELECT DISTINCT ON (resource_id, what) resource_id, what, coalesce(actor, api_key) AS who
      FROM (SELECT *, CASE WHEN action ~* 'terminat|delet|destroy' THEN 'end' WHEN action ~* 'launch|creat' THEN 'start' END AS what
            FROM provider_event WHERE connection_id = ${connectionId}::uuid AND resource_id IS NOT NULL) x
      WHERE what IS NOT NULL ORDER BY resource_id, what, at)
    UPDATE resource r SET
      launched_by = coalesce(r.launched_by, (SELECT who FROM said WHERE resource_id = r.id AND what = 'start')),
      terminated_by = coalesce(r.terminated_by, (SELECT who FROM said WHERE resource_id = r.id AND what = 'end')),
      gone_reason = CASE WHEN r.gone_reason = 'vanished' AND EXISTS (SELECT 1 FROM said WHERE resource_id = r.id AND what = 'end')
                         THEN 'terminated_outside'::gone_reason ELSE r.gone_reason END,
      metered_final = r.metered_final AND NOT (r.terminated_by IS NULL AND EXISTS (SELECT 1 FROM said WHERE resource_id = r.id AND what = 'end'))
    WHERE r.connection_id = ${connectionId}::uuid AND (r.launched_by IS NULL OR r.terminated_by IS NULL)
      AND EXISTS (SELECT 1 FROM said WHERE resource_id = r.id)`;
}

/** Listings lag behind the log; after this long a machine that none has shown will be shown by none. */
const UNSEEN_AFTER_MS = 10 * 60_000;

type Unseen = { externalId: string; from: Date; to: Date; typeName: string | null; region: string | null };

/**
 * Machines that came and went while nobody looked and of which only the provider's log tells: each becomes a machine that is gone and
 * was never seen active, so that its money has bounds and somebody looks at it. Those of before the connection was made are not known of.
 */
export async function rememberUnseen(connectionId: string, provider: string, now: Date): Promise<number> {
  const before = new Date(now.getTime() - UNSEEN_AFTER_MS);
  const lives = await prisma.$queryRaw<Unseen[]>`
    SELECT x."externalId", x."from", x."to", x."typeName", x.region FROM (
      SELECT e.external_id AS "externalId", min(e.at) FILTER (WHERE e.action ~* 'launch|creat') AS "from",
        max(e.at) FILTER (WHERE e.action ~* 'terminat|delet|destroy') AS "to", max(e.detail ->> 'typeName') AS "typeName", max(e.detail ->> 'region') AS region
      FROM provider_event e WHERE e.connection_id = ${connectionId}::uuid AND e.resource_id IS NULL AND e.external_id IS NOT NULL GROUP BY 1) x
    JOIN connection c ON c.id = ${connectionId}::uuid
    WHERE x."from" >= c.created_at AND x."to" > x."from" AND x."to" <= ${before} ORDER BY x."from", 1`;
  for (const life of lives) await transact((tx) => insertUnseen(tx, connectionId, provider, life));
  if (lives.length > 0) await linkProviderEvents(connectionId);
  return lives.length;
}

async function insertUnseen(
  tx: Client,
  connectionId: string,
  provider: string,
  { externalId, from, to, typeName, region }: Unseen,
): Promise<void> {
  const key = { connectionId, kind: "instance" as const, externalId };
  const known = await tx.resource.count({ where: key });
  if (known > 0) return;
  const gone = { goneAt: to, goneReason: "terminated_outside" as const };
  const { id: resourceId } = await tx.resource.create({
    data: { ...key, firstSeenAt: to, ...gone },
    select: { id: true },
  });
  if (typeName !== null) await ensureType(tx, provider, typeName, to);
  const said = { provider, typeName, region: region ?? "", status: "terminated" as const };
  // The look before it is its launch: of earlier, nothing can have been billed.
  await tx.resourceSpan.create({ data: { resourceId, validFrom: to, prevPollAt: from, ...said } });
  await tx.resourceLabel.create({ data: { resourceId, validFrom: from } });
}
