import { pool } from "@/lib/db/client";
import { type Buckets, bucketsOf, toSeries } from "@/lib/domain/telemetry/buckets";
import { METRICS, type Metric, type WideMetric } from "@/lib/domain/telemetry/catalogue";
import { type Distribution, decodeBins, mergeDistributions } from "@/lib/domain/telemetry/distribution";
import { emptyValues, silentAfterMs } from "@/lib/domain/telemetry/sample";
import { FLEET_SCOPE } from "@/lib/domain/telemetry/scope";
import type { Range, SeriesColumns } from "@/lib/domain/telemetry/series";
import { pointsOf } from "@/lib/domain/telemetry/series";
import { isThrottleProblem } from "@/lib/domain/telemetry/throttle";
import type { SampleColumn } from "./columns";
import { type GpuColumns, HOUR_MS, openSpans, readColumns } from "./hours";
import { decodeBlock, type Newest, newerOf } from "./latest-block";

const FIVE_MINUTES_MS = 300_000;

export type LatestRow = {
  gpuId: number;
  resourceId: string | null;
  sourceId: string | null;
  uuid: string;
  mig: string;
  position: number;
  model: string;
  driverVersion: string | null;
  memoryMib: number | null;
  powerLimitW: number | null;
  attrs: Record<string, unknown>;
  at: Date | null;
  intervalMs: number;
  values: Record<WideMetric, number | null>;
  throttleReasons: number | null;
  eccUncorrected: number | null;
  missing: number | null;
};

/** The newest sample of each GPU, of the machines given or of all that are not gone. A GPU that never sent has nulls. */
export async function listLatest(resourceIds: string[] | null): Promise<LatestRow[]> {
  const where = resourceIds ? "g.resource_id = any ($1::uuid[])" : "r.gone_at is null";
  const params = resourceIds ? [resourceIds] : [];
  const [{ rows: gpus }, { rows: blocks }] = await Promise.all([
    pool().query<Omit<LatestRow, "at" | "values" | "throttleReasons" | "eccUncorrected" | "missing">>(
      `select g.id as "gpuId", g.resource_id as "resourceId", g.source_id as "sourceId", g.uuid, g.mig, g.position, g.model, g.driver_version as "driverVersion",
              g.memory_mib as "memoryMib", g.power_limit_w as "powerLimitW", g.attrs, coalesce(t.interval_ms, 10000) as "intervalMs"
       from gpu g join resource r on r.id = g.resource_id left join telemetry_source t on t.id = g.source_id
       where ${where} order by g.resource_id, g.position, g.mig`,
      params,
    ),
    pool().query<{ data: Buffer }>(
      `select l.data from source_latest l where l.source_id in (
         select t.id from telemetry_source t join resource r on r.id = t.resource_id where ${where.replace("g.resource_id", "t.resource_id")}
         union select g.source_id from gpu g join resource r on r.id = g.resource_id where ${where})`,
      params,
    ),
  ]);
  const newest = newestByGpu(blocks);
  return gpus.map((gpu) => {
    const one = mergeSenders(newest.get(gpu.gpuId) ?? [], silentAfterMs(gpu.intervalMs));
    return {
      ...gpu,
      at: one && new Date(one.at),
      values: one?.values ?? emptyValues(),
      throttleReasons: one?.throttleReasons ?? null,
      eccUncorrected: one?.eccUncorrected ?? null,
      missing: one?.missing ?? null,
    };
  });
}

/** The newest look at each GPU of the machines that are not gone: what changes, without what the GPU is. */
export async function readNewest(intervalMsOf: (gpuId: number) => number): Promise<Map<number, Newest>> {
  const { rows } = await pool().query<{ data: Buffer }>(
    `select l.data from source_latest l join telemetry_source t on t.id = l.source_id left join resource r on r.id = t.resource_id
     where r.gone_at is null`,
  );
  const newest = new Map<number, Newest>();
  for (const [gpuId, looks] of newestByGpu(rows)) {
    const one = mergeSenders(looks, silentAfterMs(intervalMsOf(gpuId)));
    if (one) newest.set(gpuId, one);
  }
  return newest;
}

function newestByGpu(blocks: readonly { data: Buffer }[]): Map<number, Newest[]> {
  const newest = new Map<number, Newest[]>();
  for (const { data } of blocks) {
    for (const one of decodeBlock(data)) {
      const others = newest.get(one.gpuId);
      if (others) others.push(one);
      else newest.set(one.gpuId, [one]);
    }
  }
  return newest;
}

