import type pg from "pg";
import { pool } from "@/lib/db/client";
import { WIDE_METRICS } from "@/lib/domain/telemetry/catalogue";
import type { Outcome, SampleRow, Sent, Written } from "@/lib/domain/telemetry/store";
import { WIDE_COLUMNS } from "./columns";
import { CopyWriter, copyIn } from "./copy";
import { decodeBlock, encodeBlock, type Newest, newerOf, setOf } from "./latest-block";

const COLUMNS = ["at", "missing", "gpu_id", ...WIDE_COLUMNS, "throttle_reasons", "ecc_uncorrected", "quality"];
const COPY = `copy gpu_sample (${COLUMNS.join(", ")}) from stdin (format binary)`;
const ROW_BYTES = 2 + 4 * COLUMNS.length + 8 + 8 + 4 + 4 * WIDE_METRICS.length + 10;

const TYPES = ["timestamptz", "bigint", "int", ...WIDE_COLUMNS.map(() => "real"), "int", "int", "smallint"];
const GIVEN = `unnest(${TYPES.map((type, i) => `$${i + 1}::${type}[]`).join(", ")}) as given (${COLUMNS.join(", ")})`;
const INSERT = `with new as (insert into gpu_sample (${COLUMNS.join(", ")}) select * from ${GIVEN} on conflict do nothing returning gpu_id)
  select gpu_id as "gpuId", count(*)::int as n from new group by 1`;

const VALUES = [...WIDE_COLUMNS, "throttle_reasons", "ecc_uncorrected"];
const STORED = "gpu_sample s where s.gpu_id = given.gpu_id and s.at = given.at";
const CONFLICTS = `select given.gpu_id as "gpuId", count(*)::int as n from ${GIVEN} where exists (select 1 from ${STORED}
  and (${VALUES.map((c) => `s.${c} <> given.${c}`).join(" or ")})) group by 1`;

/** A reason per metric, 4 bits each: none where there is a value now, else the stronger one. */
const MISSING = WIDE_COLUMNS.map(
  (c, i) =>
    `case when coalesce(s.${c}, given.${c}) is null then greatest((coalesce(s.missing, 0) >> ${4 * i}) & 15, (coalesce(given.missing, 0) >> ${4 * i}) & 15) << ${4 * i} else 0 end`,
).join(" + ");
const COMPLETE = `with filled as (update gpu_sample s set missing = nullif(${MISSING}, 0), ${VALUES.map((c) => `${c} = coalesce(s.${c}, given.${c})`).join(", ")}
  from ${GIVEN} where s.gpu_id = given.gpu_id and s.at = given.at
    and (${VALUES.map((c) => `(s.${c} is null and given.${c} is not null)`).join(" or ")}) returning s.gpu_id)
  select gpu_id as "gpuId", count(*)::int as n from filled group by 1`;

/*
 * In one statement, the newest of each sender as one block, and the marks of what is to be derived anew. A block is replaced
 * at once where it speaks of the same GPUs and is newer; the others come back as not put, and are merged.
 */
const DERIVE = `with put as (
    insert into source_latest as l (source_id, at, received_at, gpu_set, data)
    select source_id, at, $5, gpu_set, substring($4::bytea from start for length)
    from unnest($1::uuid[], $2::timestamptz[], $3::bigint[], $8::int[], $9::int[]) as given (source_id, at, gpu_set, start, length)
    on conflict (source_id) do update set at = excluded.at, received_at = excluded.received_at, gpu_set = excluded.gpu_set, data = excluded.data
      where l.gpu_set = excluded.gpu_set and excluded.at > l.at
    returning source_id),
  marked as (insert into telemetry_mark (bucket, gpu_ids) select bucket, ids::int[] from unnest($6::timestamptz[], $7::text[]) as given (bucket, ids))
  select source_id as id from put`;

const BUCKET_MS = 300_000;
const COPY_ROWS = 250;
const LOT_ROWS = 250;
const UNIQUE_VIOLATION = "23505";
const DEADLOCK = "40P01";

