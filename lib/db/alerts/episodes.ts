import { type Client, prisma } from "@/lib/db/client";
import type { AlertState } from "@/lib/domain/alerts/types";
import { freezeCost } from "./costs";
import type { AlertRule } from "./rules";

export type AlertTarget = { key: string; name: string; resourceId: string | null; gpuId: number | null };

export type OpenAlert = {
  id: string;
  target: AlertTarget;
  state: AlertState;
  transitions: number;
  flappingUntil: number | null;
};

const stateOf = (row: {
  status: string;
  activeAt: Date;
  firedAt: Date | null;
  keepSince: Date | null;
  unknownSince: Date | null;
  lastSlot: Date;
  firstValue: number | null;
  lastValue: number | null;
  peakValue: number | null;
  ruleVersion: number;
  isEscalated: boolean;
}): AlertState => ({
  // Rows with resolved_at null hold no other status.
  status: row.status as AlertState["status"],
  activeAt: row.activeAt.getTime(),
  firedAt: row.firedAt?.getTime() ?? null,
  keepSince: row.keepSince?.getTime() ?? null,
  unknownSince: row.unknownSince?.getTime() ?? null,
  lastSlot: row.lastSlot.getTime(),
  firstValue: row.firstValue,
  lastValue: row.lastValue,
  peakValue: row.peakValue,
  ruleVersion: row.ruleVersion,
  isEscalated: row.isEscalated,
});

export const instant = (at: number | null) => (at === null ? null : new Date(at));

export function columnsOf(state: AlertState) {
  const { activeAt, firedAt, keepSince, unknownSince, lastSlot, isEscalated: _, ...rest } = state;
  return {
    ...rest,
    activeAt: new Date(activeAt),
    firedAt: instant(firedAt),
    keepSince: instant(keepSince),
    unknownSince: instant(unknownSince),
    lastSlot: new Date(lastSlot),
  };
}

/** The open episodes of a rule, by target. */
export async function listOpen(tx: Client, rule: AlertRule): Promise<Map<string, OpenAlert>> {
  const rows = await tx.alert.findMany({ where: { ruleId: rule.id, resolvedAt: null } });
  return new Map(
    rows.map((row) => [
      row.target,
      {
        id: row.id,
        target: { key: row.target, name: row.targetName, resourceId: row.resourceId, gpuId: row.gpuId },
        state: stateOf({ ...row, isEscalated: row.severity === "critical" && rule.severity !== "critical" }),
        transitions: row.transitions,
        flappingUntil: row.flappingUntil?.getTime() ?? null,
      },
    ]),
  );
}

export type FlapMemory = {
  changes: number[];
  flappingUntil: number | null;
  /** The newest episode. */
  alertId: string;
};

/** Slots at which targets of a rule fired or recovered since, and until when they count as flapping (B29). */
export async function listChanges(tx: Client, ruleId: string, since: Date): Promise<Map<string, FlapMemory>> {
  const rows = await tx.$queryRaw<{ id: string; target: string; slot: Date | null; flappingUntil: Date | null }[]>`
    SELECT a.id, a.target, t.slot, a.flapping_until AS "flappingUntil" FROM alert a
    LEFT JOIN alert_transition t ON t.alert_id = a.id AND t.slot > ${since}
      AND (t.kind = 'fired' OR (t.kind = 'resolved' AND a.resolve_reason = 'recovered'))
    WHERE a.rule_id = ${ruleId}::uuid AND (a.resolved_at IS NULL OR a.resolved_at > ${since} OR a.flapping_until IS NOT NULL)
    ORDER BY a.active_at`;
  const found = new Map<string, FlapMemory>();
  for (const { id, target, slot, flappingUntil } of rows) {
    const entry = found.get(target) ?? { changes: [], flappingUntil: null, alertId: id };
    entry.alertId = id;
    if (slot) entry.changes.push(slot.getTime());
    if (flappingUntil) entry.flappingUntil = Math.max(entry.flappingUntil ?? 0, flappingUntil.getTime());
    found.set(target, entry);
  }
  return found;
}

