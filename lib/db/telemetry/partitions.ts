import { pool } from "@/lib/db/client";

const DAILY = ["gpu_sample", "metric_dist"];
const MONTHLY = ["gpu_hour", "metric_dist_hour"];

/** Makes the partitions that rows of [from, to) need; harmless when they exist. */
export async function ensurePartitions(from: Date, to: Date): Promise<void> {
  for (const table of DAILY)
    await pool().query("select ensure_partitions($1::regclass, interval '1 day', $2, $3)", [table, from, to]);
  for (const table of MONTHLY)
    await pool().query("select ensure_partitions($1::regclass, interval '1 month', $2, $3)", [table, from, to]);
}

export type Retention = { samples: Date; distributions: Date; hours: Date };

/** Drops what is older, whole partitions at a time. Returns how many went. */
export async function dropPartitions({ samples, distributions, hours }: Retention): Promise<number> {
  const limits: [string, Date][] = [
    ["gpu_sample", samples],
    ["metric_dist", distributions],
    ["gpu_hour", hours],
    ["metric_dist_hour", hours],
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

export type TableSize = { table: string; bytes: number; rows: number; from: Date | null };

/** What each level of telemetry takes on disk. */
export async function tableSizes(): Promise<TableSize[]> {
  const { rows } = await pool().query<{ table: string; bytes: string; rows: string }>(
    `select p.relname as table, sum(pg_total_relation_size(c.oid))::text as bytes, sum(greatest(c.reltuples, 0))::bigint::text as rows
     from pg_class p join pg_inherits i on i.inhparent = p.oid join pg_class c on c.oid = i.inhrelid
     where p.relname = any ($1) group by 1 order by 1`,
    [[...DAILY, ...MONTHLY]],
  );
  return rows.map((row) => ({ table: row.table, bytes: Number(row.bytes), rows: Number(row.rows), from: null }));
}
