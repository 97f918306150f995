import type { AlertTarget } from "@/lib/db/alerts/episodes";
import type { Machine } from "@/lib/db/alerts/readings";
import type { AlertRule } from "@/lib/db/alerts/rules";
import {
  listOpenRuns,
  listSeriesGroups,
  readNamedSeries,
  type SeriesGroup,
  sumAvailability,
  sumLatency,
  sumTasks,
} from "@/lib/db/alerts/workload";
import { aggregateWindow } from "@/lib/db/workload/aggregate";
import { numberParam, paramOf } from "@/lib/domain/alerts/rule-metrics";
import { type SelectorTarget, selects } from "@/lib/domain/alerts/rules";
import { isNarrow } from "@/lib/domain/alerts/selector";
import { PRODUCT_SEMANTICS, readingAt } from "@/lib/domain/alerts/semantics";
import { budgetLeftPct, withinLimit } from "@/lib/domain/alerts/slo";
import type { Reading, Semantics } from "@/lib/domain/alerts/types";
import { dayOf } from "@/lib/domain/cost/zone";
import { outcomeOf } from "@/lib/domain/workload/catalogue";
import { readBound } from "@/lib/domain/workload/histogram";
import { summarise, type WorkloadSummary } from "@/lib/domain/workload/summary";
import type { Evidence } from "./evidence";
import { asTarget, type Judged, overOf, plain } from "./readings";

const MINUTE = 60_000;
const DAY_MS = 24 * 60 * MINUTE;
/** Services say how often they are asked, not how often they will say it: as long as Prometheus looks back. */
const SERIES_LOOKBACK_MS = 5 * MINUTE;
const GROUPS_AT_MOST = 300;

/** Rules about runs and services: how long they take, what they say of themselves, what is left of their error budgets. */
export async function workloadTargets(rule: AlertRule, evidence: Evidence): Promise<Judged[]> {
  if (rule.metric === "series") return seriesTargets(rule, evidence);
  if (rule.metric.endsWith("BudgetLeftPct")) return sloTarget(rule, evidence);
  return rule.metric === "runMs" || rule.metric === "runOverMs"
    ? runTargets(rule, evidence)
    : saidTargets(rule, evidence);
}

async function runTargets(rule: AlertRule, evidence: Evidence): Promise<Judged[]> {
  const [machines, runs] = await Promise.all([evidence.machines(), openRuns(evidence)]);
  return runs.flatMap((run): Judged[] => {
    const machine = run.resourceId === null ? null : (machines.get(run.resourceId) ?? null);
    if (!selects(rule.selector, runSelected(machine, run))) return [];
    const tookMs = Math.max(0, evidence.slot - run.startedAt.getTime());
    if (rule.metric === "runOverMs" && run.expectedMs === null) return [];
    const value = rule.metric === "runMs" ? tookMs : Math.max(0, tookMs - (run.expectedMs ?? 0));
    return [
      {
        ...plain(evidence, value),
        target: targetOfRun(run),
        isGone: machine?.isGone ?? false,
        machine,
        endsAfterMs: 0,
      },
    ];
  });
}

function openRuns(evidence: Evidence) {
  return evidence.once("runs", listOpenRuns);
}

type Run = Awaited<ReturnType<typeof listOpenRuns>>[number];

function targetOfRun({ id, name, resourceId }: Run): AlertTarget {
  return { key: `run:${id}`, name, resourceId, gpuId: null };
}

/** A run has a workload of its own; the rest is its machine's. */
function runSelected(machine: Machine | null, run: Run): SelectorTarget {
  const workload = run.workload === "unknown" ? (machine?.workload ?? "unknown") : run.workload;
  return { ...(machine && asTarget(machine)), workload, run: [run.name, run.externalId] };
}

async function saidTargets(rule: AlertRule, evidence: Evidence): Promise<Judged[]> {
  const windowMs = numberParam(rule, "windowMinutes") * MINUTE;
  const lookbackMs = rule.lookbackMs ?? SERIES_LOOKBACK_MS;
  const { slot } = evidence;
  const [machines, runs, groups] = await Promise.all([
    evidence.machines(),
    openRuns(evidence),
    evidence.once(`groups ${lookbackMs}`, () => listSeriesGroups(new Date(slot - Math.max(windowMs, DAY_MS)))),
  ]);
  const runOf = new Map(runs.map((run) => [run.id, run]));
  const judged: Judged[] = [];
  for (const group of groups.slice(0, GROUPS_AT_MOST)) {
    const run = group.runId === null ? null : runOf.get(group.runId);
    // Of a run that is over nothing more is asked.
    if (run === undefined) continue;
    const resourceId = run?.resourceId ?? group.resourceId;
    const machine = resourceId === null ? null : (machines.get(resourceId) ?? null);
    if (run === null && machine === null) continue;
    if (!selects(rule.selector, run ? runSelected(machine, run) : { ...(machine && asTarget(machine)) })) continue;
    const target = run ? targetOfRun(run) : ofMachine(machine, group);
    const reading = await said(rule.metric, group, windowMs, lookbackMs, evidence);
    if (reading === null) continue;
    judged.push({
      target,
      reading,
      semantics: semantics(lookbackMs),
      isGone: machine?.isGone ?? false,
      machine,
      ...(machine === null && { endsAfterMs: lookbackMs }),
    });
  }
  return judged;
}

