import { listInstances } from "@/lib/db/fleet/read";
import { readSetting } from "@/lib/db/settings";
import { groupGpuIds, machineGpus, sealedHours, sealedUntil } from "@/lib/db/telemetry/groups";
import { readMachineMeans, readOpen } from "@/lib/db/telemetry/read";
import { store } from "@/lib/db/telemetry/store";
import { authorize, type Ctx } from "@/lib/domain/access";
import { dayOf } from "@/lib/domain/cost/zone";
import { type Window, windowOf } from "@/lib/domain/fleet/window";
import { toSeries } from "@/lib/domain/telemetry/buckets";
import { type BinSpec, METRICS, type Metric } from "@/lib/domain/telemetry/catalogue";
import { type Distribution, meanOf, mergeDistributions, percentile } from "@/lib/domain/telemetry/distribution";
import { TOO_OLD_AFTER_MS } from "@/lib/domain/telemetry/sample";
import { FLEET_SCOPE, scopeOf } from "@/lib/domain/telemetry/scope";
import { type Range, resolveRange } from "@/lib/domain/telemetry/series";
import {
  MOST_POINTS,
  readScope,
  type SeriesAnswer,
  type SeriesAsked,
  type SeriesLine,
  type SeriesScope,
  type SeriesSource,
} from "@/lib/domain/telemetry/view";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const INTERVAL_MS = 10_000;
/** Distributions are kept of five minutes. */
const FINEST_GROUP_STEP_MS = 300_000;
/** More samples than this are not read for one picture: sums per hour take their place. */
const MOST_SAMPLES = 4_000_000;
const LINES_AT_MOST = 7;

type Column = (number | null)[];
type Columns = { n: number[]; mean: Column; min: Column; max: Column; p50: Column; p95: Column };
type Found = { range: Range; columns: Columns; sources: SeriesSource[]; binWidth: number | null };

/**
 * A metric of a GPU, a machine, a label group or the fleet over a window, at the finest resolution that fits in the points
 * asked for. Lowest and highest of every bucket survive; a gap is null.
 */
export async function readSeries(ctx: Ctx, question: SeriesAsked): Promise<SeriesAnswer> {
  authorize(ctx, "fleet:read");
  const { metric } = question;
  const scope = readScope(question.scope);
  const { range, columns, sources, binWidth } = await readScopeColumns(ctx, question, scope);
  const { lines, hidden } = await readLines(ctx, question, scope, range);
  return {
    metric,
    unit: METRICS[metric].unit,
    scope: question.scope,
    ...range,
    sources,
    binWidth,
    at: columns.n.map((_, i) => range.from + i * range.stepMs),
    n: columns.n,
    mean: rounded(columns.mean, metric),
    min: rounded(columns.min, metric),
    max: rounded(columns.max, metric),
    p50: rounded(columns.p50, metric),
    p95: rounded(columns.p95, metric),
    lines,
    hidden,
  };
}

/**
 * Whether the same question will be answered the same for good: its window is fixed, and the last bucket, which may end after
 * the window, is older than the latest that a sample may come.
 */
export function isSettled(ctx: Ctx, question: Window, answer: Pick<SeriesAnswer, "to">): boolean {
  const now = ctx.now.getTime();
  return !windowOf(question, now).isLive && answer.to + TOO_OLD_AFTER_MS < now;
}

async function readScopeColumns(ctx: Ctx, question: SeriesAsked, scope: SeriesScope): Promise<Found> {
  if (scope.kind === "gpu") return fromGpus(ctx, question, [scope.gpuId]);
  if (scope.kind === "instance") {
    const gpus = await machineGpus(scope.instanceId);
    return fromGpus(
      ctx,
      question,
      gpus.map((gpu) => gpu.id),
    );
  }
  const { metric } = question;
  const { from, to } = windowOf(question, ctx.now.getTime());
  const spec = METRICS[metric].distribution;
  const name = scope.kind === "fleet" ? FLEET_SCOPE : scopeOf(scope.kind, scope.value);
  if (spec && name !== null) {
    const range = resolveRange(from, to, question.points ?? MOST_POINTS, await finestOfGroups(ctx, from));
    const kept = await store.distribution(name, metric, range);
    const found = scope.kind === "fleet" ? kept : await withOpenHours(kept, scope, metric, range);
    if (scope.kind === "fleet" || found.some((one) => one !== null)) {
      return { range, columns: spread(found, spec), sources: ["distribution"], binWidth: spec.width };
    }
  }
  // Of a small group no distribution may be kept, of some metrics none at all.
  return fromGpus(ctx, question, await groupGpuIds(scope, new Date(to)));
}

