import { prisma } from "@/lib/db/client";

/** The machine that a launch made, once it was listed. */
export async function resourceOfIntent(intentId: string): Promise<string | null> {
  const row = await prisma.resource.findUnique({ where: { launchIntentId: intentId }, select: { id: true } });
  return row?.id ?? null;
}

/** What was last observed of a machine. */
export async function findLastSpan(resourceId: string) {
  return prisma.resourceSpan.findFirst({ where: { resourceId }, orderBy: { validFrom: "desc" } });
}
