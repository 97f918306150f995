import type { z } from "zod";
import { findAlert, listAlerts, listAlertsOfTarget } from "@/lib/db/alerts/episodes";
import { listInstances } from "@/lib/db/fleet/read";
import { readSetting } from "@/lib/db/settings";
import { readSeries } from "@/lib/db/telemetry/read";
import { authorize, type Ctx } from "@/lib/domain/access";
import { isAcknowledged } from "@/lib/domain/alerts/acknowledgement";
import type { AlertId } from "@/lib/domain/alerts/acts";
import { metricOf } from "@/lib/domain/alerts/rules";
import type { Comparison, ResolveReason, Severity } from "@/lib/domain/alerts/types";
import { burnedMicros } from "@/lib/domain/cost/burn";
import { dayOf } from "@/lib/domain/cost/zone";
import type { InstanceRow } from "@/lib/domain/fleet/view";
import { isMetric, type Metric } from "@/lib/domain/telemetry/catalogue";
import { resolveRange } from "@/lib/domain/telemetry/series";
import { AppError } from "@/lib/errors";
import { instanceRows } from "@/lib/services/fleet/instances";

export type InboxPart = "firing" | "acknowledged" | "unknown" | "pending" | "resolved";

export type AlertRow = {
  id: string;
  part: InboxPart;
  status: string;
  ruleId: string;
  ruleName: string;
  severity: Severity;
  targetName: string;
  resourceId: string | null;
  team: string;
  activeAt: number;
  firedAt: number | null;
  resolvedAt: number | null;
  resolveReason: ResolveReason | null;
  unknownSince: number | null;
  /** When a pending alert fires if nothing changes. */
  firesAt: number | null;
  value: number | null;
  unit: string;
  metricLabel: string;
  acknowledgedBy: string | null;
  acknowledgedAt: number | null;
  acknowledgeNote: string | null;
  reraiseAt: number | null;
  /** What the machine costs per hour while this goes on; null: no machine, no price, or no longer billed. */
  microsPerHour: string | null;
  spentMicros: string | null;
  isFlapping: boolean;
};

type Found = Awaited<ReturnType<typeof listAlerts>>[number];

export function alertRow(alert: Found, now: number): AlertRow {
  const at = (date: Date | null) => date?.getTime() ?? null;
  const span = alert.resource?.spans[0];
  const isOpen = alert.resolvedAt === null;
  const bills =
    span !== undefined && (span.status === "active" || span.status === "unhealthy" || span.status === "unknown");
  const metric = metricOf(alert.rule.kind, alert.rule.metric);
  const price = span?.priceMicros ?? null;
  return {
    id: alert.id,
    part: partOf(alert, now),
    status: alert.status,
    ruleId: alert.ruleId,
    ruleName: alert.rule.name,
    severity: alert.severity,
    targetName: alert.targetName,
    resourceId: alert.resourceId,
    team: alert.resource?.labels[0]?.team ?? "",
    activeAt: alert.activeAt.getTime(),
    firedAt: at(alert.firedAt),
    resolvedAt: at(alert.resolvedAt),
    resolveReason: alert.resolveReason,
    unknownSince: at(alert.unknownSince),
    firesAt: alert.status === "pending" ? alert.activeAt.getTime() + alert.rule.forMs : null,
    value: alert.lastValue,
    unit: metric?.unit ?? "",
    metricLabel: metric?.label ?? alert.rule.metric,
    acknowledgedBy: alert.acknowledgedBy?.name ?? null,
    acknowledgedAt: at(alert.acknowledgedAt),
    acknowledgeNote: alert.acknowledgeNote,
    reraiseAt: at(alert.reraiseAt),
    microsPerHour: isOpen && bills ? (price?.toString() ?? null) : null,
    spentMicros: burnedMicros(price, at(alert.firedAt), at(alert.resolvedAt) ?? now)?.toString() ?? null,
    isFlapping: alert.flappingUntil !== null && alert.flappingUntil.getTime() > now,
  };
}

/** Acknowledgement belongs to the episode: it moves it out of what needs somebody, whatever the state (decisions: Alert states). */
function partOf(alert: Found, now: number): InboxPart {
  if (alert.resolvedAt !== null) return "resolved";
  const acknowledgement = {
    acknowledgedAt: alert.acknowledgedAt?.getTime() ?? null,
    reraiseAt: alert.reraiseAt?.getTime() ?? null,
  };
  if (alert.firedAt !== null && isAcknowledged(acknowledgement, now)) return "acknowledged";
  if (alert.status === "unknown") return "unknown";
  return alert.status === "pending" ? "pending" : "firing";
}

export type InboxAnswer = { now: number; rows: AlertRow[] };

const RESOLVED_SHOWN_MS = 24 * 3_600_000;