function ofMachine(machine: Machine | null, group: SeriesGroup): AlertTarget {
  return {
    key: `instance:${group.resourceId}`,
    name: machine?.name ?? "unknown machine",
    resourceId: group.resourceId,
    gpuId: null,
  };
}

const semantics = (lookbackMs: number): Semantics => ({ ...PRODUCT_SEMANTICS(0), lookbackMs });

/** Null: it never says that. */
async function said(
  metric: string,
  { seriesIds, runId, resourceId, lastAt }: SeriesGroup,
  windowMs: number,
  lookbackMs: number,
  evidence: Evidence,
): Promise<Reading | null> {
  const { slot } = evidence;
  const at = lastAt.getTime();
  if (slot - at >= lookbackMs) return { value: null, at, reason: "too_old" };
  const summary = await evidence.once(`said ${runId ?? resourceId} ${windowMs}`, async () =>
    summarise(await aggregateWindow(seriesIds, slot - windowMs, slot, "samples")),
  );
  const value = figureOf(metric, summary);
  return value === null ? null : { value, at };
}

function figureOf(metric: string, summary: WorkloadSummary): number | null {
  switch (metric) {
    case "latencyP95Ms":
      return summary.latency?.p95Ms ?? null;
    case "firstTokenP95Ms":
      return summary.firstTokenP95Ms;
    case "successPct":
      return summary.successRatio === null ? null : summary.successRatio * 100;
    case "tasksPerSecond":
      return summary.tasks?.perSecond ?? null;
    case "samplesPerSecond":
      return summary.samples?.perSecond ?? null;
    case "tokensPerSecond":
      return summary.tokens?.perSecond ?? null;
    case "queueDepth":
      return summary.queueDepth?.mean ?? null;
    default:
      return null;
  }
}

/** Any series that was sent, by its name and labels. */
async function seriesTargets(rule: AlertRule, evidence: Evidence): Promise<Judged[]> {
  const { slot } = evidence;
  const lookbackMs = rule.lookbackMs ?? SERIES_LOOKBACK_MS;
  const name = String(paramOf(rule, "name") ?? "");
  const labels = labelsOf(String(paramOf(rule, "labels") ?? ""));
  const [machines, found] = await Promise.all([
    evidence.machines(),
    readNamedSeries(name, labels, new Date(slot - Math.max(lookbackMs, rule.windowMs)), new Date(slot)),
  ]);
  return found.flatMap((series): Judged[] => {
    const machine = series.resourceId === null ? null : (machines.get(series.resourceId) ?? null);
    if (!selects(rule.selector, machine ? asTarget(machine) : {})) return [];
    const samples = series.at.map((at, i) => ({ at: at.getTime(), value: series.values[i] ?? Number.NaN }));
    const words = Object.entries(series.labels).map(([label, value]) => `${label}=${value}`);
    return [
      {
        target: {
          key: `series:${series.id}`,
          name: [machine?.name ?? series.metric, ...words].join(", "),
          resourceId: machine?.id ?? null,
          gpuId: null,
        },
        reading: readingAt(samples, slot, semantics(lookbackMs), overOf(rule)),
        semantics: semantics(lookbackMs),
        isGone: machine?.isGone ?? false,
        machine,
        ...(machine === null && { endsAfterMs: lookbackMs }),
      },
    ];
  });
}

/** "outcome=failure, model=chat" */
export function labelsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split(",")
      .map((pair) => pair.split("="))
      .flatMap(([label = "", ...value]) => (label.trim() === "" ? [] : [[label.trim(), value.join("=").trim()]])),
  );
}

/** One target per rule: what its selector covers, together. */
async function sloTarget(rule: AlertRule, evidence: Evidence): Promise<Judged[]> {
  const { slot, zone } = evidence;
  const machines = await evidence.machines();
  const own = isNarrow(rule.selector)
    ? [...machines.values()].filter((machine) => selects(rule.selector, asTarget(machine))).map(({ id }) => id)
    : null;
  if (own?.length === 0) return [];
  const from = slot - numberParam(rule, "windowDays") * DAY_MS;
  const { good, bad } = await outcomes(rule, own, from, slot, zone);
  const left = budgetLeftPct(good, bad, numberParam(rule, "targetPct"));
  if (left === null) return [];
  return [
    {
      ...plain(evidence, left),
      target: { key: `slo:${rule.id}`, name: rule.name, resourceId: null, gpuId: null },
      machine: null,
      endsAfterMs: 0,
    },
  ];
}

async function outcomes(rule: AlertRule, own: string[] | null, from: number, to: number, zone: string) {
  if (rule.metric === "availabilityBudgetLeftPct") {
    const { billed, lost } = await sumAvailability(own, dayOf(from, zone), dayOf(to, zone));
    return { good: billed - lost, bad: lost };
  }
  if (rule.metric === "latencyBudgetLeftPct") {
    const buckets = (await sumLatency(own, new Date(from), new Date(to))).flatMap(({ le, count }) => {
      const bound = readBound(le);
      return bound === null ? [] : [{ le: bound, count }];
    });
    return withinLimit(buckets, numberParam(rule, "latencyMs") / 1_000);
  }
  const counts = { good: 0, bad: 0 };
  for (const { outcome, count } of await sumTasks(own, new Date(from), new Date(to))) {
    const ended = outcomeOf({ outcome });
    if (ended === "success") counts.good += count;
    if (ended === "failure") counts.bad += count;
  }
  return counts;
}
