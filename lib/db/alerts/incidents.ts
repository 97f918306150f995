import { type Client, prisma } from "@/lib/db/client";

/** An incident: the alert that leads it and those merged into it, oldest first. */
export async function listIncident(leadId: string) {
  return prisma.alert.findMany({
    where: { OR: [{ id: leadId }, { leadId }] },
    include: { rule: { select: { name: true } } },
    orderBy: { activeAt: "asc" },
    take: 300,
  });
}

/** One change of incidents at a time: two at once could lead each other. */
export async function lockIncidents(tx: Client): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('hopperdeck alert incidents'))`;
}

/** Holds alerts, and those that others lead, until the transaction ends; in the order of their ids, so that two never wait for each other. */
export async function lockAlerts(tx: Client, ids: readonly string[], leadIds: readonly string[] = []) {
  return tx.$queryRaw<{ id: string; leadId: string | null; firedAt: Date | null; targetName: string }[]>`
    SELECT id, lead_id AS "leadId", fired_at AS "firedAt", target_name AS "targetName" FROM alert
    WHERE id = ANY(${[...ids]}::uuid[]) OR lead_id = ANY(${[...leadIds]}::uuid[]) ORDER BY id FOR UPDATE`;
}

/** Whether an alert that fires now names this machine. */
export async function isNamedByFiring(resourceId: string): Promise<boolean> {
  return (await prisma.alert.count({ where: { resourceId, resolvedAt: null, firedAt: { not: null } } })) > 0;
}
