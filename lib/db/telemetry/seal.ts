import type pg from "pg";
import { WIDE_METRICS } from "@/lib/domain/telemetry/catalogue";
import { CHUNK_CODEC, decodeColumn, encodeColumn } from "@/lib/domain/telemetry/chunk";
import { alone } from "./alone";
import { SAMPLE_COLUMNS, storageOf, WIDE_COLUMNS } from "./columns";
import { CopyWriter, copyIn, copyOut } from "./copy";
import { DISTRIBUTED_COLUMNS, GroupTallies } from "./distributions";
import { collectRows, type GpuColumns, HOUR_MS, instant, listed } from "./hours";

const CHUNK_COLUMNS = ["gpu_id", "hour", "codec", "n", "at", ...SAMPLE_COLUMNS.map((column) => storageOf(column).name)];
const COPY_CHUNKS = `copy gpu_chunk (${CHUNK_COLUMNS.join(", ")}) from stdin (format binary)`;

const HOUR_COLUMNS = [
  "hour",
  ...WIDE_COLUMNS.map((c) => `${c}_sum`),
  "gpu_id",
  ...WIDE_COLUMNS.flatMap((c) => [`${c}_min`, `${c}_max`]),
  ...WIDE_COLUMNS.map((c) => `${c}_n`),
  "samples",
];
const COPY_HOURS = `copy gpu_hour (${HOUR_COLUMNS.join(", ")}) from stdin (format binary)`;

const DISTRIBUTED_PLACES = DISTRIBUTED_COLUMNS.map((column) => SAMPLE_COLUMNS.indexOf(column));
const NONE = new Float64Array();

/** So many GPUs of an hour are in memory at once: about 30 MB. */
const GPUS_AT_ONCE = 500;
/** A smallint counts them. */
const MOST_SAMPLES = 32_767;

/**
 * Seals the oldest hour that ended before `before` and is not sealed yet: per GPU one row of packed columns and one of sums,
 * in one transaction. Returns the hour, or null when there is none.
 */
export async function sealNextHour(before: Date): Promise<Date | null> {
  return alone(async (client) => {
    const hour = await firstOpenHour(client, before);
    if (!hour) return null;
    await sealAll(client, hour.getTime());
    await client.query("insert into telemetry_hour (hour, sealed_at) values ($1, $2)", [hour, before]);
    return hour;
  });
}

async function sealAll(client: pg.PoolClient, hour: number): Promise<void> {
  const ids = await gpusOf(client, hour);
  if (ids.length === 0) return;
  // Retention may have taken the place of an hour that waited long to be sealed.
  for (const [table, every] of [
    ["gpu_chunk", "1 day"],
    ["gpu_hour", "1 month"],
    ["metric_dist_hour", "1 month"],
  ])
    await client.query("select ensure_partitions($1::regclass, $2::interval, $3, $4)", [
      table,
      every,
      new Date(hour),
      new Date(hour + HOUR_MS),
    ]);
  const groups = await GroupTallies.ofHour(client, hour);
  await sealGpus(client, hour, ids, (gpuId, { at, columns }) =>
    groups.add(gpuId, { at, columns: DISTRIBUTED_PLACES.map((i) => columns[i] ?? NONE) }),
  );
  await groups.store(client, hour);
}

/** Makes anew what is sealed of some GPUs in an hour, and the hour's groups, which they may belong to. Call it alone. */
export async function resealGpus(client: pg.PoolClient, hour: number, gpuIds: readonly number[]): Promise<void> {
  await sealGpus(client, hour, gpuIds, () => {});
  const groups = await GroupTallies.ofHour(client, hour);
  const reader = await copyOut(
    client,
    `copy (select gpu_id, n, at, ${DISTRIBUTED_COLUMNS.map((column) => storageOf(column).name).join(", ")} from gpu_chunk
      where hour = ${instant(hour)}) to stdout (format binary)`,
  );
  while (reader.row()) {
    const gpuId = reader.int4();
    const n = reader.int2();
    const at = decodeColumn(reader.bytes(), n).map((offset) => hour + offset);
    groups.add(gpuId, { at, columns: DISTRIBUTED_COLUMNS.map(() => decodeColumn(reader.bytes(), n)) });
  }
  await groups.store(client, hour);
}

