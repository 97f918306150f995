import { pool } from "./client";

/** Whether the database answers, and what it is. */
export async function askDatabase(): Promise<{
  version: string;
  migrations: number;
  mode: string | null;
  sizeBytes: number;
}> {
  const { rows } = await pool().query<{ version: string; migrations: number; mode: string | null; size: string }>(
    `select current_setting('server_version') as version, (select count(*)::int from _prisma_migrations) as migrations,
       (select value #>> '{}' from setting where id = 'mode') as mode, pg_database_size(current_database())::text as size`,
  );
  const [row] = rows;
  if (!row) throw new Error("no answer");
  return { version: row.version, migrations: row.migrations, mode: row.mode, sizeBytes: Number(row.size) };
}

/** When the worker last began something. */
export async function lastBeat(): Promise<Date | null> {
  const { rows } = await pool().query<{ at: Date | null }>("select max(started_at) as at from worker_job");
  return rows[0]?.at ?? null;
}

/** Machines that bill, and the newest sample among them. */
export async function billedTelemetry(): Promise<{ machines: number; newestAt: Date | null }> {
  const { rows } = await pool().query<{ machines: number; newest: Date | null }>(
    `select count(distinct r.id)::int as machines, max(l.at) as newest from resource r
     join resource_span s on s.resource_id = r.id and s.valid_to is null and s.status in ('active', 'unhealthy', 'unknown')
     left join telemetry_source t on t.resource_id = r.id left join source_latest l on l.source_id = t.id where r.kind = 'instance' and r.gone_at is null`,
  );
  return { machines: rows[0]?.machines ?? 0, newestAt: rows[0]?.newest ?? null };
}
