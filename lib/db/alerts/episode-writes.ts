import type { Client } from "@/lib/db/client";
import type { AlertState, ResolveReason, Severity, Transition } from "@/lib/domain/alerts/types";
import { freezeCost } from "./costs";
import { type AlertTarget, columnsOf, instant, type OpenAlert } from "./episodes";
import type { AlertRule } from "./rules";

/* What a slot makes of episodes: begun, carried on, changed, ended, dropped. */

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
