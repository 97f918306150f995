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