/** Groups are added up when an hour is sealed; the hours since then are in the samples. */
async function withOpenHours(
  kept: readonly (Distribution | null)[],
  scope: Parameters<typeof groupGpuIds>[0],
  metric: Metric,
  range: Range,
): Promise<(Distribution | null)[]> {
  if (range.stepMs < HOUR_MS) return [...kept];
  const until = await sealedUntil(new Date(range.from), new Date(range.to));
  const open = await readOpen(await groupGpuIds(scope, new Date(range.to)), metric, range, until.getTime());
  return kept.map((one, i) => mergeDistributions(one, open.distribution(i)));
}

/** Distributions of five minutes are not kept as long as those of hours. */
async function finestOfGroups(ctx: Ctx, from: number): Promise<number> {
  const { distributionsDays } = await readSetting("retention");
  return from < ctx.now.getTime() - distributionsDays * DAY_MS ? HOUR_MS : FINEST_GROUP_STEP_MS;
}

function spread(found: readonly (Distribution | null)[], spec: BinSpec): Columns {
  const column = (of: (one: Distribution) => number | null) => found.map((one) => one && of(one));
  return {
    n: found.map((one) => one?.n ?? 0),
    mean: column(meanOf),
    min: column((one) => one.min),
    max: column((one) => one.max),
    p50: column((one) => percentile(one.bins, spec, 50)),
    p95: column((one) => percentile(one.bins, spec, 95)),
  };
}

async function fromGpus(ctx: Ctx, question: SeriesAsked, gpuIds: number[]): Promise<Found> {
  const { metric } = question;
  const { from, to } = windowOf(question, ctx.now.getTime());
  const { samplesDays } = await readSetting("retention");
  const keptFrom = ctx.now.getTime() - samplesDays * DAY_MS;
  const samples = (gpuIds.length * (to - from)) / INTERVAL_MS;
  const finest = samples > MOST_SAMPLES || from < keptFrom ? HOUR_MS : INTERVAL_MS;
  const range = resolveRange(from, to, question.points ?? MOST_POINTS, finest);
  const buckets = await store.buckets(gpuIds, metric, range, keptFrom);
  const { n, mean, min, max } = toSeries(buckets, range);
  return {
    range,
    columns: { n, mean, min, max, p50: buckets.percentiles(50), p95: buckets.percentiles(95) },
    sources: await sourcesOf(range, buckets.isFromHours),
    binWidth: buckets.spec?.width ?? null,
  };
}

async function sourcesOf(range: Range, isFromHours: boolean): Promise<SeriesSource[]> {
  const packed = isFromHours ? "hourly" : "sealed_hours";
  const sealed = await sealedHours(new Date(range.from), new Date(range.to));
  if (sealed === 0) return ["samples"];
  const hours = Math.ceil(range.to / HOUR_MS) - Math.floor(range.from / HOUR_MS);
  return sealed === hours ? [packed] : [packed, "samples"];
}

type Lines = { lines: SeriesLine[]; hidden: number };
const NO_LINES: Lines = { lines: [], hidden: 0 };

/** A line for each GPU of a machine that has several, or for each of the dearest machines of the fleet. */
async function readLines(ctx: Ctx, { by, metric }: SeriesAsked, scope: SeriesScope, range: Range): Promise<Lines> {
  if (by === "gpu" && scope.kind === "instance") {
    const gpus = await machineGpus(scope.instanceId);
    if (gpus.length < 2) return NO_LINES;
    const lines = await Promise.all(
      gpus.map(async ({ id, position }) => ({
        id: String(id),
        name: `GPU ${position}`,
        position,
        mean: rounded((await store.series([id], metric, range)).mean, metric),
      })),
    );
    return { lines, hidden: 0 };
  }
  if (by === "instance" && scope.kind === "fleet") {
    const { zone } = await readSetting("accounting");
    const day = dayOf(ctx.now.getTime(), zone);
    const machines = (await listInstances(day, { goneSince: ctx.now })).filter((one) => one.activeSince !== null);
    const shown = machines.slice(0, LINES_AT_MOST);
    const means = await readMachineMeans(
      shown.map((one) => one.id),
      metric,
      range,
    );
    const gap = new Array<number | null>((range.to - range.from) / range.stepMs).fill(null);
    return {
      lines: shown.map((one, position) => ({
        id: one.id,
        name: one.name ?? one.externalId.slice(0, 12),
        position,
        mean: rounded(means.get(one.id) ?? gap, metric),
      })),
      hidden: machines.length - shown.length,
    };
  }
  return NO_LINES;
}

/** Fifteen decimals travel badly; one more than people are shown is enough. */
function rounded(values: (number | null)[], metric: Metric): (number | null)[] {
  const scale = 10 ** (METRICS[metric].decimals + 1);
  return values.map((value) => (value === null ? null : Math.round(value * scale) / scale));
}
