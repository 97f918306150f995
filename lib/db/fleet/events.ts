import { prisma } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";

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
  return prisma.$transaction(async (tx) => {
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