/**
 * Stores samples, each GPU and instant once. What is large goes in two transactions beside each other, which are acknowledged
 * together: what one of them stored when the other fails is found there when it is sent again.
 */
export async function writeSamples(parts: readonly Sent[], receivedAt: Date): Promise<Written> {
  const lots = lotsOf(parts);
  const ends = await Promise.allSettled(lots.map((lot) => writeLot(lot, receivedAt)));
  const written = ends.map((end) => {
    if (end.status === "rejected") throw end.reason;
    return end.value;
  });
  if (written.every((one) => one === null)) return null;
  const all = new Map<number, Outcome>();
  for (const [i, lot] of lots.entries()) {
    for (const [gpuId, { inserted, completed, conflicts }] of written[i] ?? allNew(lot)) {
      const before = all.get(gpuId) ?? { inserted: 0, completed: 0, conflicts: 0 };
      all.set(gpuId, {
        inserted: before.inserted + inserted,
        completed: before.completed + completed,
        conflicts: before.conflicts + conflicts,
      });
    }
  }
  return all;
}

/** All the parts, or two halves of them where each is worth a transaction. */
function lotsOf(parts: readonly Sent[]): (readonly Sent[])[] {
  const count = parts.reduce((sum, part) => sum + part.rows.length, 0);
  if (count < 2 * LOT_ROWS) return [parts];
  let before = 0;
  const middle = parts.findIndex((part) => {
    before += part.rows.length;
    return before >= count / 2;
  });
  return [parts.slice(0, middle + 1), parts.slice(middle + 1)];
}

function allNew(parts: readonly Sent[]): Map<number, Outcome> {
  const outcomes = new Map<number, Outcome>();
  for (const { gpuId } of parts.flatMap((part) => part.rows))
    outcomes.set(gpuId, { inserted: (outcomes.get(gpuId)?.inserted ?? 0) + 1, completed: 0, conflicts: 0 });
  return outcomes;
}

/**
 * One transaction, with the newest of each GPU and the marks of what is to be derived anew. Where every row is new, which is
 * nearly always, it is COPY alone; else the rows are compared one by one.
 */
