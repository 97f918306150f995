import { pool } from "@/lib/db/client";

export type OpenEnd = { resourceId: string; since: Date };

/** Machines whose end was asked for, since the first request left us or could not leave; what waits for its turn is not meant. */
export async function listOpenEnds(): Promise<OpenEnd[]> {
  const { rows } = await pool().query<OpenEnd>(
    `select target_id as "resourceId", coalesce(sent_at, queued_at) as since from intent
     where kind = 'terminate' and settled_at is null and target_id is not null and queued_at is not null
       and (sent_at is not null or unsent > 0)`,
  );
  return rows;
}

export type NamedIntent = { id: string; kind: string; name: string; at: Date };

/** Launches that nobody answered: their machine is looked for, or was not found within the last hour. */
export async function listUnanswered(slot: Date): Promise<NamedIntent[]> {
  const { rows } = await pool().query<NamedIntent>(
    `select id, kind::text as kind, coalesce(request ->> 'name', id::text) as name, sent_at as at from intent
     where kind = 'launch' and sent_at is not null
       and (state = 'indeterminate' or (state = 'closed_unconfirmed' and settled_at > $1::timestamptz - interval '1 hour'))`,
    [slot],
  );
  return rows;
}

/** What was sent since an instant although a second person should have agreed. */
export async function listGlassBroken(since: Date): Promise<NamedIntent[]> {
  const { rows } = await pool().query<NamedIntent>(
    `select id, kind::text as kind, coalesce(request ->> 'name', id::text) as name, approved_at as at from intent
     where break_glass_reason is not null and approved_at >= $1`,
    [since],
  );
  return rows;
}

/** The break-glass account, where somebody has come in by it since an instant. */
export async function listGlassAccounts(since: Date): Promise<NamedIntent[]> {
  const { rows } = await pool().query<NamedIntent>(
    `select u.id, 'account' as kind, u.email as name, max(s.created_at) as at
     from session s join app_user u on u.id = s.user_id
     join setting g on g.id = 'breakGlass' and g.value ->> 'userId' = u.id::text
     where s.created_at >= $1 group by u.id, u.email`,
    [since],
  );
  return rows;
}

/** Machines that carry a mark of ours and belong to no launch that is known here. */
export async function listStrays(): Promise<Set<string>> {
  const { rows } = await pool().query<{ id: string }>(
    `select r.id from resource r
     join lateral (select tags from resource_span s where s.resource_id = r.id order by s.valid_from desc limit 1) s on true
     where r.kind = 'instance' and r.gone_at is null and r.launch_intent_id is null and s.tags ? 'hopperdeck-intent'`,
  );
  return new Set(rows.map(({ id }) => id));
}
