import { listAlertsOfResource } from "@/lib/db/alerts/episodes";
import { listRules } from "@/lib/db/alerts/rules";
import { ledgerOf } from "@/lib/db/cost/ledger";
import {
  type InstanceFacts,
  listEventsOf,
  listFilesystems,
  listInstances,
  listLabels,
  listSpans,
} from "@/lib/db/fleet/read";
import { listIntents } from "@/lib/db/intents";
import { readSetting } from "@/lib/db/settings";
import { type LatestRow, listLatest, listProcesses, type ProcessSpan } from "@/lib/db/telemetry/read";
import { authorize, type Ctx } from "@/lib/domain/access";
import { isUpward } from "@/lib/domain/alerts/condition";
import { selects } from "@/lib/domain/alerts/rules";
import { sum } from "@/lib/domain/cost/money";
import { dayOf } from "@/lib/domain/cost/zone";
import type { GpuNow, InstanceAnswer, InstancePageQuestion, Lifeline } from "@/lib/domain/fleet/view";
import { windowOf } from "@/lib/domain/fleet/window";
import { groupBy } from "@/lib/domain/group";
import { METRICS } from "@/lib/domain/telemetry/catalogue";
import { nominalGb } from "@/lib/domain/telemetry/models";
import { decodeMissing, MISSING_LABELS } from "@/lib/domain/telemetry/sample";
import { throttleReasons } from "@/lib/domain/telemetry/throttle";
import { AppError } from "@/lib/errors";
import { readFreshness } from "./freshness";
import { instanceRows } from "./instances";

/** Everything about one machine, for its page. */
export async function readInstance(ctx: Ctx, question: InstancePageQuestion): Promise<InstanceAnswer> {
  authorize(ctx, "fleet:read");
  const { instanceId } = question;
  const { zone } = await readSetting("accounting");
  const today = dayOf(ctx.now.getTime(), zone);
  const [facts] = await listInstances(today, { ids: [instanceId] });
  if (!facts) throw new AppError("not-found", "There is no such machine, or it was never seen here.");
  const window = windowOf(question, ctx.now.getTime());
  const [[row], freshness, gpus, spans, labels, ledger, rules] = await Promise.all([
    instanceRows([facts], ctx.now),
    readFreshness(ctx.now),
    readGpus(instanceId),
    listSpans(instanceId),
    listLabels(instanceId),
    ledgerOf(instanceId),
    listRules(),
  ]);
  if (!row) throw new AppError("not-found", "There is no such machine.");
  const [alerts, events, intents, filesystems] = await Promise.all([
    listAlertsOfResource(instanceId, new Date(window.from), new Date(window.to)),
    listEventsOf(instanceId),
    listIntents({ since: facts.firstSeenAt, limit: 200 }),
    listFilesystems(),
  ]);
  const attached = names(facts.attrs.fileSystemNames);
  const days = groupBy(ledger, (line) => line.day.toISOString().slice(0, 10));
  return {
    now: ctx.now.getTime(),
    row,
    freshness,
    gpus,
    lifeline: lifelineOf(facts, window, spans, alerts, events, intents),
    thresholds: rules
      .filter((rule) => rule.enabled && rule.kind === "gpu_metric" && selects(rule.selector, targetOf(facts)))
      .map((rule) => ({
        metric: rule.metric,
        value: rule.threshold,
        label: `${rule.severity === "critical" ? "critical" : "alert"} ${isUpward(rule.comparison) ? "above" : "below"} ${rule.threshold}`,
        severity: rule.severity,
      })),
    cost: {
      totalMicros: sum(ledger.map((line) => line.micros ?? 0n)).toString(),
      unknownRows: ledger.filter((line) => line.micros === null).length,
      lowMicros: sum(ledger.map((line) => line.lowMicros ?? 0n)).toString(),
      highMicros: sum(ledger.map((line) => line.highMicros ?? 0n)).toString(),
      todayMicros: row.todayMicros,
      days: [...days].map(([day, lines]) => ({
        day,
        micros: lines.every((line) => line.micros === null)
          ? null
          : sum(lines.map((line) => line.micros ?? 0n)).toString(),
        minutes: lines.reduce((total, line) => total + line.minutes, 0),
      })),
      from: ledger[0]?.startsAt.getTime() ?? null,
      to: ledger.at(-1)?.endsAt.getTime() ?? null,
      evidence: facts.billEvidence,
      isFlagged: ledger.some((line) => line.isFlagged),
    },
    openAlerts: alerts
      .filter((alert) => !alert.resolvedAt)
      .map((alert) => ({
        id: alert.id,
        name: alert.rule.name,
        severity: alert.severity,
        since: (alert.firedAt ?? alert.activeAt).getTime(),
        isAcknowledged: alert.acknowledgedAt !== null,
      })),
    filesystems: attached.map((name) => ({
      name,
      bytesUsed:
        filesystems.find((fs) => fs.name === name && fs.region === facts.region)?.bytesUsed?.toString() ?? null,
    })),
    labelHistory: labels.map(({ validFrom, validTo, by, team, project, environment, costCenter, owner, workload }) => ({
      from: validFrom.getTime(),
      to: validTo?.getTime() ?? null,
      by: by?.name ?? "Lambda tags",
      team,
      project,
      environment,
      costCenter,
      owner,
      workload,
    })),
    tags: facts.tags,
    sshKeyNames: names(facts.attrs.sshKeyNames),
    privateIp: facts.privateIp,
    nominalMemoryGb: gpus[0] ? nominalGb(gpus[0].model, gpus[0].memoryTotalMib) : null,
  };
}