/** Two senders of one GPU (the agent and an exporter, say): the newest look, and what it lacks from another that is not silent beside it. */
function mergeSenders(looks: readonly Newest[], silentMs: number): Newest | null {
  const [first, ...others] = [...looks].sort((a, b) => b.at - a.at);
  if (!first) return null;
  return others
    .filter((other) => first.at - other.at <= silentMs)
    .reduce((merged, other) => newerOf(merged, { ...other, at: first.at }), first);
}

/** The columns of a sample that a metric is computed from. */
function columnOfMetric(metric: Metric): WideMetric {
  return metric === "memoryUsedPct" ? "memoryUsedMib" : (metric as WideMetric);
}

type Scale = ReadonlyMap<number, number>;

/** What a GPU's column is multiplied by to give the metric; GPUs that cannot give it are left out. */
async function scaleOf(gpuIds: readonly number[], metric: Metric): Promise<Scale> {
  if (metric !== "memoryUsedPct") return new Map(gpuIds.map((id) => [id, 1]));
  const { rows } = await pool().query<{ id: number; memoryMib: number }>(
    `select id, memory_mib as "memoryMib" from gpu where id = any ($1) and memory_mib > 0`,
    [gpuIds],
  );
  return new Map(rows.map((row) => [row.id, 100 / row.memoryMib]));
}

/** Sums by hour of GPUs, where hours are sealed. */
async function hourBuckets(scale: Scale, metric: Metric, range: Range, buckets: Buckets): Promise<Set<number>> {
  const c = METRICS[columnOfMetric(metric)].column;
  const [{ rows: sealed }, { rows }] = await Promise.all([
    pool().query<{ hour: Date }>("select hour from telemetry_hour where hour >= $1 and hour < $2", [
      new Date(range.from),
      new Date(range.to),
    ]),
    pool().query<{ gpuId: number; hour: Date; n: number; sum: number; min: number; max: number }>(
      `select gpu_id as "gpuId", hour, ${c}_n::int as n, ${c}_sum as sum, ${c}_min::float8 as min, ${c}_max::float8 as max
       from gpu_hour where gpu_id = any ($1) and hour >= $2 and hour < $3 and ${c}_n > 0`,
      [[...scale.keys()], new Date(range.from), new Date(range.to)],
    ),
  ]);
  const hours = new Set(sealed.map((row) => row.hour.getTime()));
  for (const { gpuId, hour, n, sum, min, max } of rows) {
    const factor = scale.get(gpuId) ?? 1;
    if (hours.has(hour.getTime()))
      buckets.addMany(hour.getTime(), { n, sum: sum * factor, min: min * factor, max: max * factor });
  }
  return hours;
}

async function sampleBuckets(scale: Scale, metric: Metric, from: number, to: number, buckets: Buckets): Promise<void> {
  const columns: SampleColumn[] = [columnOfMetric(metric)];
  for (const [gpuId, { at, columns: values }] of await readColumns([...scale.keys()], columns, from, to)) {
    const factor = scale.get(gpuId) ?? 1;
    buckets.addColumn(at, values[0] ?? new Float64Array(), factor);
  }
}

/** So many samples are read for one answer; longer windows are answered from hours, whose percentiles nobody kept. */
const MOST_SAMPLES = 4_000_000;

export type BucketsAnswer = Buckets & { isFromHours: boolean };

/**
 * A metric of some GPUs together in the steps of a range, with its spread: from samples (sealed or hot), or, where those
 * would be too many or are no longer kept and the steps are hours, from the hours.
 */
export async function readBuckets(
  gpuIds: readonly number[],
  metric: Metric,
  range: Range,
  keptFrom = 0,
): Promise<BucketsAnswer> {
  const scale = await scaleOf(gpuIds, metric);
  const samples = (scale.size * (range.to - range.from)) / 10_000;
  const isFromHours = range.stepMs >= HOUR_MS && (samples > MOST_SAMPLES || range.from < keptFrom);
  const buckets = bucketsOf(range, isFromHours ? null : METRICS[metric].distribution);
  if (!isFromHours) await sampleBuckets(scale, metric, range.from, range.to, buckets);
  else {
    const sealed = await hourBuckets(scale, metric, range, buckets);
    for (const span of openSpans(sealed, Math.max(range.from, keptFrom), range.to))
      await sampleBuckets(scale, metric, span.from, span.to, buckets);
  }
  return Object.assign(buckets, { isFromHours });
}

/** What samples say of the steps of a range from an instant on: of hours that are not sealed, whose groups are not added up yet. */
export async function readOpen(
  gpuIds: readonly number[],
  metric: Metric,
  range: Range,
  from: number,
): Promise<Buckets> {
  const buckets = bucketsOf(range, METRICS[metric].distribution);
  if (from < range.to)
    await sampleBuckets(await scaleOf(gpuIds, metric), metric, Math.max(from, range.from), range.to, buckets);
  return buckets;
}

