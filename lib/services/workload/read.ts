import { readSetting } from "@/lib/db/settings";
import { readSeries } from "@/lib/db/telemetry/read";
import { aggregateSeries, aggregateWindow, seriesOfRun } from "@/lib/db/workload/aggregate";
import { countRuns, findRun, listPlaces, listRuns, paidMinutes, type RunFacts } from "@/lib/db/workload/runs";
import { authorize, type Ctx } from "@/lib/domain/access";
import { resolveRange } from "@/lib/domain/telemetry/series";
import {
  costToCome,
  type GpuShare,
  minutesBefore,
  type PaidMinutes,
  runCost,
  shareOf,
  unitCost,
} from "@/lib/domain/workload/cost";
import { isIn } from "@/lib/domain/workload/filter";
import { progressOf } from "@/lib/domain/workload/run";
import { chartsOf, summarise, type WorkloadSummary } from "@/lib/domain/workload/summary";
import type {
  InstanceRunsQuestion,
  RunAnswer,
  RunMoney,
  RunPlacesAnswer,
  RunQuestion,
  RunRow,
  RunSeriesAnswer,
  RunsAnswer,
  RunsQuestion,
  UnitPrice,
} from "@/lib/domain/workload/view";
import { AppError } from "@/lib/errors";
import { gpuIdsOf, readUse } from "./use";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LISTED = 500;

/** Runs, those that go on first, each with what it cost. */
export async function readRuns(ctx: Ctx, question: RunsQuestion): Promise<RunsAnswer> {
  authorize(ctx, "fleet:read");
  const [found, totals] = await Promise.all([
    listRuns(
      {
        words: question.q.split(/\s+/).filter(Boolean).slice(0, 10),
        workload: question.workload === "all" ? null : question.workload,
        instanceId: question.instanceId ?? null,
      },
      LISTED + 1,
    ),
    countRuns(ctx.now),
  ]);
  const rows = await runRows(ctx, found.slice(0, LISTED));
  return {
    now: ctx.now.getTime(),
    rows: rows.filter((row) => isIn(row, question.state)),
    totals,
    isCut: found.length > LISTED,
  };
}

/** The runs of one instance, the ones that go on first. */
export async function readInstanceRuns(ctx: Ctx, { instanceId }: InstanceRunsQuestion): Promise<RunsAnswer> {
  return readRuns(ctx, { q: "", workload: "all", state: "all", instanceId });
}

async function runRows(ctx: Ctx, runs: readonly RunFacts[]): Promise<RunRow[]> {
  const placed = runs.filter((run) => run.resourceId !== null);
  const starts = placed.map((run) => run.startedAt.getTime());
  const paid =
    placed.length === 0
      ? new Map<string, PaidMinutes[]>()
      : await paidMinutes(
          [...new Set(placed.flatMap((run) => run.resourceId ?? []))],
          new Date(Math.min(...starts)),
          ctx.now,
        );
  return runs.map((run) => rowOf(run, (run.resourceId && paid.get(run.resourceId)) || [], ctx.now.getTime()));
}

/** Which part of its machine a run holds. */
export function shareIn(run: Pick<RunFacts, "gpuIds" | "gpusOfInstance">): GpuShare {
  const of = run.gpusOfInstance;
  return { held: run.gpuIds.length === 0 ? of : Math.min(of, run.gpuIds.length), of };
}

export function timesOf(run: Pick<RunFacts, "startedAt" | "endedAt" | "expectedMs" | "machineGoneAt">) {
  return {
    startedAt: run.startedAt.getTime(),
    endedAt: run.endedAt?.getTime() ?? null,
    expectedMs: run.expectedMs,
    machineGoneAt: run.machineGoneAt?.getTime() ?? null,
  };
}

function rowOf(run: RunFacts, paid: readonly PaidMinutes[], now: number): RunRow {
  const { state, endedAt, tookMs, overMs, leftMs, isOverdue } = progressOf(timesOf(run), now);
  const share = shareIn(run);
  return {
    id: run.id,
    externalId: run.externalId,
    name: run.name,
    workload: run.workload,
    state,
    startedAt: run.startedAt.getTime(),
    endedAt,
    tookMs,
    expectedMs: run.expectedMs,
    overMs,
    leftMs,
    isOverdue,
    isPushed: run.isPushed,
    by: run.by,
    instanceId: run.resourceId,
    instanceName: run.instanceName,
    typeName: run.typeName,
    region: run.region,
    gpuPositions: run.gpuPositions,
    gpusHeld: share.held,
    gpusOfInstance: share.of,
    cost: run.resourceId === null ? null : moneyOf(run, paid, share, { state, endedAt, leftMs, isOverdue }, now),
  };
}

type Progress = Pick<RunRow, "state" | "endedAt" | "leftMs" | "isOverdue">;

