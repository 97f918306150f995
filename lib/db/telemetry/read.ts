import { pool } from "@/lib/db/client";
import { METRICS, type Metric, WIDE_METRICS, type WideMetric } from "@/lib/domain/telemetry/catalogue";
import { type Distribution, decodeBins, mergeDistributions } from "@/lib/domain/telemetry/distribution";
import type { Range, SeriesColumns } from "@/lib/domain/telemetry/series";
import { columnOf, WIDE_COLUMNS } from "./columns";
import { FLEET_SCOPE } from "./rollup";

const HOUR_MS = 3_600_000;
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
  const { rows } = await pool().query<Record<string, unknown> & LatestRow>(
    `select g.id as "gpuId", g.resource_id as "resourceId", g.source_id as "sourceId", g.uuid, g.mig, g.position, g.model, g.driver_version as "driverVersion",
            g.memory_mib as "memoryMib", g.power_limit_w as "powerLimitW", g.attrs, l.at, coalesce(t.interval_ms, 10000) as "intervalMs",
            l.throttle_reasons as "throttleReasons", l.ecc_uncorrected as "eccUncorrected", l.missing::float8 as missing,
            ${WIDE_COLUMNS.map((c) => `l.${c}`).join(", ")}
     from gpu g join resource r on r.id = g.resource_id left join gpu_latest l on l.gpu_id = g.id left join telemetry_source t on t.id = g.source_id
     where ${resourceIds ? "g.resource_id = any ($1::uuid[])" : "r.gone_at is null"} order by g.resource_id, g.position, g.mig`,
    resourceIds ? [resourceIds] : [],
  );
  return rows.map((row) => ({ ...row, values: pickValues(row) }));
}

function pickValues(row: Record<string, unknown>): Record<WideMetric, number | null> {
  // The columns are the catalogue's own, selected above.
  return Object.fromEntries(WIDE_METRICS.map((m) => [m, row[columnOf(m)] as number | null])) as Record<
    WideMetric,
    number | null
  >;
}

export type SeriesRow = { at: Date; n: number; sum: number; min: number; max: number };

/** A metric as SQL over a sample or hour row, with its GPU as `g`. Closed list; nothing of a request gets in. */
function sampleSql(metric: Metric): string {
  return metric === "memoryUsedPct"
    ? "(s.memory_used_mib * 100.0 / nullif(g.memory_mib, 0))"
    : `s.${METRICS[metric].column}`;
}

/**
 * A metric of some GPUs together in the steps of a range: mean over samples, lowest and highest. From hours where the step
 * is an hour or more, else from samples. A step without samples is null.
 */
export async function readSeries(gpuIds: number[], metric: Metric, range: Range): Promise<SeriesColumns> {
  const rows =
    range.stepMs >= HOUR_MS ? await hourRows(gpuIds, metric, range) : await sampleRows(gpuIds, metric, range);
  return toColumns(rows, range);
}

async function sampleRows(gpuIds: number[], metric: Metric, { stepMs, from, to }: Range): Promise<SeriesRow[]> {
  const value = sampleSql(metric);
  const { rows } = await pool().query<SeriesRow>(
    `select date_bin(make_interval(secs => $4), s.at, 'epoch') as at, count(${value})::int as n, sum(${value}::float8)::float8 as sum,
            min(${value})::float8 as min, max(${value})::float8 as max
     from gpu_sample s join gpu g on g.id = s.gpu_id
     where s.gpu_id = any ($1) and s.at >= $2 and s.at < $3 group by 1 having count(${value}) > 0`,
    [gpuIds, new Date(from), new Date(to), stepMs / 1000],
  );
  return rows;
}

async function hourRows(gpuIds: number[], metric: Metric, { stepMs, from, to }: Range): Promise<SeriesRow[]> {
  const c = metric === "memoryUsedPct" ? "memory_used_mib" : METRICS[metric].column;
  const scale = metric === "memoryUsedPct" ? "* 100.0 / nullif(g.memory_mib, 0)" : "";
  const { rows } = await pool().query<SeriesRow>(
    `select date_bin(make_interval(secs => $4), s.hour, 'epoch') as at, sum(s.${c}_n)::int as n, sum(s.${c}_sum ${scale})::float8 as sum,
            min(s.${c}_min ${scale})::float8 as min, max(s.${c}_max ${scale})::float8 as max
     from gpu_hour s join gpu g on g.id = s.gpu_id
     where s.gpu_id = any ($1) and s.hour >= $2 and s.hour < $3 group by 1 having sum(s.${c}_n) > 0`,
    [gpuIds, new Date(from), new Date(to), stepMs / 1000],
  );
  return rows;
}

function toColumns(rows: SeriesRow[], { stepMs, from, to }: Range): SeriesColumns {
  const count = Math.round((to - from) / stepMs);
  const empty = <T>(value: T) => new Array<T>(count).fill(value);
  const columns: SeriesColumns = {
    at: Array.from({ length: count }, (_, i) => from + i * stepMs),
    mean: empty<number | null>(null),
    min: empty<number | null>(null),
    max: empty<number | null>(null),
    n: empty(0),
  };
  for (const row of rows) {
    const i = Math.round((row.at.getTime() - from) / stepMs);
    if (i < 0 || i >= count) continue;
    columns.mean[i] = row.sum / row.n;
    columns.min[i] = row.min;
    columns.max[i] = row.max;
    columns.n[i] = row.n;
  }
  return columns;
}

