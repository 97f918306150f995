import { prisma } from "@/lib/db/client";

/** The machine that a launch made, once it was listed. */
export async function resourceOfIntent(intentId: string): Promise<string | null> {
  const row = await prisma.resource.findUnique({ where: { launchIntentId: intentId }, select: { id: true } });
  return row?.id ?? null;
}

/** The same for several launches, by the launch's id. */
export async function resourcesOfIntents(intentIds: string[]): Promise<Map<string, string>> {
  const rows = await prisma.resource.findMany({
    where: { launchIntentId: { in: intentIds } },
    select: { id: true, launchIntentId: true },
  });
  return new Map(rows.flatMap(({ id, launchIntentId }) => (launchIntentId === null ? [] : [[launchIntentId, id]])));
}

/** What was last observed of a machine. */
export async function findLastSpan(resourceId: string) {
  return prisma.resourceSpan.findFirst({ where: { resourceId }, orderBy: { validFrom: "desc" } });
}

export type KnownMachine = { externalId: string; name: string | null; launchIntentId: string | null };

/** A machine that is there, as last observed; null: it is gone, or never was. */
export async function findMachine(resourceId: string): Promise<KnownMachine | null> {
  const row = await prisma.resource.findFirst({
    where: { id: resourceId, kind: "instance", goneAt: null },
    include: { spans: { orderBy: { validFrom: "desc" }, take: 1 } },
  });
  return row && { externalId: row.externalId, name: row.spans[0]?.name ?? null, launchIntentId: row.launchIntentId };
}

export async function firstSeenAt(resourceId: string): Promise<Date | null> {
  const row = await prisma.resource.findUnique({ where: { id: resourceId }, select: { firstSeenAt: true } });
  return row?.firstSeenAt ?? null;
}