/** The target has been calm for long enough. Returns the last entry of the episode's history. */
export async function endFlapping(tx: Client, alertId: string): Promise<number> {
  const { ruleId, target, transitions } = await tx.alert.findUniqueOrThrow({
    where: { id: alertId },
    select: { ruleId: true, target: true, transitions: true },
  });
  await tx.alert.updateMany({ where: { ruleId, target, flappingUntil: { not: null } }, data: { flappingUntil: null } });
  return transitions;
}

/** Ends the open episodes of a rule that was paused or deleted. Returns those that had fired. */
export async function closeEpisodesOf(
  tx: Client,
  ruleId: string,
  reason: "rule_paused" | "rule_deleted",
  at: Date,
): Promise<{ id: string; seq: number }[]> {
  await tx.alert.deleteMany({ where: { ruleId, resolvedAt: null, firedAt: null, transitions: 0 } });
  const open = await tx.alert.findMany({
    where: { ruleId, resolvedAt: null },
    select: { id: true, transitions: true },
  });
  for (const { id, transitions } of open) {
    await tx.alert.update({
      where: { id },
      data: { status: "resolved", resolvedAt: at, resolveReason: reason, transitions: { increment: 1 } },
    });
    await tx.alertTransition.create({
      data: {
        alertId: id,
        seq: transitions + 1,
        kind: "resolved",
        at,
        note: reason === "rule_paused" ? "the rule was paused" : "the rule was deleted",
      },
    });
    await freezeCost(tx, id);
  }
  return open.map(({ id, transitions }) => ({ id, seq: transitions + 1 }));
}

const forPeople = {
  rule: true,
  resource: {
    include: { spans: { orderBy: { validFrom: "desc" }, take: 1 }, labels: { where: { validTo: null }, take: 1 } },
  },
  acknowledgedBy: { select: { name: true } },
  assignee: { select: { id: true, name: true } },
} as const;

const openOrSince = (resolvedSince: Date) => ({
  OR: [{ resolvedAt: null }, { resolvedAt: { gt: resolvedSince }, firedAt: { not: null } }],
});

export type FoundAlert = Awaited<ReturnType<typeof listAlerts>>[number];

/** Episodes that are open, and those that fired and ended since; open ones and severe ones first. */
export async function listAlerts(resolvedSince: Date, limit = 500) {
  return prisma.alert.findMany({
    where: openOrSince(resolvedSince),
    include: forPeople,
    orderBy: [{ resolvedAt: { sort: "desc", nulls: "first" } }, { severity: "desc" }, { activeAt: "desc" }],
    take: limit,
  });
}

/** The same, and how many were left out. */
export async function listAlertsCounted(
  resolvedSince: Date,
  limit = 500,
): Promise<{ alerts: FoundAlert[]; omitted: number }> {
  const alerts = await listAlerts(resolvedSince, limit);
  const all = alerts.length < limit ? alerts.length : await prisma.alert.count({ where: openOrSince(resolvedSince) });
  return { alerts, omitted: all - alerts.length };
}

/** The newest episodes of a rule that fired. */
export async function listAlertsOfRule(ruleId: string, limit = 20) {
  return prisma.alert.findMany({
    where: { ruleId, firedAt: { not: null } },
    orderBy: { activeAt: "desc" },
    take: limit,
  });
}

export type OpenStanding = Awaited<ReturnType<typeof listOpenStandings>>[number];

/** Of every open episode what says whether it needs somebody. */
export async function listOpenStandings() {
  return prisma.alert.findMany({
    where: { resolvedAt: null },
    select: {
      ruleId: true,
      status: true,
      severity: true,
      firedAt: true,
      resolvedAt: true,
      acknowledgedAt: true,
      reraiseAt: true,
    },
  });
}