/** As `readBuckets`, mean, lowest and highest alone: from hours where the step is an hour or more. */
export async function readSeries(gpuIds: readonly number[], metric: Metric, range: Range): Promise<SeriesColumns> {
  return toSeries(await readMeans(await scaleOf(gpuIds, metric), metric, range), range);
}

async function readMeans(scale: Scale, metric: Metric, range: Range): Promise<Buckets> {
  const buckets = bucketsOf(range, null);
  if (range.stepMs < HOUR_MS) {
    await sampleBuckets(scale, metric, range.from, range.to, buckets);
    return buckets;
  }
  const sealed = await hourBuckets(scale, metric, range, buckets);
  for (const span of openSpans(sealed, range.from, range.to))
    await sampleBuckets(scale, metric, span.from, span.to, buckets);
  return buckets;
}

/** The mean of a metric per machine in the steps of a range, machines without samples left out. */
export async function readMachineMeans(
  resourceIds: string[],
  metric: Metric,
  range: Range,
): Promise<Map<string, (number | null)[]>> {
  const { rows } = await pool().query<{ id: string; gpuIds: number[] }>(
    'select resource_id as id, array_agg(id) as "gpuIds" from gpu where resource_id = any ($1::uuid[]) group by 1',
    [resourceIds],
  );
  const scale = await scaleOf(
    rows.flatMap((row) => row.gpuIds),
    metric,
  );
  const result = new Map<string, (number | null)[]>();
  for (const { id, gpuIds } of rows) {
    const own = new Map(gpuIds.flatMap((gpu) => (scale.has(gpu) ? [[gpu, scale.get(gpu) ?? 1] as const] : [])));
    const { mean, n } = toSeries(await readMeans(own, metric, range), range);
    if (n.some((count) => count > 0)) result.set(id, mean);
  }
  return result;
}

/** A scope's distribution of a metric in the steps of a range; steps are five minutes at least. Null: nobody reported. */
export async function readDistribution(scope: string, metric: Metric, range: Range): Promise<(Distribution | null)[]> {
  const spec = METRICS[metric].distribution;
  if (!spec || range.stepMs < FIVE_MINUTES_MS)
    throw new Error(`No distribution of ${metric} in steps of ${range.stepMs} ms`);
  const table = range.stepMs >= HOUR_MS ? "metric_dist_hour" : "metric_dist";
  const { rows } = await pool().query<{ at: Date; n: number; sum: number; min: number; max: number; bins: Buffer }>(
    `select at, n, sum, min, max, bins from ${table} where scope = $1 and metric = $2 and at >= $3 and at < $4`,
    [scope, spec.id, new Date(range.from), new Date(range.to)],
  );
  const result = new Array<Distribution | null>(pointsOf(range)).fill(null);
  for (const { at, bins, ...row } of rows) {
    const i = Math.floor((at.getTime() - range.from) / range.stepMs);
    result[i] = mergeDistributions(result[i] ?? null, { ...row, bins: decodeBins(bins, spec.count) });
  }
  return result;
}

/** The whole fleet's. */
export function readFleetDistribution(metric: Metric, range: Range): Promise<(Distribution | null)[]> {
  return readDistribution(FLEET_SCOPE, metric, range);
}

export type ProcessSpan = {
  gpuId: number;
  validFrom: Date;
  lastSeenAt: Date;
  /** `user` is absent in looks of an older release. */
  processes: { pid: number; name: string | null; usedMib: number | null; user?: string | null }[];
};

/** What the agent last saw running on each GPU. */
export async function listProcesses(gpuIds: number[]): Promise<ProcessSpan[]> {
  const { rows } = await pool().query<ProcessSpan>(
    `select distinct on (gpu_id) gpu_id as "gpuId", valid_from as "validFrom", last_seen_at as "lastSeenAt", processes
     from gpu_process_span where gpu_id = any ($1) order by gpu_id, valid_from desc`,
    [gpuIds],
  );
  return rows;
}

export type MinuteRow = {
  gpuId: number;
  resourceId: string;
  at: Date;
  effectivePct: number | null;
  /** Effective utilisation as a mean of its samples. */
  meanPct: number | null;
  memoryUsedMib: number | null;
  /** Something made its clocks lower than they should be. */
  isThrottled: boolean;
  hasProcess: boolean | null;
};