async function writeLot(parts: readonly Sent[], receivedAt: Date): Promise<Written> {
  const rows = parts.flatMap((part) => part.rows).sort((a, b) => a.gpuId - b.gpuId || a.at - b.at);
  if (rows.length === 0) return null;
  const client = await pool().connect();
  try {
    try {
      // What follows is made ready while the server copies.
      const [, derived] = await Promise.all([copyAll(client, rows, "begin"), derivedOf(parts, rows, receivedAt)]);
      await derive(client, derived);
      await client.query("commit");
      return null;
    } catch (error) {
      await client.query("rollback");
      if (!isCode(error, UNIQUE_VIOLATION) && !isCode(error, DEADLOCK)) throw error;
    }
    await client.query("begin");
    const written = await compare(client, rows);
    if ([...written.values()].some((one) => one.inserted + one.completed > 0))
      await derive(client, derivedOf(parts, rows, receivedAt));
    await client.query("commit");
    return written;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

async function compare(client: pg.PoolClient, rows: readonly SampleRow[]): Promise<ReadonlyMap<number, Outcome>> {
  const columns = toColumns(rows);
  const outcomes = new Map<number, Outcome>(
    rows.map((row) => [row.gpuId, { inserted: 0, completed: 0, conflicts: 0 }]),
  );
  const count = async (what: keyof Outcome, text: string) => {
    const { rows: counts } = await client.query<{ gpuId: number; n: number }>(text, columns);
    for (const { gpuId, n } of counts) Object.assign(outcomes.get(gpuId) ?? {}, { [what]: n });
  };
  await count("inserted", INSERT);
  await count("conflicts", CONFLICTS);
  await count("completed", COMPLETE);
  return outcomes;
}

type Block = { sourceId: string; newest: Newest[] };
/** The parameters of `DERIVE`, and all the blocks, of which some may have to be merged. */
type Derived = { values: unknown[]; blocks: Block[]; receivedAt: Date };

function derivedOf(parts: readonly Sent[], rows: readonly SampleRow[], receivedAt: Date): Derived {
  const marks = new Map<number, Set<number>>();
  for (const { gpuId, at } of rows) {
    const bucket = Math.floor(at / BUCKET_MS) * BUCKET_MS;
    const ids = marks.get(bucket) ?? new Set();
    ids.add(gpuId);
    marks.set(bucket, ids);
  }
  const blocks = parts
    .filter((part) => part.rows.length > 0)
    .map(({ sourceId, rows: own }) => ({ sourceId, newest: newestOf(own) }))
    .sort((a, b) => (a.sourceId < b.sourceId ? -1 : 1));
  // Looks of different instants in one block may be newer in part: such a block is merged, never put whole.
  const whole = blocks.filter(({ newest }) => newest.every((one) => one.at === newest[0]?.at));
  const data = whole.map((block) => encodeBlock(block.newest));
  let start = 1;
  const starts = data.map((block) => {
    start += block.length;
    return start - block.length;
  });
  const values = [
    arrayOf(whole.map((block) => block.sourceId)),
    arrayOf(whole.map((block) => new Date(block.newest[0]?.at ?? 0).toISOString())),
    arrayOf(whole.map((block) => setOf(block.newest.map((one) => one.gpuId)))),
    Buffer.concat(data),
    receivedAt,
    arrayOf([...marks.keys()].map((bucket) => new Date(bucket).toISOString())),
    [...marks.values()].map((ids) => arrayOf([...ids])),
    arrayOf(starts),
    arrayOf(data.map((block) => block.length)),
  ];
  return { values, blocks, receivedAt };
}

/** An array in PostgreSQL's own text, of values that have no comma, quote or space. */
function arrayOf(values: readonly (string | number)[]): string {
  return `{${values.join(",")}}`;
}

function newestOf(rows: readonly SampleRow[]): Newest[] {
  const newest = new Map<number, Newest>();
  for (const row of rows) {
    const before = newest.get(row.gpuId);
    newest.set(row.gpuId, before ? newerOf(row, before) : row);
  }
  return [...newest.values()];
}

async function derive(client: pg.PoolClient, { values, blocks, receivedAt }: Derived): Promise<void> {
  const { rows } = await client.query<{ id: string }>({ name: "samples-derive", text: DERIVE, values });
  if (rows.length === blocks.length) return;
  const put = new Set(rows.map((row) => row.id));
  const others = blocks.filter((block) => !put.has(block.sourceId));
  await mergeLatest(client, others, receivedAt);
}

async function mergeLatest(client: pg.PoolClient, blocks: Block[], receivedAt: Date): Promise<void> {
  const { rows } = await client.query<{ id: string; data: Buffer }>(
    "select source_id as id, data from source_latest where source_id = any ($1::uuid[]) order by source_id for update",
    [blocks.map((block) => block.sourceId)],
  );
  const stored = new Map(rows.map((row) => [row.id, decodeBlock(row.data)]));
  const merged = blocks.map(({ sourceId, newest }) => {
    const all = new Map((stored.get(sourceId) ?? []).map((one) => [one.gpuId, one]));
    for (const one of newest) {
      const before = all.get(one.gpuId);
      all.set(one.gpuId, before ? newerOf(before, one) : one);
    }
    return { sourceId, newest: [...all.values()] };
  });
  await putBlocks(client, merged, receivedAt);
}

async function putBlocks(client: pg.PoolClient, blocks: Block[], receivedAt: Date): Promise<void> {
  await client.query(
    `insert into source_latest (source_id, at, received_at, gpu_set, data)
     select source_id, at, $5, gpu_set, data from unnest($1::uuid[], $2::timestamptz[], $3::bigint[], $4::bytea[]) as given (source_id, at, gpu_set, data)
     on conflict (source_id) do update set at = excluded.at, received_at = excluded.received_at, gpu_set = excluded.gpu_set, data = excluded.data`,
    [
      blocks.map((block) => block.sourceId),
      blocks.map((block) => new Date(Math.max(...block.newest.map((one) => one.at)))),
      blocks.map((block) => setOf(block.newest.map((one) => one.gpuId))),
      blocks.map((block) => encodeBlock(block.newest)),
      receivedAt,
    ],
  );
}

/** The way in for a long history: COPY, and the derived rows afterwards. The samples must be new. */
export async function bulkSamples(batches: AsyncIterable<SampleRow[]> | Iterable<SampleRow[]>): Promise<number> {
  const client = await pool().connect();
  let count = 0;
  try {
    await client.query("begin");
    for await (const rows of batches) {
      count += rows.length;
      await copyIn(client, COPY, [encodeRows(rows)]);
    }
    await client.query("commit");
    return count;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

/** After a bulk load: the newest row of each GPU that has a sender and none yet. */
export async function finishBulk(receivedAt: Date): Promise<void> {
  const client = await pool().connect();
  try {
    const { rows } = await client.query<Record<string, unknown> & { sourceId: string; gpuId: number; at: Date }>(
      `select g.source_id as "sourceId", s.gpu_id as "gpuId", s.at, s.missing::float8 as missing, ${VALUES.map((c) => `s.${c}`).join(", ")}
       from gpu g cross join lateral (select * from gpu_sample where gpu_id = g.id order by at desc limit 1) s
       where g.source_id is not null and not exists (select 1 from source_latest l where l.source_id = g.source_id)`,
    );
    const blocks = new Map<string, Newest[]>();
    for (const row of rows) blocks.set(row.sourceId, [...(blocks.get(row.sourceId) ?? []), toNewest(row)]);
    const list = [...blocks].map(([sourceId, newest]) => ({ sourceId, newest }));
    if (list.length > 0) await putBlocks(client, list, receivedAt);
  } finally {
    client.release();
  }
}

function toNewest(row: Record<string, unknown> & { gpuId: number; at: Date }): Newest {
  // The columns are the catalogue's own, selected above.
  const number = (name: string) => row[name] as number | null;
  return {
    gpuId: row.gpuId,
    at: row.at.getTime(),
    values: Object.fromEntries(
      WIDE_METRICS.map((metric, i) => [metric, number(WIDE_COLUMNS[i] ?? "")]),
    ) as Newest["values"],
    throttleReasons: number("throttle_reasons"),
    eccUncorrected: number("ecc_uncorrected"),
    missing: number("missing"),
  };
}

/** One COPY for each few rows: PostgreSQL holds back up to a thousand and searches them all for each that it lets go. */
function copyAll(client: pg.PoolClient, rows: readonly SampleRow[], first: string): Promise<void> {
  const starts = Array.from({ length: Math.ceil(rows.length / COPY_ROWS) }, (_, i) => i * COPY_ROWS);
  function* bodies() {
    for (const start of starts) yield encodeRows(rows.slice(start, start + COPY_ROWS));
  }
  return copyIn(client, [first, ...starts.map(() => COPY)].join("; "), bodies());
}

function encodeRows(rows: readonly SampleRow[]): Buffer {
  const out = new CopyWriter(COLUMNS.length, 64 + rows.length * ROW_BYTES);
  for (const row of rows) {
    out.row();
    out.timestamp(row.at);
    out.int8(row.missing);
    out.int4(row.gpuId);
    for (const metric of WIDE_METRICS) out.float4(row.values[metric]);
    out.int4(row.throttleReasons);
    out.int4(row.eccUncorrected);
    out.int2(row.quality);
  }
  return out.end();
}

function toColumns(rows: readonly SampleRow[]): unknown[][] {
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

function isCode(error: unknown, code: string): boolean {
  return (error as { code?: string }).code === code;
}