export async function findAlert(id: string, tx: Client = prisma) {
  return tx.alert.findUnique({
    where: { id },
    include: {
      ...forPeople,
      gpu: true,
      history: { orderBy: { seq: "asc" } },
      outbox: {
        include: {
          channel: { select: { id: true, name: true, kind: true } },
          delivery: { select: { statusCode: true, error: true, rows: true } },
        },
        orderBy: { createdAt: "asc" },
      },
    },
  });
}

export async function listAlertsOfResource(resourceId: string, since: Date, until: Date) {
  return prisma.alert.findMany({
    where: { resourceId, firedAt: { not: null, lt: until }, OR: [{ resolvedAt: null }, { resolvedAt: { gt: since } }] },
    include: { rule: true },
    orderBy: { activeAt: "desc" },
    take: 200,
  });
}

export async function listAlertsOfTarget(ruleId: string, target: string, limit = 20) {
  return prisma.alert.findMany({
    where: { ruleId, target, firedAt: { not: null } },
    orderBy: { activeAt: "desc" },
    take: limit,
  });
}

export type PersonsAct = {
  kind: "acknowledged" | "unacknowledged" | "commented" | "escalated" | "assigned" | "snoozed" | "merged";
  at: Date;
  actorId: string | null;
  actor: string;
  note: string | null;
};

/**
 * Adds what a person did to the history of an episode that fired; a pending one has no history, and nothing is left of it
 * when it passes. False: the condition does not hold (any more), and nothing was written.
 */
export async function addAct(
  tx: Client,
  alertId: string,
  act: PersonsAct,
  change: {
    acknowledgedAt?: Date | null;
    acknowledgedById?: string | null;
    acknowledgeNote?: string | null;
    reraiseAt?: Date | null;
    assigneeId?: string | null;
    snoozedUntil?: Date | null;
    leadId?: string | null;
  },
  condition: "unacknowledged" | "acknowledged" | "open" | "assigned to another" | "snoozed" | "any",
): Promise<boolean> {
  const { count } = await tx.alert.updateMany({
    where: {
      id: alertId,
      firedAt: { not: null },
      ...(condition !== "any" && { resolvedAt: null }),
      ...(condition === "acknowledged" && { acknowledgedAt: { not: null } }),
      ...(condition === "unacknowledged" && { OR: [{ acknowledgedAt: null }, { reraiseAt: { lte: act.at } }] }),
      ...(condition === "snoozed" && { snoozedUntil: { gt: act.at } }),
      ...(condition === "assigned to another" &&
        (change.assigneeId
          ? { OR: [{ assigneeId: null }, { assigneeId: { not: change.assigneeId } }] }
          : { assigneeId: { not: null } })),
    },
    data: { ...change, transitions: { increment: 1 } },
  });
  if (count === 0) return false;
  const { transitions: seq } = await tx.alert.findUniqueOrThrow({
    where: { id: alertId },
    select: { transitions: true },
  });
  await tx.alertTransition.create({
    data: { alertId, seq, kind: act.kind, at: act.at, actorId: act.actorId, actor: act.actor, note: act.note },
  });
  return true;
}

/** Acknowledgements that have run out on alerts that still fire. */
export async function listReraisable(tx: Client, now: Date) {
  return tx.alert.findMany({
    where: { resolvedAt: null, firedAt: { not: null }, reraiseAt: { lte: now }, acknowledgedAt: { not: null } },
    include: { rule: true },
  });
}

export async function reraise(tx: Client, alertId: string, now: Date): Promise<number | null> {
  const { count } = await tx.alert.updateMany({
    where: { id: alertId, resolvedAt: null, reraiseAt: { lte: now }, acknowledgedAt: { not: null } },
    data: {
      acknowledgedAt: null,
      acknowledgedById: null,
      acknowledgeNote: null,
      reraiseAt: null,
      transitions: { increment: 1 },
    },
  });
  if (count === 0) return null;
  const { transitions: seq } = await tx.alert.findUniqueOrThrow({
    where: { id: alertId },
    select: { transitions: true },
  });
  await tx.alertTransition.create({
    data: { alertId, seq, kind: "reraised", at: now, slot: now, note: "the acknowledgement has run out" },
  });
  return seq;
}