/** Every open alert, and those that ended within a day. */
export async function readInbox(ctx: Ctx): Promise<InboxAnswer> {
  authorize(ctx, "fleet:read");
  const now = ctx.now.getTime();
  const alerts = await listAlerts(new Date(now - RESOLVED_SHOWN_MS));
  const severity: Record<Severity, number> = { critical: 0, warning: 1, info: 2 };
  const rows = alerts
    .map((alert) => alertRow(alert, now))
    .sort(
      (a, b) =>
        severity[a.severity] - severity[b.severity] ||
        Number(b.microsPerHour ?? 0) - Number(a.microsPerHour ?? 0) ||
        a.activeAt - b.activeAt,
    );
  return { now, rows };
}

export type AlertAnswer = {
  now: number;
  row: AlertRow;
  rule: {
    id: string;
    name: string;
    comparison: Comparison;
    threshold: number;
    clearThreshold: number | null;
    forMs: number;
    reason: string;
    action: string;
    version: number;
    isCurrent: boolean;
  };
  instance: InstanceRow | null;
  peakValue: number | null;
  /** The metric around the alert; null where it is not a series. */
  series: {
    metric: Metric;
    from: number;
    to: number;
    stepMs: number;
    at: number[];
    mean: (number | null)[];
    min: (number | null)[];
    max: (number | null)[];
  } | null;
  history: { seq: number; kind: string; at: number; value: number | null; note: string | null; actor: string | null }[];
  deliveries: {
    id: string;
    channel: string;
    kind: string;
    channelKind: string;
    state: string;
    attempts: number;
    at: number;
    nextAt: number | null;
    error: string | null;
  }[];
  earlier: { id: string; firedAt: number; resolvedAt: number | null; reason: string | null }[];
  spentSinceAckMicros: string | null;
};

const AROUND_MS = 60 * 60_000;
const MOST_POINTS = 300;

/** One alert: what, since when, how sure, what it costs, what to do, what happened. */
export async function readAlert(ctx: Ctx, { alertId }: z.output<typeof AlertId>): Promise<AlertAnswer> {
  authorize(ctx, "fleet:read");
  const alert = await findAlert(alertId);
  if (!alert) throw new AppError("not-found", "There is no such alert.");
  const now = ctx.now.getTime();
  const row = alertRow(alert, now);
  const { zone } = await readSetting("accounting");
  const [[instance], series, earlier] = await Promise.all([
    alert.resourceId ? instanceRows(await listInstances(dayOf(now, zone), { ids: [alert.resourceId] }), ctx.now) : [],
    seriesAround(alert, now),
    listAlertsOfTarget(alert.ruleId, alert.target),
  ]);
  const { comparison, threshold, clearThreshold, forMs, reason, action, name, id, version } = alert.rule;
  const ackAt = alert.acknowledgedAt?.getTime() ?? null;
  return {
    now,
    row,
    rule: {
      id,
      name,
      comparison,
      threshold,
      clearThreshold,
      forMs,
      reason,
      action,
      version,
      isCurrent: version === alert.ruleVersion,
    },
    instance: instance ?? null,
    peakValue: alert.peakValue,
    series,
    history: alert.history.map((entry) => ({
      seq: entry.seq,
      kind: entry.kind,
      at: entry.at.getTime(),
      value: entry.value,
      note: entry.note,
      actor: entry.actor,
    })),
    deliveries: alert.outbox.map((item) => ({
      id: item.id,
      channel: item.channel.name,
      channelKind: item.channel.kind,
      kind: item.kind,
      state: item.state,
      attempts: item.attempts,
      at: (item.doneAt ?? item.createdAt).getTime(),
      nextAt: item.state === "queued" ? item.nextAt.getTime() : null,
      error: item.deliveries[0]?.error ?? null,
    })),
    earlier: earlier
      .filter((one) => one.id !== alert.id)
      .map((one) => ({
        id: one.id,
        firedAt: (one.firedAt ?? one.activeAt).getTime(),
        resolvedAt: one.resolvedAt?.getTime() ?? null,
        reason: one.resolveReason,
      })),
    spentSinceAckMicros:
      ackAt === null
        ? null
        : (burnedMicros(
            row.microsPerHour === null ? null : BigInt(row.microsPerHour),
            ackAt,
            row.resolvedAt ?? now,
          )?.toString() ?? null),
  };
}

async function seriesAround(
  alert: NonNullable<Awaited<ReturnType<typeof findAlert>>>,
  now: number,
): Promise<AlertAnswer["series"]> {
  const metric = alert.rule.metric === "effectiveUtilizationPct" ? "utilizationPct" : alert.rule.metric;
  if (alert.gpuId === null || !isMetric(metric)) return null;
  const from = alert.activeAt.getTime() - AROUND_MS;
  const to = Math.min(now, (alert.resolvedAt?.getTime() ?? now) + AROUND_MS / 2);
  const range = resolveRange(from, to, MOST_POINTS);
  const { at, mean, min, max } = await readSeries([alert.gpuId], metric, range);
  return { metric, ...range, at, mean, min, max };
}
