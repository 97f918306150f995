import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { pool } from "./client";
import { ensurePartitions } from "./telemetry/partitions";

/*
 * A backup is gzipped text: a JSON line that says what it is, then per table a JSON line with its columns, its rows as COPY
 * writes them, and a line "\." ; at the end a JSON line with the counts. It needs no pg_dump and fits every server version.
 */

const FORMAT = 1;
/** What is worth nothing later, or must not leave the house. */
const NEVER = new Set([
  "_prisma_migrations",
  "session",
  "rate_limit",
  "worker_job",
  "test_clock",
  "telemetry_dirty",
  "gpu_latest",
]);
/** Raw telemetry, by option: the hours and the newest values are always in. */
const SAMPLES = new Set(["gpu_sample", "gpu_chunk", "metric_dist", "series_sample", "telemetry_mark"]);
const PARTITIONED = new Set([
  "gpu_sample",
  "gpu_chunk",
  "gpu_hour",
  "metric_dist",
  "metric_dist_hour",
  "series_sample",
  "series_hour",
]);

export type BackupFacts = { format: number; madeAt: string; mode: string; migrations: string[]; withSamples: boolean };
export type BackupCounts = { tables: number; rows: number };

/** Writes a consistent copy of the database: everything as of one instant. The file has its name only once it is whole. */
export async function writeBackup(file: string, madeAt: Date, withSamples: boolean): Promise<BackupCounts> {
  const part = `${file}.part`;
  await rm(part, { force: true });
  const client = await pool().connect();
  const counts = { tables: 0, rows: 0 };
  let isWhole = false;
  try {
    await pipeline(
      contents(client, madeAt, withSamples, counts),
      createGzip({ level: 6 }),
      createWriteStream(part, { mode: 0o600, flags: "wx" }),
    );
    await rename(part, file);
    isWhole = true;
    return counts;
  } finally {
    // A connection in the middle of a COPY answers nothing else: it is closed.
    client.release(!isWhole);
    await rm(part, { force: true });
  }
}

async function* contents(
  client: pg.PoolClient,
  madeAt: Date,
  withSamples: boolean,
  counts: BackupCounts,
): AsyncGenerator<string | Buffer> {
  await client.query("begin isolation level repeatable read read only");
  const tables = (await listTables(client)).filter(
    ({ name }) => !NEVER.has(name) && (withSamples || !SAMPLES.has(name)),
  );
  const facts: BackupFacts = {
    format: FORMAT,
    madeAt: madeAt.toISOString(),
    mode: await readMode(client),
    migrations: await migrationsOf(client),
    withSamples,
  };
  yield `${JSON.stringify(facts)}\n`;
  for (const { name, columns } of tables) {
    yield `${JSON.stringify({ table: name, columns })}\n`;
    const list = columns.map(quoted).join(", ");
    const source = client.query(copyTo(`copy (select ${list} from ${quoted(name)}) to stdout`));
    for await (const chunk of source) yield chunk as Buffer;
    counts.tables++;
    counts.rows += source.rowCount;
    yield "\\.\n";
  }
  await client.query("commit");
  yield `${JSON.stringify({ end: true, ...counts })}\n`;
}

/** Reads what a backup says of itself. Throws when it is none. */
export async function readBackupFacts(file: string): Promise<BackupFacts> {
  for await (const line of linesOf(file)) {
    const facts = JSON.parse(line) as BackupFacts;
    if (facts.format === FORMAT) return facts;
    break;
  }
  throw new Error("not a backup");
}

