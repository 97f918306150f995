import type pg from "pg";
import { pool } from "@/lib/db/client";
import { type BinSpec, DISTRIBUTED_METRICS, METRICS, type Metric } from "@/lib/domain/telemetry/catalogue";
import { type Distribution, decodeBins, encodeBins, mergeDistributions } from "@/lib/domain/telemetry/distribution";
import { WIDE_COLUMNS } from "./columns";

const HOUR_COLUMNS = [
  "hour",
  ...WIDE_COLUMNS.map((c) => `${c}_sum`),
  "gpu_id",
  ...WIDE_COLUMNS.flatMap((c) => [`${c}_min`, `${c}_max`]),
  ...WIDE_COLUMNS.map((c) => `${c}_n`),
  "samples",
];

const HOUR_SELECT = [
  "date_trunc('hour', s.at, 'UTC')",
  ...WIDE_COLUMNS.map((c) => `sum(s.${c}::float8)`),
  "s.gpu_id",
  ...WIDE_COLUMNS.flatMap((c) => [`min(s.${c})`, `max(s.${c})`]),
  ...WIDE_COLUMNS.map((c) => `count(s.${c})`),
  "count(*)",
].join(", ");

const HOUR_UPSERT = `on conflict (gpu_id, hour) do update set ${HOUR_COLUMNS.filter(
  (c) => c !== "gpu_id" && c !== "hour",
)
  .map((c) => `${c} = excluded.${c}`)
  .join(", ")}`;

/** How a distributed metric is computed from a sample `s` of GPU `g`. */
const EXPRESSIONS: Partial<Record<Metric, string>> = {
  memoryUsedPct: "s.memory_used_mib * 100.0 / nullif(g.memory_mib, 0)",
};

const DISTRIBUTED: { metric: Metric; spec: BinSpec; sql: string }[] = DISTRIBUTED_METRICS.flatMap((metric) => {
  const spec = METRICS[metric].distribution;
  return spec ? [{ metric, spec, sql: EXPRESSIONS[metric] ?? `s.${METRICS[metric].column}` }] : [];
});

const BINS = `
  select date_bin('5 minutes', s.at, 'epoch') as bucket, m.id as metric,
         least(m.count - 1, greatest(0, floor((m.v - m.lower) / m.width)))::int as bin,
         count(*)::int as n, sum(m.v)::float8 as sum, min(m.v)::float8 as min, max(m.v)::float8 as max
  from gpu_sample s join gpu g on g.id = s.gpu_id
  cross join lateral (values ${DISTRIBUTED.map(({ spec, sql }) => `(${spec.id}, ${spec.lower}::float8, ${spec.width}::float8, ${spec.count}, (${sql})::float8)`).join(", ")})
    as m (id, lower, width, count, v)
  where g.resource_id is not null and m.v is not null`;

/** The whole fleet as one scope; labels and types get their own when somebody asks by them. */
export const FLEET_SCOPE = "fleet";

const ROWS_AT_ONCE = 20_000;

/**
 * Derives hours and distributions anew where samples came in, in the transaction that takes the marks. Whole values
 * replace whole values, so a repetition is harmless. Returns how many marks were taken.
 */
export async function rollUpDirty(): Promise<number> {
  return inTransaction(async (client) => {
    const { rows: dirty } = await client.query<{ gpuId: number; bucket: Date }>(
      `delete from telemetry_dirty where (gpu_id, bucket) in (select gpu_id, bucket from telemetry_dirty order by bucket desc limit $1 for update skip locked)
       returning gpu_id as "gpuId", bucket`,
      [ROWS_AT_ONCE],
    );
    if (dirty.length === 0) return 0;
    const hours = new Map<string, { gpuId: number; hour: number }>();
    for (const { gpuId, bucket } of dirty) {
      const hour = Math.floor(bucket.getTime() / 3_600_000) * 3_600_000;
      hours.set(`${gpuId} ${hour}`, { gpuId, hour });
    }
    const given = [...hours.values()];
    await client.query(
      `insert into gpu_hour (${HOUR_COLUMNS.join(", ")})
       select ${HOUR_SELECT} from unnest($1::int[], $2::timestamptz[]) as d (gpu_id, hour)
       join gpu_sample s on s.gpu_id = d.gpu_id and s.at >= d.hour and s.at < d.hour + interval '1 hour'
       group by s.gpu_id, date_trunc('hour', s.at, 'UTC') ${HOUR_UPSERT}`,
      [given.map((g) => g.gpuId), given.map((g) => new Date(g.hour))],
    );
    const buckets = [...new Set(dirty.map(({ bucket }) => bucket.getTime()))].map((at) => new Date(at));
    const { rows } = await client.query<BinRow>(
      `${BINS} and s.at >= (select min(b) from unnest($1::timestamptz[]) b) and s.at < (select max(b) from unnest($1::timestamptz[]) b) + interval '5 minutes'
       and date_bin('5 minutes', s.at, 'epoch') = any ($1::timestamptz[]) group by 1, 2, 3`,
      [buckets],
    );
    await replaceDistributions(client, rows);
    return dirty.length;
  });
}

