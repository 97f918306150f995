import { pool } from "@/lib/db/client";
import type { Retention } from "@/lib/domain/telemetry/store";
import { firstOpenHour } from "./seal";

const DAILY = ["gpu_sample", "gpu_chunk", "metric_dist", "series_sample"];
const MONTHLY = ["gpu_hour", "metric_dist_hour", "series_hour"];

/** Makes the partitions that rows of [from, to) need; harmless when they exist. */
export async function ensurePartitions(from: Date, to: Date): Promise<void> {
  for (const table of DAILY)
    await pool().query("select ensure_partitions($1::regclass, interval '1 day', $2, $3)", [table, from, to]);
  for (const table of MONTHLY)
    await pool().query("select ensure_partitions($1::regclass, interval '1 month', $2, $3)", [table, from, to]);
}

/** Drops what is older, whole partitions at a time. Returns how many went. */
export async function dropPartitions({ hot, samples, distributions, hours }: Retention): Promise<number> {
  const open = await firstOpenHour(pool(), hot);
  const limits: [string, Date][] = [
    ["gpu_sample", open && open < hot ? open : hot],
    ["gpu_chunk", samples],
    ["metric_dist", distributions],
    ["gpu_hour", hours],
    ["metric_dist_hour", hours],
    ["series_sample", samples],
    ["series_hour", hours],
  ];
  let dropped = 0;
  for (const [table, before] of limits) {
    const { rows } = await pool().query<{ n: number }>("select drop_partitions($1::regclass, $2) as n", [
      table,
      before,
    ]);
    dropped += rows[0]?.n ?? 0;
  }
  return dropped;
}

export type TableSize = {
  table: string;
  bytes: number;
  /** As the database last counted. */
  rows: number;
  /** Where its oldest partition with rows begins. */
  from: Date | null;
};

/** What each level of telemetry takes on disk. */
export async function tableSizes(): Promise<TableSize[]> {
  const { rows } = await pool().query<{ table: string; bytes: string; rows: string; from: Date | null }>(
    `select p.relname as table, sum(pg_total_relation_size(c.oid))::text as bytes, sum(greatest(c.reltuples, 0))::bigint::text as rows,
            min((regexp_match(pg_get_expr(c.relpartbound, c.oid), $x$FROM \\('([^']+)'\\)$x$))[1]::timestamptz) filter (where pg_relation_size(c.oid) > 0) as from
     from pg_class p join pg_inherits i on i.inhparent = p.oid join pg_class c on c.oid = i.inhrelid
     where p.relname = any ($1) group by 1 order by 1`,
    [[...DAILY, ...MONTHLY]],
  );
  return rows.map(({ table, bytes, rows: count, from }) => ({
    table,
    bytes: Number(bytes),
    rows: Number(count),
    from,
  }));
}
