import { pool } from "@/lib/db/client";
import type { Range } from "@/lib/domain/telemetry/series";
import type { Aggregate } from "@/lib/domain/workload/summary";

const HOUR_MS = 3_600_000;
/** A value this much before the window is where the first rise in it begins. */
const BEFORE = "interval '5 minutes'";

// Closed list of expressions: nothing of a request gets into the text.
const OVER_SERIES = `
  select s.metric as name, s.labels ->> 'le' as le, coalesce(s.labels ->> 'outcome', s.labels ->> 'finished_reason', s.labels ->> 'status') as outcome,
         b.step as "stepAt", sum(b.mean)::float8 as "sumOfMeans", avg(b.mean)::float8 as "meanOfMeans", max(b.max)::float8 as highest,
         sum(b.increase)::float8 as increase, sum(b.increase * 1000.0 / nullif(b.covered, 0))::float8 as "ratePerSecond"
  from b join series s on s.id = b.series_id group by 1, 2, 3, 4`;

const SAMPLES = `with p as (
    select x.series_id, x.at, x.value, lag(x.value) over w as before, lag(x.at) over w as before_at
    from series_sample x where x.series_id = any ($1) and x.at >= $2::timestamptz - ${BEFORE} and x.at < $3 window w as (partition by x.series_id order by x.at)),
  b as (
    select series_id, date_bin(make_interval(secs => $4), at, 'epoch') as step, avg(value) as mean, max(value) as max,
           sum(case when before is null then null when value < before then value else value - before end) as increase,
           sum(extract(epoch from at - before_at) * 1000) as covered
    from p where at >= $2 group by 1, 2)
  ${OVER_SERIES}`;

// An hour that is not over, or that its series did not fill, has no rate: what is missing of it is not known.
const HOURS = `with p as (
    select x.*, lag(x.hour) over w as before_at, lead(x.hour) over w as after_at
    from series_hour x where x.series_id = any ($1) and x.hour >= $2::timestamptz - interval '1 day' and x.hour < $3 window w as (partition by x.series_id order by x.hour)),
  b as (
    select series_id, date_bin(make_interval(secs => $4), hour, 'epoch') as step, sum(sum) / nullif(sum(n), 0) as mean, max(max) as max,
           sum(increase) as increase,
           case when bool_and(before_at is not null and after_at is not null) then sum(extract(epoch from hour - before_at) * 1000) end as covered
    from p where hour >= $2 group by 1, 2)
  ${OVER_SERIES}`;

/**
 * What some series say together in the steps of a range: plain values, rises of counters with restarts taken out, and how much
 * that is per second of the time that was seen. From hours where the step is an hour or more, else from samples.
 */
export async function aggregateSeries(seriesIds: readonly number[], { from, to, stepMs }: Range): Promise<Aggregate[]> {
  if (seriesIds.length === 0) return [];
  const { rows } = await pool().query<Omit<Aggregate, "stepAt"> & { stepAt: Date }>(
    stepMs >= HOUR_MS ? HOURS : SAMPLES,
    [seriesIds, new Date(from), new Date(to), stepMs / 1_000],
  );
  return rows.map((row) => ({ ...row, stepAt: row.stepAt.getTime() }));
}

/** The same over one whole window, its end included, from samples or from hours. Rates are over the time in which values came. */
export async function aggregateWindow(
  seriesIds: readonly number[],
  from: number,
  to: number,
  by: "samples" | "hours",
): Promise<Aggregate[]> {
  if (seriesIds.length === 0) return [];
  const { rows } = await pool().query<Omit<Aggregate, "stepAt">>(
    by === "samples"
      ? `with p as (
           select x.series_id, x.at, x.value, lag(x.value) over w as before, lag(x.at) over w as before_at
           from series_sample x where x.series_id = any ($1) and x.at >= $2::timestamptz - ${BEFORE} and x.at <= $3 window w as (partition by x.series_id order by x.at)),
         b as (
           select series_id, $2::timestamptz as step, avg(value) as mean, max(value) as max,
                  sum(case when before is null then null when value < before then value else value - before end) as increase,
                  sum(extract(epoch from at - before_at) * 1000) as covered
           from p where at >= $2 group by 1)
         ${OVER_SERIES}`
      : `with b as (
           select h.series_id, $2::timestamptz as step, sum(h.sum) / nullif(sum(h.n), 0) as mean, max(h.max) as max, sum(h.increase) as increase,
                  extract(epoch from least(s.last_at, $3::timestamptz) - greatest(s.first_at, $2::timestamptz)) * 1000 as covered
           from series_hour h join series s on s.id = h.series_id
           where h.series_id = any ($1) and h.hour >= date_trunc('hour', $2::timestamptz, 'UTC') and h.hour < $3 group by h.series_id, s.first_at, s.last_at)
         ${OVER_SERIES}`,
    [seriesIds, new Date(from), new Date(to)],
  );
  return rows.map((row) => ({ ...row, stepAt: from }));
}

export type RunSeriesIds = { ids: number[]; isByInstance: boolean; lastAt: Date | null };

/**
 * The series that belong to a run: those that carry its name; of a metric that none of them tells, those of its instance (and of
 * its GPUs, where a series names one) that carry no run's name.
 */
export async function seriesOfRun(
  run: { id: string; resourceId: string | null; gpuIds: number[] },
  from: Date,
  to: Date,
): Promise<RunSeriesIds> {
  const { rows } = await pool().query<{ id: number; isOwn: boolean; lastAt: Date }>(
    `with found as (
       select s.id, s.run_id = $1 as own, regexp_replace(s.metric, '_(bucket|sum|count)$', '') as base, s.last_at
       from series s join telemetry_source t on t.id = s.source_id
       where s.last_at >= $4 and s.first_at < $5 and (s.run_id = $1 or (s.run_id is null and $2::uuid is not null and coalesce(s.resource_id, t.resource_id) = $2
         and (s.gpu_id is null or cardinality($3::int[]) = 0 or s.gpu_id = any ($3::int[])) and not s.labels ?| array['run', 'run_id', 'hopperdeck_run'])))
     select f.id, coalesce(f.own, false) as "isOwn", f.last_at as "lastAt" from found f
     where f.own or not exists (select 1 from found o where o.own and o.base = f.base) order by f.id limit 2000`,
    [run.id, run.resourceId, run.gpuIds, from, to],
  );
  const newest = Math.max(0, ...rows.map(({ lastAt }) => lastAt.getTime()));
  return {
    ids: rows.map(({ id }) => id),
    isByInstance: rows.some(({ isOwn }) => !isOwn),
    lastAt: newest > 0 ? new Date(newest) : null,
  };
}