/** Derives everything of [from, to) anew: after a bulk load, and to check that derived rows are what they should be. */
export async function rollUpRange(from: Date, to: Date): Promise<void> {
  await inTransaction(async (client) => {
    await client.query(
      `insert into gpu_hour (${HOUR_COLUMNS.join(", ")}) select ${HOUR_SELECT} from gpu_sample s where s.at >= $1 and s.at < $2
       group by s.gpu_id, date_trunc('hour', s.at, 'UTC') ${HOUR_UPSERT}`,
      [from, to],
    );
    const { rows } = await client.query<BinRow>(`${BINS} and s.at >= $1 and s.at < $2 group by 1, 2, 3`, [from, to]);
    await replaceDistributions(client, rows);
  });
}

type BinRow = { bucket: Date; metric: number; bin: number; n: number; sum: number; min: number; max: number };

async function replaceDistributions(client: pg.PoolClient, rows: BinRow[]): Promise<void> {
  const found = new Map<string, { at: Date; metric: number; dist: Distribution }>();
  for (const { bucket, metric, bin, n, sum, min, max } of rows) {
    const count = DISTRIBUTED.find((one) => one.spec.id === metric)?.spec.count ?? 0;
    const bins = new Array<number>(count).fill(0);
    bins[bin] = n;
    const key = `${metric} ${bucket.getTime()}`;
    const dist = mergeDistributions(found.get(key)?.dist ?? null, { n, sum, min, max, bins });
    if (dist) found.set(key, { at: bucket, metric, dist });
  }
  const written = [...found.values()];
  await upsertDistributions(client, "metric_dist", written);
  await totalHours(client, written);
}

/** An hour's distribution is its twelve five-minute ones added up. */
async function totalHours(client: pg.PoolClient, written: { at: Date; metric: number }[]): Promise<void> {
  if (written.length === 0) return;
  const hours = [...new Set(written.map(({ at }) => Math.floor(at.getTime() / 3_600_000)))].map(
    (hour) => new Date(hour * 3_600_000),
  );
  const { rows } = await client.query<{
    hour: Date;
    metric: number;
    n: number;
    sum: number;
    min: number;
    max: number;
    bins: Buffer;
  }>(
    `select date_trunc('hour', d.at, 'UTC') as hour, d.metric, d.n, d.sum, d.min, d.max, d.bins
     from unnest($2::timestamptz[]) as h (hour) join metric_dist d on d.at >= h.hour and d.at < h.hour + interval '1 hour' where d.scope = $1`,
    [FLEET_SCOPE, hours],
  );
  const totals = new Map<string, { at: Date; metric: number; dist: Distribution }>();
  for (const { hour, metric, bins, ...row } of rows) {
    const count = DISTRIBUTED.find((one) => one.spec.id === metric)?.spec.count ?? 0;
    const key = `${metric} ${hour.getTime()}`;
    const dist = mergeDistributions(totals.get(key)?.dist ?? null, { ...row, bins: decodeBins(bins, count) });
    if (dist) totals.set(key, { at: hour, metric, dist });
  }
  await upsertDistributions(client, "metric_dist_hour", [...totals.values()]);
}

async function upsertDistributions(
  client: pg.PoolClient,
  table: "metric_dist" | "metric_dist_hour",
  rows: { at: Date; metric: number; dist: Distribution }[],
): Promise<void> {
  if (rows.length === 0) return;
  await client.query(
    `insert into ${table} (scope, metric, at, n, sum, min, max, bins)
     select $1, * from unnest($2::smallint[], $3::timestamptz[], $4::int[], $5::float8[], $6::real[], $7::real[], $8::bytea[])
     on conflict (scope, metric, at) do update set n = excluded.n, sum = excluded.sum, min = excluded.min, max = excluded.max, bins = excluded.bins`,
    [
      FLEET_SCOPE,
      rows.map((r) => r.metric),
      rows.map((r) => r.at),
      rows.map((r) => r.dist.n),
      rows.map((r) => r.dist.sum),
      rows.map((r) => r.dist.min),
      rows.map((r) => r.dist.max),
      rows.map((r) => Buffer.from(encodeBins(r.dist.bins))),
    ],
  );
}

/** One derivation at a time: a total of what another has not committed yet would be wrong for good. */
async function inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool().connect();
  try {
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock(hashtext('roll-up'))");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}