export async function readGpus(instanceId: string): Promise<GpuNow[]> {
  return (await readGpusOf([instanceId])).get(instanceId) ?? [];
}

/** GPUs as they are known now, by machine. */
export async function readGpusOf(instanceIds: string[]): Promise<Map<string, GpuNow[]>> {
  const latest = await listLatest(instanceIds);
  const processes = await listProcesses(latest.map((gpu) => gpu.gpuId));
  const gpus = latest.map((gpu) => gpuNow(gpu, processes));
  return groupPairs(latest.map((gpu, i) => [gpu.resourceId ?? "", gpus[i]] as const));
}

function groupPairs(pairs: readonly (readonly [string, GpuNow | undefined])[]): Map<string, GpuNow[]> {
  const groups = new Map<string, GpuNow[]>();
  for (const [id, gpu] of pairs) if (gpu) groups.set(id, [...(groups.get(id) ?? []), gpu]);
  return groups;
}

function gpuNow(gpu: LatestRow, processes: readonly ProcessSpan[]): GpuNow {
  const held = processes.find((span) => span.gpuId === gpu.gpuId);
  const { utilizationPct, memoryUsedMib, temperatureC, memoryTemperatureC, powerW, smClockMhz } = gpu.values;
  const slowdown = gpu.attrs.slowdownTemperatureC;
  return {
    id: gpu.gpuId,
    position: gpu.position,
    uuid: gpu.uuid,
    mig: gpu.mig,
    model: gpu.model,
    driverVersion: gpu.driverVersion,
    at: gpu.at?.getTime() ?? null,
    utilizationPct,
    memoryUsedMib,
    memoryTotalMib: gpu.memoryMib,
    temperatureC,
    memoryTemperatureC,
    powerW,
    powerLimitW: gpu.powerLimitW,
    smClockMhz,
    throttle:
      gpu.throttleReasons === null
        ? []
        : throttleReasons(gpu.throttleReasons)
            .filter((reason) => reason.isProblem)
            .map((reason) => reason.label),
    eccUncorrected: gpu.eccUncorrected,
    slowdownTemperatureC: typeof slowdown === "number" ? slowdown : null,
    missing: Object.fromEntries(
      Object.entries(decodeMissing(gpu.missing)).map(([metric, reason]) => [
        metric,
        `${METRICS[metric as keyof typeof METRICS].label}: ${MISSING_LABELS[reason]}`,
      ]),
    ),
    processes: held?.processes.map((process) => ({ ...process, user: process.user ?? null })) ?? null,
    processesAt: held?.lastSeenAt.getTime() ?? null,
  };
}

type Window = { from: number; to: number };

function lifelineOf(
  facts: InstanceFacts,
  { from, to }: Window,
  spans: Awaited<ReturnType<typeof listSpans>>,
  alerts: Awaited<ReturnType<typeof listAlertsOfResource>>,
  events: Awaited<ReturnType<typeof listEventsOf>>,
  intents: Awaited<ReturnType<typeof listIntents>>,
): Lifeline {
  const isInside = (at: number) => at >= from && at <= to;
  const cut = <T extends { from: number; to: number }>(rows: T[]) =>
    rows
      .filter((row) => row.to > from && row.from < to)
      .map((row) => ({ ...row, from: Math.max(from, row.from), to: Math.min(to, row.to) }));
  const until = (at: Date | null) => at?.getTime() ?? facts.goneAt?.getTime() ?? to;
  const own = intents.filter((intent) => intent.targetId === facts.id || intent.id === facts.launchIntentId);
  return {
    from,
    to,
    states: cut(
      joined(
        spans.map((span) => ({ status: span.status, from: span.validFrom.getTime(), to: until(span.validTo) })),
        (a, b) => a.status === b.status,
      ),
    ),
    prices: cut(
      joined(
        spans.map((span) => ({
          micros: span.priceMicros?.toString() ?? null,
          from: span.validFrom.getTime(),
          to: until(span.validTo),
        })),
        (a, b) => a.micros === b.micros,
      ),
    ),
    alerts: cut(
      alerts.map((alert) => ({
        id: alert.id,
        name: alert.rule.name,
        severity: alert.severity,
        metric: alert.rule.metric,
        from: (alert.firedAt ?? alert.activeAt).getTime(),
        to: alert.resolvedAt?.getTime() ?? to,
      })),
    ),
    marks: [
      ...events.map((event) => ({ at: event.at.getTime(), text: event.action, by: event.actor ?? event.apiKey })),
      ...own.map((intent) => ({
        at: (intent.sentAt ?? intent.createdAt).getTime(),
        text: `${intent.kind} asked for`,
        by: intent.requestedBy,
      })),
    ]
      .filter((mark) => isInside(mark.at))
      .sort((a, b) => a.at - b.at),
  };
}

function joined<T extends { from: number; to: number }>(rows: T[], isSame: (a: T, b: T) => boolean): T[] {
  const result: T[] = [];
  for (const row of rows) {
    const last = result.at(-1);
    if (last && isSame(last, row)) last.to = row.to;
    else result.push({ ...row });
  }
  return result;
}

function targetOf(facts: InstanceFacts) {
  return {
    workload: facts.workload,
    team: facts.team,
    type: facts.typeName,
    instance: facts.name,
    region: facts.region,
  };
}

function names(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === "string") : [];
}