const MINUTE_MS = 60_000;
/** A look at the processes speaks for the two minutes after it. */
const LOOK_MS = 2 * MINUTE_MS;
const MINUTE_COLUMNS: SampleColumn[] = [
  "utilizationPct",
  "smActivePct",
  "tensorActivePct",
  "dramActivePct",
  "memoryUsedMib",
  "throttleReasons",
];

/** One row per GPU and minute with samples: how busy it was at most, what it held, and whether a process was seen. */
export async function listMinutes(resourceIds: string[], from: Date, to: Date): Promise<MinuteRow[]> {
  const { rows: gpus } = await pool().query<{ id: number; resourceId: string }>(
    `select id, resource_id as "resourceId" from gpu where resource_id = any ($1::uuid[]) order by id`,
    [resourceIds],
  );
  const ids = gpus.map((gpu) => gpu.id);
  const [samples, spans] = await Promise.all([
    readColumns(ids, MINUTE_COLUMNS, from.getTime(), to.getTime()),
    pool().query<{ gpuId: number; from: Date; to: Date; has: boolean }>(
      `select gpu_id as "gpuId", valid_from as "from", last_seen_at as "to", jsonb_array_length(processes) > 0 as has
       from gpu_process_span where gpu_id = any ($1) and last_seen_at >= $2 and valid_from < $3`,
      [ids, new Date(from.getTime() - LOOK_MS - MINUTE_MS), to],
    ),
  ]);
  const looks = new Map<number, typeof spans.rows>();
  for (const row of spans.rows) looks.set(row.gpuId, [...(looks.get(row.gpuId) ?? []), row]);
  return gpus.flatMap(({ id, resourceId }) => {
    const gpu = samples.get(id);
    const own = looks.get(id) ?? [];
    return gpu
      ? minutesOf(gpu).map(({ at, effectivePct, meanPct, memoryUsedMib, isThrottled }) => ({
          gpuId: id,
          resourceId,
          at: new Date(at),
          effectivePct,
          meanPct,
          memoryUsedMib,
          isThrottled,
          hasProcess: wasSeen(own, at),
        }))
      : [];
  });
}

type MinuteOf = Omit<MinuteRow, "gpuId" | "resourceId" | "at" | "hasProcess"> & { at: number; sum: number; n: number };

function minutesOf({
  at,
  columns,
}: GpuColumns): Pick<MinuteOf, "at" | "effectivePct" | "meanPct" | "memoryUsedMib" | "isThrottled">[] {
  const minutes: MinuteOf[] = [];
  for (let i = 0; i < at.length; i++) {
    const minute = Math.floor((at[i] ?? 0) / MINUTE_MS) * MINUTE_MS;
    const [utilization, ...activities] = [0, 1, 2, 3].map((c) => columns[c]?.[i] ?? Number.NaN);
    const active = activities.filter((one) => !Number.isNaN(one));
    const effective = active.length > 0 ? Math.max(...active) : (utilization ?? Number.NaN);
    const last = minutes.at(-1);
    const here =
      last?.at === minute
        ? last
        : { at: minute, effectivePct: null, meanPct: null, memoryUsedMib: null, isThrottled: false, sum: 0, n: 0 };
    if (here !== last) minutes.push(here);
    if (!Number.isNaN(effective)) {
      here.sum += effective;
      here.n += 1;
      here.meanPct = here.sum / here.n;
    }
    const reasons = columns[5]?.[i] ?? Number.NaN;
    here.isThrottled ||= !Number.isNaN(reasons) && isThrottleProblem(reasons) === true;
    here.effectivePct = greater(here.effectivePct, effective);
    here.memoryUsedMib = greater(here.memoryUsedMib, columns[4]?.[i] ?? Number.NaN);
  }
  return minutes;
}

function greater(a: number | null, b: number): number | null {
  if (Number.isNaN(b)) return a;
  return a === null ? b : Math.max(a, b);
}

/** Null: nobody looked. */
function wasSeen(looks: readonly { from: Date; to: Date; has: boolean }[], minute: number): boolean | null {
  const near = looks.filter(
    (look) => look.from.getTime() < minute + MINUTE_MS && look.to.getTime() >= minute - LOOK_MS,
  );
  return near.length === 0 ? null : near.some((look) => look.has);
}

/** When the newest sample of anything came in. */
export async function newestSampleAt(): Promise<Date | null> {
  const { rows } = await pool().query<{ at: Date | null }>(
    `select max(l.at) as at from source_latest l join telemetry_source t on t.id = l.source_id join resource r on r.id = t.resource_id
     where r.gone_at is null`,
  );
  return rows[0]?.at ?? null;
}