/** Loads a backup into a database that holds nothing yet: all of it, or nothing. Foreign keys and triggers stand aside meanwhile. */
export async function readBackup(file: string): Promise<BackupCounts> {
  const client = await pool().connect();
  try {
    await client.query("begin");
    const known = new Map((await listTables(client)).map(({ name, columns }) => [name, columns]));
    const keys = await foreignKeys(client);
    for (const { table, name } of keys)
      await client.query(`alter table ${quoted(table)} drop constraint ${quoted(name)}`);
    for (const table of known.keys())
      if (!isPartitioned(table)) await client.query(`alter table ${quoted(table)} disable trigger user`);
    // Rows that a fresh database brings along stand in the backup, too.
    for (const table of ["cost_owner", "setting"]) await client.query(`delete from ${table}`);

    const counts = await loadTables(client, file, known);

    for (const table of known.keys())
      if (!isPartitioned(table)) await client.query(`alter table ${quoted(table)} enable trigger user`);
    for (const { table, name, definition } of keys)
      await client.query(`alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`);
    await resetSequences(client);
    await client.query("commit");
    return counts;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

async function loadTables(client: pg.PoolClient, file: string, known: Map<string, string[]>): Promise<BackupCounts> {
  let copying: ReturnType<typeof copyFrom> | null = null;
  let isFirst = true;
  let rows = 0;
  let tables = 0;
  for await (const line of linesOf(file)) {
    if (isFirst) {
      isFirst = false;
      continue;
    }
    if (copying) {
      if (line === "\\.") {
        await finish(copying);
        copying = null;
        continue;
      }
      rows++;
      if (!copying.write(`${line}\n`)) await once(copying, "drain");
      continue;
    }
    const entry = JSON.parse(line) as {
      table?: string;
      columns?: string[];
      end?: boolean;
      rows?: number;
      tables?: number;
    };
    if (entry.end) {
      if (entry.rows !== rows || entry.tables !== tables)
        throw new Error("the backup is damaged: its counts do not agree");
      return { rows, tables };
    }
    const { table = "", columns = [] } = entry;
    const own = known.get(table);
    if (!own || columns.some((column) => !own.includes(column)))
      throw new Error(`the backup holds ${table}, which this version does not know`);
    tables++;
    copying = client.query(copyFrom(`copy ${quoted(table)} (${columns.map(quoted).join(", ")}) from stdin`));
  }
  throw new Error("the backup is cut off: its end is missing");
}

/** Whether the database holds anything that a restore would mix with. */
export async function isEmpty(): Promise<boolean> {
  const { rows } = await pool().query<{ n: number }>(
    "select (select count(*) from app_user)::int + (select count(*) from resource)::int + (select count(*) from ledger_row)::int + (select count(*) from audit_event)::int as n",
  );
  return rows[0]?.n === 0;
}

/** What a fresh start has written by itself, and a backup brings with it. */
export async function clearFresh(): Promise<void> {
  await pool().query("delete from rule_eval");
  await pool().query("alter table alert_rule disable trigger user");
  await pool().query("delete from alert_rule");
  await pool().query("alter table alert_rule enable trigger user");
  await pool().query("delete from poll");
  for (const table of ["capacity_span", "catalog_item", "price", "instance_type", "connection", "token"])
    await pool().query(`delete from ${table}`);
}

/** Partitions that the samples of a backup need. */
export async function makeRoom(from: Date, to: Date): Promise<void> {
  await ensurePartitions(from, to);
}

async function listTables(client: pg.PoolClient): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     group by c.relname order by c.relname`,
  );
  return rows;
}

function isPartitioned(table: string): boolean {
  return PARTITIONED.has(table);
}

async function foreignKeys(client: pg.PoolClient): Promise<{ table: string; name: string; definition: string }[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`,
  );
  return rows.map((row) => ({ ...row, table: row.table.replace(/^"|"$/g, "") }));
}

async function resetSequences(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ sequence: string; table: string; column: string }>(
    `select s.oid::regclass::text as sequence, t.relname as table, a.attname as column from pg_class s
     join pg_depend d on d.objid = s.oid and d.deptype = 'a' join pg_class t on t.oid = d.refobjid
     join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace`,
  );
  for (const { sequence, table, column } of rows) {
    await client.query(
      `select setval('${sequence}', (select greatest(coalesce(max(${quoted(column)}), 0), 1) from ${quoted(table)}))`,
    );
  }
}

async function readMode(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query<{ mode: string }>("select value #>> '{}' as mode from setting where id = 'mode'");
  return rows[0]?.mode ?? "real";
}

async function migrationsOf(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select migration_name as name from _prisma_migrations where finished_at is not null order by 1",
  );
  return rows.map((row) => row.name);
}

/** The migrations that the connected database has. */
export async function listApplied(): Promise<string[]> {
  const client = await pool().connect();
  try {
    return await migrationsOf(client);
  } finally {
    client.release();
  }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const plain = source.pipe(createGunzip());
  source.once("error", (error) => plain.destroy(error));
  yield* createInterface({ input: plain, crlfDelay: Number.POSITIVE_INFINITY });
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function finish(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once("finish", resolve).once("error", reject);
    stream.end();
  });
}