function moneyOf(
  run: RunFacts,
  paid: readonly PaidMinutes[],
  share: GpuShare,
  { state, endedAt, leftMs, isOverdue }: Progress,
  now: number,
): RunMoney {
  const cost = runCost(paid, run.startedAt.getTime(), endedAt ?? now, share);
  const unknownMinutes = minutesBefore(run.billedFrom?.getTime() ?? null, run.startedAt.getTime(), endedAt ?? now);
  const toCome = state === "running" && !isOverdue ? costToCome(leftMs, run.priceMicros, share) : null;
  const perHour = state === "running" && run.priceMicros !== null ? shareOf(run.priceMicros, share) : null;
  return {
    micros: cost.micros.toString(),
    lowMicros: cost.lowMicros.toString(),
    highMicros: cost.highMicros.toString(),
    unpricedMinutes: cost.unpricedMinutes,
    unknownMinutes,
    gpuMinutes: cost.minutes * share.held,
    perHourMicros: perHour?.toString() ?? null,
    atEndMicros:
      toCome === null || cost.unpricedMinutes + unknownMinutes > 0 ? null : (cost.micros + toCome).toString(),
  };
}

async function factsOf(runId: string): Promise<RunFacts> {
  const run = await findRun(runId);
  if (!run) throw new AppError("not-found", "There is no such run, or it was removed.");
  return run;
}

type Window = { from: number; to: number };

function windowOf(run: RunFacts, now: number): Window {
  const { endedAt } = progressOf(timesOf(run), now);
  const from = run.startedAt.getTime();
  return { from, to: Math.max(from + 60_000, endedAt ?? now) };
}

/** Short windows whose values are still kept as they came are read from them, others from hours. */
async function isFine({ from, to }: Window, now: number): Promise<boolean> {
  const { samplesDays } = await readSetting("retention");
  return to - from <= DAY_MS && from >= now - samplesDays * DAY_MS;
}

/** One run: what it cost, how it used its GPUs, and what it said of itself. */
export async function readRun(ctx: Ctx, { runId }: RunQuestion): Promise<RunAnswer> {
  authorize(ctx, "fleet:read");
  const run = await factsOf(runId);
  const now = ctx.now.getTime();
  const window = windowOf(run, now);
  const [[row], use, series, by] = await Promise.all([
    runRows(ctx, [run]),
    readUse(run, window),
    seriesOfRun(run, new Date(window.from), new Date(window.to)),
    isFine(window, now).then((fine) => (fine ? ("samples" as const) : ("hours" as const))),
  ]);
  if (!row) throw new AppError("not-found", "There is no such run.");
  const metrics = summarise(await aggregateWindow(series.ids, window.from, window.to, by));
  return {
    now,
    run: { ...row, note: run.note, createdAt: run.createdAt.getTime(), gpuIds: run.gpuIds },
    use,
    metrics,
    isByInstance: series.isByInstance,
    unitPrices: unitPrices(row, metrics),
    lastValueAt: series.lastAt?.getTime() ?? null,
  };
}

/** What a unit of its work cost, where the work is counted and all of its minutes have a price. */
function unitPrices({ cost }: RunRow, { tokens, samples, tasks, epoch }: WorkloadSummary): UnitPrice[] {
  if (cost === null || cost.unpricedMinutes > 0 || cost.unknownMinutes > 0) return [];
  const price = (per: UnitPrice["per"], units: number | null | undefined, size: number): UnitPrice[] => {
    const micros = unitCost(BigInt(cost.micros), units ?? null, size);
    return micros === null ? [] : [{ per, micros: micros.toString() }];
  };
  return [
    ...price("1M tokens", tokens?.count, 1_000_000),
    ...price("1,000 samples", samples?.count, 1_000),
    ...price("1,000 tasks", tasks?.count, 1_000),
    ...price("epoch", epoch && Math.floor(epoch.reached), 1),
  ];
}

const POINTS = 400;

/** How it went over time: utilisation of its GPUs, and what it said of itself; gaps as null. */
export async function readRunSeries(ctx: Ctx, { runId }: RunQuestion): Promise<RunSeriesAnswer> {
  authorize(ctx, "fleet:read");
  const run = await factsOf(runId);
  const window = windowOf(run, ctx.now.getTime());
  const fine = await isFine(window, ctx.now.getTime());
  const range = resolveRange(window.from, window.to, POINTS, fine ? 60_000 : HOUR_MS);
  const [gpuIds, series] = await Promise.all([
    gpuIdsOf(run),
    seriesOfRun(run, new Date(range.from), new Date(range.to)),
  ]);
  const [columns, rows] = await Promise.all([
    readSeries(gpuIds, "utilizationPct", range),
    aggregateSeries(series.ids, range),
  ]);
  const tenth = (values: (number | null)[]) =>
    values.map((value) => (value === null ? null : Math.round(value * 10) / 10));
  return {
    from: range.from,
    to: range.to,
    stepMs: range.stepMs,
    at: columns.at,
    utilization: { mean: tenth(columns.mean), min: tenth(columns.min), max: tenth(columns.max) },
    charts: chartsOf(rows, columns.at),
  };
}

/** The instances and GPUs that a run may be written down for. */
export async function readRunPlaces(ctx: Ctx): Promise<RunPlacesAnswer> {
  authorize(ctx, "fleet:read");
  const places = await listPlaces();
  return {
    now: ctx.now.getTime(),
    instances: places.map(({ id, name, typeName, workload, gpus }) => ({
      id,
      name,
      typeName,
      workload,
      gpus: gpus.map((gpu) => ({ id: gpu.id, position: gpu.position })),
    })),
  };
}
