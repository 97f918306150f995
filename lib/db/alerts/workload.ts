import { pool } from "@/lib/db/client";

/** The series that one run tells, or, where they carry no run's name, one machine. */
export type SeriesGroup = {
  runId: string | null;
  resourceId: string | null;
  seriesIds: number[];
  lastAt: Date;
};

/** Of everything that has told something since. A series belongs to its run alone where it names one. */
export async function listSeriesGroups(since: Date): Promise<SeriesGroup[]> {
  const { rows } = await pool().query<SeriesGroup>(
    `select s.run_id as "runId", case when s.run_id is null then coalesce(s.resource_id, t.resource_id) end as "resourceId",
            array_agg(s.id) as "seriesIds", max(s.last_at) as "lastAt"
     from series s join telemetry_source t on t.id = s.source_id where s.last_at > $1
     group by 1, 2 having s.run_id is not null or coalesce(s.run_id::text, max(coalesce(s.resource_id, t.resource_id)::text)) is not null`,
    [since],
  );
  return rows.filter(({ runId, resourceId }) => runId !== null || resourceId !== null);
}

export type JudgedRun = {
  id: string;
  externalId: string;
  name: string;
  workload: string;
  resourceId: string | null;
  startedAt: Date;
  expectedMs: number | null;
};

/** Runs that go on: nobody ended them, and their machine is there. */
export async function listOpenRuns(): Promise<JudgedRun[]> {
  const { rows } = await pool().query<JudgedRun>(
    `select u.id, u.external_id as "externalId", u.name, u.workload::text as workload, u.resource_id as "resourceId", u.started_at as "startedAt",
            u.expected_ms::float8 as "expectedMs"
     from run u left join resource r on r.id = u.resource_id where u.ended_at is null and r.gone_at is null order by u.started_at`,
  );
  return rows;
}

export type NamedSeries = {
  id: number;
  metric: string;
  labels: Record<string, string>;
  resourceId: string | null;
  at: Date[];
  values: number[];
};

/** The series of a name, with labels, and their samples of (from, to]. */
export async function readNamedSeries(
  metric: string,
  labels: Readonly<Record<string, string>>,
  from: Date,
  to: Date,
): Promise<NamedSeries[]> {
  const { rows } = await pool().query<NamedSeries>(
    `select s.id, s.metric, s.labels, coalesce(s.resource_id, t.resource_id) as "resourceId",
            coalesce(array_agg(x.at order by x.at) filter (where x.at is not null), '{}') as at,
            coalesce(array_agg(x.value order by x.at) filter (where x.at is not null), '{}') as values
     from series s join telemetry_source t on t.id = s.source_id
     left join series_sample x on x.series_id = s.id and x.at > $3 and x.at <= $4
     where s.metric = $1 and s.labels @> $2::jsonb and s.last_at > $3::timestamptz - interval '1 hour'
     group by s.id, t.resource_id limit 2000`,
    [metric, JSON.stringify(labels), from, to],
  );
  return rows;
}

/** How tasks of some machines and runs ended over a long window, and how many were fast enough. */
export type Outcomes = { good: number; bad: number };

const TOLD_BY = `coalesce(s.resource_id, t.resource_id, (select u.resource_id from run u where u.id = s.run_id))`;

/** Counted tasks by how they ended, from hours. Only what was said to be a success or a failure counts. */
export async function sumTasks(
  resourceIds: readonly string[] | null,
  from: Date,
  to: Date,
): Promise<{ outcome: string; count: number }[]> {
  const { rows } = await pool().query<{ outcome: string; count: number }>(
    `select coalesce(s.labels ->> 'outcome', s.labels ->> 'finished_reason', s.labels ->> 'status', '') as outcome, sum(h.increase)::float8 as count
     from series_hour h join series s on s.id = h.series_id join telemetry_source t on t.id = s.source_id
     where s.metric = 'tasks_total' and h.hour >= $2 and h.hour < $3 and ($1::uuid[] is null or ${TOLD_BY} = any ($1::uuid[])) group by 1`,
    [resourceIds, from, to],
  );
  return rows;
}

/** Counted requests by the bucket of how long they took. */
export async function sumLatency(
  resourceIds: readonly string[] | null,
  from: Date,
  to: Date,
): Promise<{ le: string; count: number }[]> {
  const { rows } = await pool().query<{ le: string; count: number }>(
    `select s.labels ->> 'le' as le, sum(h.increase)::float8 as count
     from series_hour h join series s on s.id = h.series_id join telemetry_source t on t.id = s.source_id
     where s.metric = 'task_latency_seconds_bucket' and s.labels ? 'le' and h.hour >= $2 and h.hour < $3
       and ($1::uuid[] is null or ${TOLD_BY} = any ($1::uuid[])) group by 1`,
    [resourceIds, from, to],
  );
  return rows;
}

/** Billed minutes of machines, and those in which they were silent or unhealthy. */
export async function sumAvailability(
  resourceIds: readonly string[] | null,
  fromDay: string,
  toDay: string,
): Promise<{ billed: number; lost: number }> {
  const { rows } = await pool().query<{ billed: number; lost: number }>(
    `select coalesce(sum(billed_minutes), 0)::float8 as billed, coalesce(sum(least(billed_minutes, silent_minutes + unhealthy_minutes)), 0)::float8 as lost
     from usage_day where day >= $2::date and day <= $3::date and ($1::uuid[] is null or resource_id = any ($1::uuid[]))`,
    [resourceIds, fromDay, toDay],
  );
  return rows[0] ?? { billed: 0, lost: 0 };
}