/** The mean of a metric per machine in the steps of a range, machines without samples left out. */
export async function readMachineMeans(
  resourceIds: string[],
  metric: Metric,
  { stepMs, from, to }: Range,
): Promise<Map<string, (number | null)[]>> {
  const isHourly = stepMs >= HOUR_MS;
  const c = metric === "memoryUsedPct" ? "memory_used_mib" : METRICS[metric].column;
  const scale = metric === "memoryUsedPct" ? "* 100.0 / nullif(g.memory_mib, 0)" : "";
  const { rows } = await pool().query<{ id: string; at: Date; mean: number }>(
    isHourly
      ? `select g.resource_id as id, date_bin(make_interval(secs => $4), s.hour, 'epoch') as at, (sum(s.${c}_sum ${scale}) / nullif(sum(s.${c}_n), 0))::float8 as mean
         from gpu_hour s join gpu g on g.id = s.gpu_id where g.resource_id = any ($1::uuid[]) and s.hour >= $2 and s.hour < $3 group by 1, 2 having sum(s.${c}_n) > 0`
      : `select g.resource_id as id, date_bin(make_interval(secs => $4), s.at, 'epoch') as at, avg(s.${c} ${scale})::float8 as mean
         from gpu_sample s join gpu g on g.id = s.gpu_id where g.resource_id = any ($1::uuid[]) and s.at >= $2 and s.at < $3 and s.${c} is not null group by 1, 2`,
    [resourceIds, new Date(from), new Date(to), stepMs / 1000],
  );
  const count = Math.round((to - from) / stepMs);
  const result = new Map<string, (number | null)[]>();
  for (const { id, at, mean } of rows) {
    const line = result.get(id) ?? new Array<number | null>(count).fill(null);
    const i = Math.round((at.getTime() - from) / stepMs);
    if (i >= 0 && i < count) line[i] = mean;
    result.set(id, line);
  }
  return result;
}

/** The fleet's distribution of a metric in the steps of a range; steps are five minutes at least. Null: nobody reported. */
export async function readFleetDistribution(metric: Metric, range: Range): Promise<(Distribution | null)[]> {
  const spec = METRICS[metric].distribution;
  if (!spec || range.stepMs < FIVE_MINUTES_MS)
    throw new Error(`No fleet distribution of ${metric} in steps of ${range.stepMs} ms`);
  const table = range.stepMs >= HOUR_MS ? "metric_dist_hour" : "metric_dist";
  const { rows } = await pool().query<{ at: Date; n: number; sum: number; min: number; max: number; bins: Buffer }>(
    `select at, n, sum, min, max, bins from ${table} where scope = $1 and metric = $2 and at >= $3 and at < $4`,
    [FLEET_SCOPE, spec.id, new Date(range.from), new Date(range.to)],
  );
  const result = new Array<Distribution | null>(Math.round((range.to - range.from) / range.stepMs)).fill(null);
  for (const { at, bins, ...row } of rows) {
    const i = Math.floor((at.getTime() - range.from) / range.stepMs);
    result[i] = mergeDistributions(result[i] ?? null, { ...row, bins: decodeBins(bins, spec.count) });
  }
  return result;
}

export type ProcessSpan = {
  gpuId: number;
  validFrom: Date;
  lastSeenAt: Date;
  processes: { pid: number; name: string | null; usedMib: number | null }[];
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
  memoryUsedMib: number | null;
  hasProcess: boolean | null;
};

/** One row per GPU and minute with samples: how busy it was at most, what it held, and whether a process was seen. */
export async function listMinutes(resourceIds: string[], from: Date, to: Date): Promise<MinuteRow[]> {
  const { rows } = await pool().query<MinuteRow>(
    `select m.*, p.has as "hasProcess" from (
       select s.gpu_id as "gpuId", g.resource_id as "resourceId", date_trunc('minute', s.at) as at,
              max(coalesce(greatest(s.sm_active_pct, s.tensor_active_pct, s.dram_active_pct), s.utilization_pct))::float8 as "effectivePct",
              max(s.memory_used_mib)::float8 as "memoryUsedMib"
       from gpu_sample s join gpu g on g.id = s.gpu_id
       where g.resource_id = any ($1::uuid[]) and s.at >= $2 and s.at < $3 group by 1, 2, 3) m
     left join lateral (
       select bool_or(jsonb_array_length(x.processes) > 0) as has from gpu_process_span x
       where x.gpu_id = m."gpuId" and x.valid_from < m.at + interval '1 minute' and x.last_seen_at >= m.at - interval '2 minutes') p on true
     order by 1, 3`,
    [resourceIds, from, to],
  );
  return rows;
}

export type Bounds = { from: Date | null; to: Date | null };

/** When the newest sample of anything came in. */
export async function newestSampleAt(): Promise<Date | null> {
  const { rows } = await pool().query<{ at: Date | null }>(
    "select max(l.at) as at from gpu_latest l join gpu g on g.id = l.gpu_id join resource r on r.id = g.resource_id where r.gone_at is null",
  );
  return rows[0]?.at ?? null;
}
