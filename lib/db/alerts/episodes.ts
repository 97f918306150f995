import { type Client, prisma } from "@/lib/db/client";
import type { AlertState, ResolveReason, Severity, Transition } from "@/lib/domain/alerts/types";
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

const instant = (at: number | null) => (at === null ? null : new Date(at));

function columnsOf(state: AlertState) {
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

export type SaveEpisode = {
  rule: AlertRule;
  target: AlertTarget;
  open: OpenAlert | null;
  state: AlertState;
  /** Null: the episode goes on. */
  end: { reason: ResolveReason; at: number } | null;
  transitions: readonly Transition[];
  flappingUntil: number | null;
};

/** Writes what a slot made of an episode. What has not fired leaves no history; with its fire, its pending time is told too. */
export async function saveEpisode(
  tx: Client,
  { rule, target, open, state, end, transitions, flappingUntil }: SaveEpisode,
): Promise<{ alertId: string; seqOf: Map<string, number> }> {
  const columns = {
    ...columnsOf(state),
    flappingUntil: instant(flappingUntil),
    ...(end && { status: "resolved" as const, resolvedAt: new Date(end.at), resolveReason: end.reason }),
  };
  const severity: Severity = state.isEscalated ? "critical" : rule.severity;
  const alert = open
    ? await tx.alert.update({
        where: { id: open.id },
        data: { ...columns, ...(state.isEscalated && { severity }) },
        select: { id: true, transitions: true },
      })
    : await tx.alert.create({
        data: {
          ruleId: rule.id,
          target: target.key,
          targetName: target.name,
          resourceId: target.resourceId,
          gpuId: target.gpuId,
          severity,
          labels: rule.labels,
          ...columns,
        },
        select: { id: true, transitions: true },
      });
  const told = state.firedAt === null ? [] : withPending(transitions, state, alert.transitions);
  const seqOf = new Map<string, number>();
  for (const [i, transition] of told.entries()) seqOf.set(transition.kind, alert.transitions + i + 1);
  if (told.length > 0) {
    await tx.alertTransition.createMany({
      data: told.map(({ kind, slot, value, note }, i) => ({
        alertId: alert.id,
        seq: alert.transitions + i + 1,
        kind,
        at: new Date(slot),
        slot: new Date(slot),
        value,
        note,
      })),
    });
    await tx.alert.update({ where: { id: alert.id }, data: { transitions: { increment: told.length } } });
  }
  if (end && state.firedAt !== null) await freezeCost(tx, alert.id);
  return { alertId: alert.id, seqOf };
}

/** An episode that has begun and not fired: it has no history yet. */
export type Begun = Pick<SaveEpisode, "target" | "state" | "flappingUntil"> & { id: string };

/** Writes episodes that begin, in one statement. */
export async function beginEpisodes(tx: Client, rule: AlertRule, begun: readonly Begun[]): Promise<void> {
  if (begun.length === 0) return;
  const rows = begun.map(({ target, ...one }) => ({ ...carriedRow(one), ...target }));
  await tx.$executeRaw`
    INSERT INTO alert (id, rule_id, labels, target, target_name, resource_id, gpu_id, severity, status, rule_version, active_at,
      fired_at, keep_since, unknown_since, last_slot, first_value, last_value, peak_value, flapping_until)
    SELECT id, ${rule.id}::uuid, ${JSON.stringify(rule.labels)}::jsonb, "key", name, "resourceId", "gpuId",
      CASE WHEN "isEscalated" THEN 'critical' ELSE ${rule.severity}::severity END, status::alert_status, "ruleVersion", "activeAt",
      "firedAt", "keepSince", "unknownSince", "lastSlot", "firstValue", "lastValue", "peakValue", "flappingUntil"
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS k (id uuid, "key" text, name text, "resourceId" uuid, "gpuId" int,
      status text, "ruleVersion" int, "activeAt" timestamptz, "firedAt" timestamptz, "keepSince" timestamptz,
      "unknownSince" timestamptz, "lastSlot" timestamptz, "firstValue" float8, "lastValue" float8, "peakValue" float8,
      "flappingUntil" timestamptz, "isEscalated" boolean)`;
}

/** An episode that goes on: nothing is added to its history. */
export type Carried = Pick<SaveEpisode, "state" | "flappingUntil"> & { id: string };

function carriedRow({ id, state, flappingUntil }: Carried) {
  return { id, ...columnsOf(state), flappingUntil: instant(flappingUntil), isEscalated: state.isEscalated };
}

/** Writes what a slot made of episodes that go on, in one statement: when a whole fleet fires there are thousands. */
export async function carryEpisodes(tx: Client, carried: readonly Carried[]): Promise<void> {
  if (carried.length === 0) return;
  const rows = carried.map(carriedRow);
  await tx.$executeRaw`
    UPDATE alert a SET status = k.status::alert_status, rule_version = k."ruleVersion", active_at = k."activeAt", fired_at = k."firedAt",
      keep_since = k."keepSince", unknown_since = k."unknownSince", last_slot = k."lastSlot", first_value = k."firstValue",
      last_value = k."lastValue", peak_value = k."peakValue", flapping_until = k."flappingUntil",
      severity = CASE WHEN k."isEscalated" THEN 'critical' ELSE a.severity END
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS k (id uuid, status text, "ruleVersion" int, "activeAt" timestamptz,
      "firedAt" timestamptz, "keepSince" timestamptz, "unknownSince" timestamptz, "lastSlot" timestamptz, "firstValue" float8,
      "lastValue" float8, "peakValue" float8, "flappingUntil" timestamptz, "isEscalated" boolean)
    WHERE a.id = k.id`;
}

function withPending(transitions: readonly Transition[], state: AlertState, before: number): Transition[] {
  const kept = transitions.filter(({ kind }) => kind !== "pending");
  const isFirst =
    before === 0 &&
    kept.some(({ kind }) => kind === "fired") &&
    state.firedAt !== null &&
    state.firedAt > state.activeAt;
  if (!isFirst) return [...kept];
  return [{ kind: "pending", slot: state.activeAt, value: state.firstValue, note: "the condition is true" }, ...kept];
}

/** A pending spell that passed: nothing is left of it. */
export async function dropPending(tx: Client, alertId: string): Promise<void> {
  await tx.alert.deleteMany({ where: { id: alertId, firedAt: null, transitions: 0 } });
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
