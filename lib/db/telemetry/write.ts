import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { pool } from "@/lib/db/client";
import { WIDE_METRICS } from "@/lib/domain/telemetry/catalogue";
import { type SampleRow, WIDE_COLUMNS } from "./columns";

const COLUMNS = ["at", "missing", "gpu_id", ...WIDE_COLUMNS, "throttle_reasons", "ecc_uncorrected", "quality"];
const TYPES = ["timestamptz", "bigint", "int", ...WIDE_COLUMNS.map(() => "real"), "int", "int", "smallint"];
const GIVEN = `unnest(${TYPES.map((type, i) => `$${i + 1}::${type}[]`).join(", ")}) as given (${COLUMNS.join(", ")})`;

const INSERT = `insert into gpu_sample (${COLUMNS.join(", ")}) select * from ${GIVEN} on conflict do nothing`;

const VALUES = [...WIDE_COLUMNS, "throttle_reasons", "ecc_uncorrected"];
/** Samples that were there before with other values: the first one stays (alerts B22). */
const CONFLICTS = `select given.gpu_id as "gpuId", count(*)::int as n from ${GIVEN} join gpu_sample s on s.gpu_id = given.gpu_id and s.at = given.at
  where (${VALUES.map((c) => `s.${c}`).join(", ")}) is distinct from (${VALUES.map((c) => `given.${c}`).join(", ")}) group by 1`;

const LATEST_COLUMNS = ["at", "missing", "gpu_id", ...WIDE_COLUMNS, "throttle_reasons", "ecc_uncorrected"];
const LATEST = `insert into gpu_latest (received_at, ${LATEST_COLUMNS.join(", ")})
  select $${TYPES.length + 1}::timestamptz, ${LATEST_COLUMNS.join(", ")} from (
    select distinct on (gpu_id) * from ${GIVEN} order by gpu_id, at desc) newest
  on conflict (gpu_id) do update set received_at = excluded.received_at, ${LATEST_COLUMNS.filter((c) => c !== "gpu_id")
    .map((c) => `${c} = excluded.${c}`)
    .join(", ")} where excluded.at > gpu_latest.at`;

const DIRTY = `insert into telemetry_dirty (gpu_id, bucket)
  select distinct gpu_id, date_bin('5 minutes', at, 'epoch') from unnest($1::int[], $2::timestamptz[]) as given (gpu_id, at) order by 1, 2
  on conflict (gpu_id, bucket) do update set gpu_id = excluded.gpu_id`;

export type Written = { inserted: number; conflicts: { gpuId: number; n: number }[] };

/**
 * Stores samples, each GPU and instant once, with the newest of each GPU and the marks of what is to be derived anew: one
 * transaction, so that what is acknowledged is whole. A repetition is harmless.
 */
export async function writeSamples(rows: SampleRow[], receivedAt: Date): Promise<Written> {
  if (rows.length === 0) return { inserted: 0, conflicts: [] };
  const sorted = [...rows].sort((a, b) => a.gpuId - b.gpuId || a.at - b.at);
  const columns = toColumns(sorted);
  const client = await pool().connect();
  try {
    await client.query("begin");
    const { rowCount } = await client.query({ name: "samples-insert", text: INSERT, values: columns });
    const inserted = rowCount ?? 0;
    const conflicts =
      inserted < rows.length ? (await client.query<{ gpuId: number; n: number }>(CONFLICTS, columns)).rows : [];
    if (inserted > 0) {
      await client.query({ name: "samples-latest", text: LATEST, values: [...columns, receivedAt] });
      await client.query({ name: "samples-dirty", text: DIRTY, values: [columns[2], columns[0]] });
    }
    await client.query("commit");
    return { inserted, conflicts };
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

/** The way in for a long history: COPY, and the same derived rows afterwards. The samples must be new. */
export async function bulkSamples(batches: AsyncIterable<SampleRow[]> | Iterable<SampleRow[]>): Promise<number> {
  const client = await pool().connect();
  let count = 0;
  try {
    await client.query("begin");
    const stream = client.query(copyFrom(`copy gpu_sample (${COLUMNS.join(", ")}) from stdin`));
    const done = new Promise<void>((resolve, reject) => stream.once("finish", resolve).once("error", reject));
    for await (const rows of batches) {
      count += rows.length;
      if (!stream.write(rows.map(copyLine).join(""))) await new Promise((resolve) => stream.once("drain", resolve));
    }
    stream.end();
    await done;
    await client.query("commit");
    return count;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

/** After a bulk load: the newest row of each GPU, and everything marked to be derived. */
export async function finishBulk(receivedAt: Date): Promise<void> {
  await pool().query(
    `insert into gpu_latest (received_at, ${LATEST_COLUMNS.join(", ")})
     select $1, ${LATEST_COLUMNS.map((c) => `s.${c}`).join(", ")}
     from gpu g cross join lateral (select * from gpu_sample where gpu_id = g.id order by at desc limit 1) s
     on conflict (gpu_id) do nothing`,
    [receivedAt],
  );
}

function copyLine(row: SampleRow): string {
  const cells = [
    new Date(row.at).toISOString(),
    row.missing,
    row.gpuId,
    ...WIDE_METRICS.map((m) => row.values[m]),
    row.throttleReasons,
    row.eccUncorrected,
    row.quality,
  ];
  return `${cells.map((cell) => (cell === null ? "\\N" : String(cell))).join("\t")}\n`;
}

function toColumns(rows: SampleRow[]): unknown[][] {
  return [
    rows.map((row) => new Date(row.at)),
    rows.map((row) => row.missing),
    rows.map((row) => row.gpuId),
    ...WIDE_METRICS.map((metric) => rows.map((row) => row.values[metric])),
    rows.map((row) => row.throttleReasons),
    rows.map((row) => row.eccUncorrected),
    rows.map((row) => row.quality),
  ];
}

export type PgClient = pg.PoolClient;
