import { pool } from "@/lib/db/client";
import type { DroppedRow, RefusalRow } from "@/lib/domain/telemetry/quality";

const SENDER = `t.id as "sourceId", t.hostname as sender,
  case when r.id is null then null else json_build_object('id', r.id, 'name', coalesce(s.name, left(r.external_id, 12))) end as instance`;
const JOINS = `left join resource r on r.id = t.resource_id left join resource_span s on s.resource_id = r.id and s.valid_to is null`;
const MOST = 500;

/** What was not stored since a day (UTC), of one machine or of all senders, the most frequent first. */
export async function listRefusals(since: Date, resourceId: string | null): Promise<RefusalRow[]> {
  const { rows } = await pool().query<Omit<RefusalRow, "lastAt"> & { lastAt: Date }>(
    `select ${SENDER}, x.reason::text as reason, sum(x.count)::float8 as count, max(x.last_at) as "lastAt",
            (array_agg(x.example order by x.last_at desc))[1] as example,
            case when g.id is null then null else json_build_object('id', g.id, 'position', g.position) end as gpu
     from ingest_refusal x join telemetry_source t on t.id = x.source_id ${JOINS} left join gpu g on g.id = x.gpu_id
     where x.day >= ($1::timestamptz at time zone 'UTC')::date and ($2::uuid is null or t.resource_id = $2)
     group by t.id, r.id, s.name, g.id, x.reason order by count desc, sender, g.position limit ${MOST}`,
    [since, resourceId],
  );
  return rows.map((row) => ({ ...row, lastAt: row.lastAt.getTime() }));
}

/** Senders that say that they threw samples away, of one machine or of all that are present. */
export async function listDropped(resourceId: string | null): Promise<DroppedRow[]> {
  const { rows } = await pool().query<DroppedRow>(
    `select ${SENDER}, (t.host->>'dropped')::float8 as count from telemetry_source t ${JOINS}
     where t.host->>'dropped' ~ '^[0-9]{1,15}$' and t.host->>'dropped' !~ '^0+$' and ${resourceId ? "t.resource_id = $1" : "$1::uuid is null and r.gone_at is null"}
     order by count desc limit ${MOST}`,
    [resourceId],
  );
  return rows;
}

/** How often the senders of a machine send, and since when. */
export async function machineSenders(resourceId: string): Promise<{ intervalMs: number; firstSeenAt: Date }[]> {
  const { rows } = await pool().query<{ intervalMs: number; firstSeenAt: Date }>(
    `select interval_ms as "intervalMs", first_seen_at as "firstSeenAt" from telemetry_source where resource_id = $1`,
    [resourceId],
  );
  return rows;
}