async function sealGpus(
  client: pg.PoolClient,
  hour: number,
  ids: readonly number[],
  also: (gpuId: number, samples: GpuColumns) => void,
): Promise<void> {
  for (let from = 0; from < ids.length; from += GPUS_AT_ONCE) {
    const some = ids.slice(from, from + GPUS_AT_ONCE);
    const reader = await copyOut(
      client,
      `copy (select gpu_id, at, ${SAMPLE_COLUMNS.map((column) => `s.${storageOf(column).name}`).join(", ")} from gpu_sample s
        where gpu_id in (${listed(some)}) and at >= ${instant(hour)} and at < ${instant(hour + HOUR_MS)}) to stdout (format binary)`,
    );
    const gpus = collectRows(reader, SAMPLE_COLUMNS);
    if (gpus.size === 0) continue;
    const where = `gpu_id in (${listed([...gpus.keys()])}) and hour = ${instant(hour)}`;
    await client.query(`delete from gpu_chunk where ${where}`);
    await copyIn(client, COPY_CHUNKS, [encodeChunks(gpus, hour)]);
    await client.query(`delete from gpu_hour where ${where}`);
    await copyIn(client, COPY_HOURS, [encodeHours(gpus, hour)]);
    for (const [gpuId, samples] of gpus) also(gpuId, samples);
  }
}

async function gpusOf(client: pg.PoolClient, hour: number): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    "select distinct gpu_id as id from gpu_sample where at >= $1 and at < $2 order by 1",
    [new Date(hour), new Date(hour + HOUR_MS)],
  );
  return rows.map((row) => row.id);
}

/** Which of these hours are sealed. */
export async function sealedOf(client: pg.PoolClient, hours: readonly number[]): Promise<number[]> {
  const { rows } = await client.query<{ hour: Date }>("select hour from telemetry_hour where hour = any ($1)", [
    hours.map((hour) => new Date(hour)),
  ]);
  return rows.map((row) => row.hour.getTime());
}

/** GPU-hours as sealed rows. What is packed is unpacked again and compared, before anything is written. */
function encodeChunks(gpus: ReadonlyMap<number, GpuColumns>, hour: number): Buffer {
  const out = new CopyWriter(CHUNK_COLUMNS.length, gpus.size * 5000);
  for (const [gpuId, { at, columns }] of gpus) {
    const n = at.length;
    if (n > MOST_SAMPLES)
      throw new Error(`GPU ${gpuId} has ${n} samples in one hour; a sealed hour holds ${MOST_SAMPLES}`);
    out.row();
    out.int4(gpuId);
    out.timestamp(hour);
    out.int2(CHUNK_CODEC);
    out.int2(n);
    out.bytes(
      packed(
        gpuId,
        at.map((one) => one - hour),
        false,
      ),
    );
    for (const [i, column] of SAMPLE_COLUMNS.entries())
      out.bytes(packed(gpuId, columns[i] ?? NONE, storageOf(column).type === "real"));
  }
  return out.end();
}

function packed(gpuId: number, values: Float64Array, isReal: boolean): Uint8Array | null {
  const bytes = encodeColumn(values, isReal);
  const back = decodeColumn(bytes, values.length);
  for (let i = 0; i < values.length; i++)
    if (!Object.is(back[i], values[i])) throw new Error(`A column of GPU ${gpuId} does not come back as it was sealed`);
  return bytes;
}

function encodeHours(gpus: ReadonlyMap<number, GpuColumns>, hour: number): Buffer {
  const out = new CopyWriter(HOUR_COLUMNS.length, gpus.size * 500);
  for (const [gpuId, { at, columns }] of gpus) {
    const sums = WIDE_METRICS.map((_, i) => summed(columns[i] ?? NONE));
    out.row();
    out.timestamp(hour);
    for (const { n, sum } of sums) out.float8(n === 0 ? null : sum);
    out.int4(gpuId);
    for (const { n, min, max } of sums) {
      out.float4(n === 0 ? null : min);
      out.float4(n === 0 ? null : max);
    }
    for (const { n } of sums) out.int2(n);
    out.int2(at.length);
  }
  return out.end();
}

function summed(values: Float64Array): { n: number; sum: number; min: number; max: number } {
  const total = { n: 0, sum: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    total.n += 1;
    total.sum += value;
    if (value < total.min) total.min = value;
    if (value > total.max) total.max = value;
  }
  return total;
}

const FIRST_OPEN = `select min(h.hour) as hour from (
    select b[1]::timestamptz as lower, b[2]::timestamptz as upper from pg_inherits i join pg_class c on c.oid = i.inhrelid
    cross join lateral regexp_match(pg_get_expr(c.relpartbound, c.oid), $x$FROM \\('([^']+)'\\) TO \\('([^']+)'\\)$x$) as b
    where i.inhparent = 'gpu_sample'::regclass) p
  cross join lateral generate_series(p.lower, least(p.upper, $1::timestamptz) - interval '1 hour', interval '1 hour') as h (hour)
  where not exists (select 1 from telemetry_hour t where t.hour = h.hour)`;

/** The first hour that ended before an instant and is not sealed. */
export async function firstOpenHour(client: Pick<pg.PoolClient, "query">, before: Date): Promise<Date | null> {
  const { rows } = await client.query<{ hour: Date | null }>(FIRST_OPEN, [before]);
  return rows[0]?.hour ?? null;
}
