import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";

/** A database that must not be touched, said in a sentence fit for a terminal. */
export class MigrationError extends Error {}

export type Migration = { name: string; sql: string; checksum: string };

/** The reviewed SQL files, in order. Checksums are Prisma's: SHA-256 of the file. */
export function listMigrations(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((name) => existsSync(path.join(folder, name, "migration.sql")))
    .sort()
    .map((name) => {
      const sql = readFileSync(path.join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });
}

/**
 * Applies what is missing, each file in one transaction, under a lock, and fills `_prisma_migrations` as Prisma would.
 * Returns the names of the applied ones. A changed or an unknown migration in the database is refused.
 */
export async function migrate(databaseUrl: string, migrations: Migration[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: "hopperdeck-migrate" });
  await client.connect();
  try {
    const { rows: version } = await client.query<{ n: number }>(
      "select current_setting('server_version_num')::int as n",
    );
    if ((version[0]?.n ?? 0) < 150000) {
      throw new MigrationError(
        `The database is PostgreSQL ${Math.floor((version[0]?.n ?? 0) / 10000)}; Hopperdeck needs 15 or newer.`,
      );
    }
    await client.query("select pg_advisory_lock(hashtext('hopperdeck migrations'))");
    await client.query(`create table if not exists _prisma_migrations (
      id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz, migration_name varchar(255) not null,
      logs text, rolled_back_at timestamptz, started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`);
    const { rows } = await client.query<{ name: string; checksum: string }>(
      "select migration_name as name, checksum from _prisma_migrations where finished_at is not null and rolled_back_at is null",
    );
    const known = new Map(migrations.map((m) => [m.name, m]));
    for (const { name, checksum } of rows) {
      const file = known.get(name);
      if (!file)
        throw new MigrationError(
          `The database holds migration ${name}, which this version does not know: it was made by a newer Hopperdeck. Nothing was changed.`,
        );
      if (file.checksum !== checksum)
        throw new MigrationError(
          `Migration ${name} differs from the one that made this database. Restore the file; nothing was changed.`,
        );
    }
    const applied = new Set(rows.map((row) => row.name));
    const missing = migrations.filter((m) => !applied.has(m.name));
    for (const migration of missing) {
      try {
        await client.query("begin");
        await client.query(migration.sql);
        await client.query(
          `insert into _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count) values ($1, $2, now(), $3, now(), 1)`,
          [randomUUID(), migration.checksum, migration.name],
        );
        await client.query("commit");
      } catch (error) {
        await client.query("rollback").catch(() => {});
        throw new MigrationError(`Migration ${migration.name} failed and was undone: ${(error as Error).message}`);
      }
    }
    return missing.map((m) => m.name);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Writes the mode into a new database; refuses a start in the other one. */
export async function claimMode(databaseUrl: string, mode: "demo" | "real"): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: "hopperdeck-migrate" });
  await client.connect();
  try {
    await client.query(
      `insert into setting (id, value, updated_at) values ('mode', to_jsonb($1::text), hopperdeck_now()) on conflict (id) do nothing`,
      [mode],
    );
    const { rows } = await client.query<{ mode: string }>(
      "select value #>> '{}' as mode from setting where id = 'mode'",
    );
    const found = rows[0]?.mode;
    if (found !== mode) {
      throw new MigrationError(
        found === "demo"
          ? "This database holds the demo fleet, and LAMBDA_API_KEY asks for the real one. Point DATABASE_URL to another database; demo and real never share one."
          : "This database holds a real fleet, and without LAMBDA_API_KEY the demo would start in it. Set LAMBDA_API_KEY, or point DATABASE_URL to another database.",
      );
    }
  } finally {
    await client.end().catch(() => {});
  }
}
