import type { z } from "zod";
import { findAlert, listAlerts, listAlertsOfTarget } from "@/lib/db/alerts/episodes";
import { listInstances } from "@/lib/db/fleet/read";
import { readSetting } from "@/lib/db/settings";
import { readSeries } from "@/lib/db/telemetry/read";
import { authorize, type Ctx } from "@/lib/domain/access";
import { isAcknowledged } from "@/lib/domain/alerts/acknowledgement";
import type { AlertId } from "@/lib/domain/alerts/acts";
import { metricOf } from "@/lib/domain/alerts/rules";
import type { Severity } from "@/lib/domain/alerts/types";
import type { AlertAnswer, AlertRow, InboxAnswer, InboxPart } from "@/lib/domain/alerts/view";
import { burnedMicros } from "@/lib/domain/cost/burn";
import { dayOf } from "@/lib/domain/cost/zone";
import { isMetric } from "@/lib/domain/telemetry/catalogue";
import { resolveRange } from "@/lib/domain/telemetry/series";
import { AppError } from "@/lib/errors";
import { instanceRows } from "@/lib/services/fleet/instances";

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
