import type { z } from "zod";
import { listChannels } from "@/lib/db/alerts/channels";
import {
  type FoundAlert,
  findAlert,
  listAlertsCounted,
  listAlertsOfTarget,
  listOpenStandings,
} from "@/lib/db/alerts/episodes";
import { listRules } from "@/lib/db/alerts/rules";
import { listInstances } from "@/lib/db/fleet/read";
import { readSetting } from "@/lib/db/settings";
import { listLatest, readSeries } from "@/lib/db/telemetry/read";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { AlertId } from "@/lib/domain/alerts/acts";
import { evaluatorHealth } from "@/lib/domain/alerts/evaluator";
import { countAlerts, inboxPart } from "@/lib/domain/alerts/inbox";
import { isWanted } from "@/lib/domain/alerts/notify";
import { metricOf } from "@/lib/domain/alerts/rules";
import { filledRunbook } from "@/lib/domain/alerts/runbook";
import type { Severity } from "@/lib/domain/alerts/types";
import type { AlertAnswer, AlertCounts, AlertRow, InboxAnswer } from "@/lib/domain/alerts/view";
import { burnedMicros } from "@/lib/domain/cost/burn";
import { dayOf } from "@/lib/domain/cost/zone";
import { isMetric, type Metric } from "@/lib/domain/telemetry/catalogue";
import { resolveRange } from "@/lib/domain/telemetry/series";
import { AppError } from "@/lib/errors";
import { readFreshness } from "@/lib/services/fleet/freshness";
import { instanceRows } from "@/lib/services/fleet/instances";
import { burnOfAlert, happeningsAround, incidentOf, keptBack } from "./around";
import { judgedOf } from "./rule-reads";
import { silencesNow } from "./silenced";
import { standing } from "./standing";

export function alertRow(alert: FoundAlert, now: number, silence: AlertRow["silence"] = null): AlertRow {
  const at = (date: Date | null) => date?.getTime() ?? null;
  const span = alert.resource?.spans[0];
  const isOpen = alert.resolvedAt === null;
  const bills =
    span !== undefined &&
    alert.resource?.goneAt === null &&
    (span.status === "active" || span.status === "unhealthy" || span.status === "unknown");
  const metric = metricOf(alert.rule.kind, alert.rule.metric);
  const price = span?.priceMicros ?? null;
  return {
    id: alert.id,
    part: inboxPart(standing(alert), now),
    status: alert.status,
    ruleId: alert.ruleId,
    ruleName: alert.rule.name,
    kind: alert.rule.kind,
    metric: alert.rule.metric,
    comparison: alert.rule.comparison,
    threshold: alert.rule.threshold,
    forMs: alert.rule.forMs,
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
    assignee: alert.assignee,
    snoozedUntil:
      isOpen && alert.snoozedUntil !== null && alert.snoozedUntil.getTime() > now ? at(alert.snoozedUntil) : null,
    silence,
    leadId: alert.leadId,
    microsPerHour: isOpen && bills ? (price?.toString() ?? null) : null,
    priceMicros: price?.toString() ?? null,
    spentMicros:
      (alert.costMicros ?? burnedMicros(price, at(alert.firedAt), at(alert.resolvedAt) ?? now))?.toString() ?? null,
    isFlapping: alert.flappingUntil !== null && alert.flappingUntil.getTime() > now,
  };
}

/** For the frame of every page: how much needs somebody. */
export async function readAlertCounts(ctx: Ctx): Promise<AlertCounts> {
  authorize(ctx, "fleet:read");
  const open = await listOpenStandings();
  return countAlerts(
    open.map((alert) => ({ ...standing(alert), severity: alert.severity })),
    ctx.now.getTime(),
  );
}

const RESOLVED_SHOWN_MS = 24 * 3_600_000;

/** Every open alert, and those that ended within a day; and whether what they say may be believed. */
export async function readInbox(ctx: Ctx): Promise<InboxAnswer> {
  authorize(ctx, "fleet:read");
  const now = ctx.now.getTime();
  const [{ alerts, omitted }, rules, freshness, silences] = await Promise.all([
    listAlertsCounted(new Date(now - RESOLVED_SHOWN_MS)),
    listRules(),
    readFreshness(ctx.now),
    silencesNow(ctx.now),
  ]);
  return {
    now,
    rows: alerts.map((alert) => alertRow(alert, now, silences.get(alert.id))).sort(byUrgency),
    omitted,
    evaluator: evaluatorHealth(rules.map(judgedOf), now),
    inventoryStaleSince: freshness.staleSince,
  };
}

const RANK: Record<Severity, number> = { critical: 0, warning: 1, info: 2 };

