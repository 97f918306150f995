import { pool } from "@/lib/db/client";

export type LoggedDelivery = {
  id: string;
  at: Date;
  finishedAt: Date | null;
  channelId: string;
  channel: string;
  kind: string;
  headline: string | null;
  alertId: string | null;
  news: number;
  attempt: number;
  isLast: boolean;
  /** Of its first item, as it stands. */
  state: "queued" | "sending" | "delivered" | "dead" | "dropped";
  nextAt: Date;
  statusCode: number | null;
  error: string | null;
};

/** Tries to hand messages over, the newest first. A message is known by the first of its items. */
export async function listDeliveries(channelId: string | null, limit: number): Promise<LoggedDelivery[]> {
  const { rows } = await pool().query<LoggedDelivery>(
    `select d.id, d.started_at as at, d.finished_at as "finishedAt", d.channel_id as "channelId", c.name as channel, o.kind,
            case when a.id is not null then r.name || ', ' || a.target_name end as headline, o.alert_id as "alertId", d.rows as news,
            (select count(*) from delivery e where e.outbox_id = d.outbox_id and e.started_at <= d.started_at)::int as attempt,
            not exists (select 1 from delivery e where e.outbox_id = d.outbox_id and e.started_at > d.started_at) as "isLast",
            o.state::text as state, o.next_at as "nextAt", d.status_code as "statusCode", d.error
     from delivery d join outbox o on o.id = d.outbox_id join channel c on c.id = d.channel_id
     left join alert a on a.id = o.alert_id left join alert_rule r on r.id = a.rule_id
     where $1::uuid is null or d.channel_id = $1 order by d.started_at desc, d.id desc limit $2`,
    [channelId, limit],
  );
  return rows;
}

/** What is queued or on its way, and when the first of it leaves. */
export async function countWaiting(channelId: string | null): Promise<{ count: number; nextAt: Date | null }> {
  const { rows } = await pool().query<{ count: number; nextAt: Date | null }>(
    `select count(*)::int as count, min(next_at) filter (where state = 'queued') as "nextAt" from outbox
     where state in ('queued', 'sending') and ($1::uuid is null or channel_id = $1)`,
    [channelId],
  );
  return rows[0] ?? { count: 0, nextAt: null };
}
