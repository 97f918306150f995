import { pool } from "./client";

export type ActRow = {
  key: string;
  at: Date;
  actorKind: "user" | "token" | "system" | "outside";
  actor: string;
  action: string;
  subjectKind: string;
  subjectId: string | null;
  subject: string;
  changes: unknown;
  reason: string | null;
  ip: string | null;
  seq: string | null;
  hash: string | null;
};

export type ActWhere = {
  kinds: ("user" | "token" | "system" | "outside")[] | null;
  prefixes: string[] | null;
  ownId: string | null;
  hasProvider: boolean;
  text: string;
  after: { at: Date; key: string } | null;
  limit: number;
};

const likeEscape = (text: string) => text.replaceAll(/[\\%_]/g, "\\$&");

/** What people, programs, the system and strangers did, from our trail and the provider's, the newest first. */
export async function listActs(where: ActWhere): Promise<ActRow[]> {
  const { rows } = await pool().query<ActRow>(
    `select * from (
       select 'a' || lpad(e.seq::text, 18, '0') as key, e.at, e.actor_kind::text as "actorKind", e.actor, e.action, e.subject_kind as "subjectKind",
              e.subject_id as "subjectId", e.subject, e.changes, e.reason, e.ip, e.seq::text as seq, encode(e.hash, 'hex') as hash
       from audit_event e
       where $1::text[] is null or e.action like any ($1) or e.actor_id = $2::uuid
       union all
       select 'p' || p.event_id, p.at, 'outside', coalesce(p.actor, p.api_key, 'unknown'), p.action, 'instance', p.resource_id::text,
              coalesce((select s.name from resource_span s where s.resource_id = p.resource_id order by s.valid_from desc limit 1), p.external_id, ''),
              '{}'::jsonb, null, null, null, null
       from provider_event p where $3) x
     where ($4::text[] is null or x."actorKind" = any ($4))
       and ($5 = '' or concat_ws(' ', x.actor, x.action, x.subject, x.reason) ilike $5)
       and ($6::timestamptz is null or (x.at, x.key) < ($6, $7))
     order by x.at desc, x.key desc limit $8`,
    [
      where.prefixes?.map((prefix) => `${likeEscape(prefix)}%`) ?? null,
      where.ownId,
      where.hasProvider,
      where.kinds,
      where.text === "" ? "" : `%${likeEscape(where.text)}%`,
      where.after?.at ?? null,
      where.after?.key ?? null,
      where.limit,
    ],
  );
  return rows;
}

/** Recomputes the hash of every entry from its content and the one before it. */
export async function checkChain(): Promise<{ entries: string; brokenAt: string | null; head: string | null }> {
  const { rows } = await pool().query<{ entries: string; brokenAt: string | null; head: string | null }>(
    `select count(*)::text as entries, min(seq) filter (where not ok)::text as "brokenAt",
            (array_agg(encode(hash, 'hex') order by seq desc))[1] as head
     from (select e.seq, e.hash,
                  e.hash = sha256(e.prev_hash || audit_canonical(e))
                  and e.prev_hash = lag(e.hash, 1, sha256('hopperdeck'::bytea)) over (order by e.seq)
                  and e.seq = row_number() over (order by e.seq) as ok
           from audit_event e) x`,
  );
  return rows[0] ?? { entries: "0", brokenAt: null, head: null };
}