function byUrgency(a: AlertRow, b: AlertRow): number {
  return (
    RANK[a.severity] - RANK[b.severity] ||
    Number(b.microsPerHour ?? 0) - Number(a.microsPerHour ?? 0) ||
    a.activeAt - b.activeAt
  );
}

const AROUND_MS = 60 * 60_000;
const MOST_POINTS = 300;

/** One alert: what, since when, how sure, what it costs, what to do, what happened. */
export async function readAlert(ctx: Ctx, { alertId }: z.output<typeof AlertId>): Promise<AlertAnswer> {
  authorize(ctx, "fleet:read");
  const alert = await findAlert(alertId);
  if (!alert) throw new AppError("not-found", "There is no such alert.");
  const now = ctx.now.getTime();
  const { zone } = await readSetting("accounting");
  const [[instance], series, earlier, channels] = await Promise.all([
    alert.resourceId ? instanceRows(await listInstances(dayOf(now, zone), { ids: [alert.resourceId] }), ctx.now) : [],
    seriesAround(alert, now),
    listAlertsOfTarget(alert.ruleId, alert.target),
    listChannels(),
  ]);
  const window = {
    from: alert.activeAt.getTime() - AROUND_MS,
    to: Math.min(now, (alert.resolvedAt?.getTime() ?? now) + AROUND_MS / 2),
  };
  const [burn, kept, happenings, incident] = await Promise.all([
    burnOfAlert(alert, zone, now),
    keptBack(alert, ctx),
    happeningsAround(ctx, alert, instance ?? null, window),
    incidentOf(alert, now),
  ]);
  const { clearThreshold, reason, action, version } = alert.rule;
  const address = instance?.ip ?? null;
  return {
    now,
    row: alertRow(alert, now, kept.silence && { until: kept.silence.endsAt, reason: kept.silence.reason }),
    burn,
    kept,
    happenings,
    incident,
    ssh: address === null || instance?.isGone ? null : `ssh ubuntu@${address}`,
    rule: {
      clearThreshold,
      reason,
      action,
      runbook: filledRunbook(alert.rule.runbook, {
        instance: instance?.name ?? (alert.resourceId === null ? null : alert.targetName),
        address,
        gpu: alert.gpu?.position.toString() ?? null,
        uuid: alert.gpu?.uuid ?? null,
        team: instance?.labels.team ?? null,
      }),
      version,
      isCurrent: version === alert.ruleVersion,
      isDeleted: alert.rule.deletedAt !== null,
    },
    instance: instance ?? null,
    gpu: alert.gpu && { position: alert.gpu.position, model: alert.gpu.model, uuid: alert.gpu.uuid },
    channels: channels.filter((channel) => channel.enabled && isWanted(channel, "fired", alert.severity)).length,
    peakValue: alert.peakValue,
    series,
    history: alert.history.map(({ seq, kind, at, value, note, actor }) => ({
      seq,
      kind,
      at: at.getTime(),
      value,
      note,
      actor,
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
      statusCode: item.delivery?.statusCode ?? null,
      error: item.delivery?.error ?? null,
    })),
    earlier: earlier
      .filter((one) => one.id !== alert.id)
      .map((one) => ({
        id: one.id,
        firedAt: (one.firedAt ?? one.activeAt).getTime(),
        resolvedAt: one.resolvedAt?.getTime() ?? null,
        reason: one.resolveReason,
      })),
  };
}

/** What a figure of a rule is made of, where it is no series itself. */
const MADE_OF: Readonly<Record<string, Metric>> = {
  slowdownMarginC: "temperatureC",
  thermalThrottled: "temperatureC",
  hardwareThrottled: "smClockMhz",
  powerCapped: "powerW",
  powerOfLimitPct: "powerW",
};

/** What was measured around the episode: on its GPU, or on all of its machine where the rule looks at no series. */
async function seriesAround(
  alert: NonNullable<Awaited<ReturnType<typeof findAlert>>>,
  now: number,
): Promise<AlertAnswer["series"]> {
  if (alert.resourceId === null) return null;
  const own = alert.rule.metric;
  const isJudged = alert.gpuId !== null && isMetric(own);
  const metric = isJudged ? own : (MADE_OF[own] ?? "utilizationPct");
  const gpuIds =
    alert.gpuId !== null ? [alert.gpuId] : (await listLatest([alert.resourceId])).map(({ gpuId }) => gpuId);
  const from = alert.activeAt.getTime() - AROUND_MS;
  const to = Math.min(now, (alert.resolvedAt?.getTime() ?? now) + AROUND_MS / 2);
  const range = resolveRange(from, to, MOST_POINTS);
  const { at, mean, min, max } = await readSeries(gpuIds, metric, range);
  return { metric, isJudged, ...range, at, mean, min, max };
}
