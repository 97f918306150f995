import { type Client, prisma } from "./client";
import { type Intent, toIntent } from "./intents";

export type Approver = { id: string | null; breakGlassReason: string | null };

/**
 * Lets an intent that waits for a second person be sent, if it still waits, its time is not up and it is still what was read.
 * Never by the one who asked, unless the glass was broken.
 */
export async function releaseIntent(tx: Client, intent: Intent, by: Approver, now: Date): Promise<boolean> {
  const { count } = await tx.intent.updateMany({
    where: {
      id: intent.id,
      state: "awaiting_approval",
      planHash: new Uint8Array(intent.planHash),
      approvalExpiresAt: { gt: now },
      ...(by.breakGlassReason === null && { NOT: { requestedById: by.id } }),
    },
    data: {
      state: "ready",
      queuedAt: now,
      approvedAt: now,
      approvedById: by.breakGlassReason === null ? by.id : null,
      breakGlassReason: by.breakGlassReason,
    },
  });
  return count === 1;
}

/** What waits for a second person, the one that expires next first. */
export async function listAwaitingApproval(): Promise<Intent[]> {
  const rows = await prisma.intent.findMany({
    where: { state: "awaiting_approval" },
    orderBy: { approvalExpiresAt: "asc" },
    take: 200,
  });
  return rows.map(toIntent);
}

/** Approvals whose time is up. */
export async function listApprovalsOver(now: Date): Promise<Intent[]> {
  const rows = await prisma.intent.findMany({
    where: { state: "awaiting_approval", approvalExpiresAt: { lte: now } },
  });
  return rows.map(toIntent);
}

/** People who could say yes to what somebody else asked for. */
export async function countOthers(
  roles: ("viewer" | "finance" | "on_call" | "operator" | "admin")[],
  but: string | null,
): Promise<number> {
  return prisma.user.count({ where: { role: { in: roles }, disabledAt: null, ...(but && { id: { not: but } }) } });
}

/** What a second person was asked for and is settled or released, the latest first, with who agreed. */
export async function listDecided(since: Date): Promise<(Intent & { approver: string | null })[]> {
  const rows = await prisma.intent.findMany({
    where: {
      approvalExpiresAt: { not: null },
      state: { not: "awaiting_approval" },
      createdAt: { gte: since },
    },
    include: { approvedBy: { select: { name: true } } },
    orderBy: { createdAt: "desc" },
    take: 50,
  });
  return rows.map(({ approvedBy, ...row }) => ({ ...toIntent(row), approver: approvedBy?.name ?? null }));
}
