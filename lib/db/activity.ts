import type { HashedEntry } from "@/lib/domain/activity/trail";
import { pool } from "./client";

export type ActRow = {
  key: string;
  at: Date;
  source: "trail" | "log" | "listing";
  actorKind: "user" | "token" | "system" | "outside";
  actor: string;
  action: string;
  subjectKind: string;
  subjectId: string | null;
  subject: string;
  /** Whether the subject can still be looked at. */
  isThere: boolean;
  /** The trail: what changed, field by field. The provider's log: what it says besides. */
  changes: unknown;
  reason: string | null;
  ip: string | null;
  seq: string | null;
  hash: string | null;
};

export type ActWhere = {
  kinds: ActRow["actorKind"][] | null;
  prefixes: string[] | null;
  ownId: string | null;
  hasProvider: boolean;
  /** Our trail alone, or Lambda's log and listing alone. */
  source: "hopperdeck" | "lambda" | null;
  /** Beginnings of actions: those alone, or all but those. Of Lambda's records all or none. */
  what: { prefixes: string[]; isRest: boolean; hasLambda: boolean } | null;
  /** Part of the name of whoever did it, and of what it was done to. */
  by: string;
  on: string;
  from: Date | null;
  to: Date | null;
  text: string;
  /** Actions whose words contain the text: of the trail by name, of the provider's log by pattern. */
  named: { actions: string[]; logPattern: string | null; isOutsideOnly: boolean };
  after: { at: Date; key: string } | null;
  limit: number;
};

const likeEscape = (text: string) => text.replaceAll(/[\\%_]/g, "\\$&");

const NAME = (resource: string) =>
  `(select coalesce(s.name, '') from resource_span s where s.resource_id = ${resource} order by s.valid_from desc limit 1)`;

/* Each part is asked for one page by its own index, then the pages are merged. */

const TRAIL = `
  select 'a' || lpad(e.seq::text, 18, '0') as key, e.at, 'trail' as source, e.actor_kind::text as "actorKind", e.actor, e.action,
         e.subject_kind as "subjectKind", e.subject_id as "subjectId", e.subject,
         case when e.subject_kind = 'period' then true
              when e.subject_id !~ '^[0-9a-f-]{36}$' then false
              when e.subject_kind = 'rule' then exists (select 1 from alert_rule r where r.id = e.subject_id::uuid and r.deleted_at is null)
              when e.subject_kind = 'alert' then exists (select 1 from alert a where a.id = e.subject_id::uuid)
              when e.subject_kind = 'intent' then exists (select 1 from intent i where i.id = e.subject_id::uuid and i.kind = 'launch')
              else e.subject_kind = 'instance' end as "isThere",
         e.changes, e.reason, e.ip, e.seq::text as seq, encode(e.hash, 'hex') as hash
  from audit_event e
  where $1::text[] is null or e.action like any ($1) or e.actor_id = $2::uuid`;

/* An entry of the provider's log that echoes a request of ours is not somebody else's act. */
const LOG = `
  select 'p' || p.event_id as key, p.at, 'log' as source,
         case when p.action ~* 'launch|creat' and r.launch_intent_id is not null
                or p.action ~* 'terminat|delet|destroy' and exists (select 1 from intent i where i.target_id = p.resource_id
                     and i.kind = 'terminate' and i.sent_at < p.at + interval '5 minutes')
                or p.action ~* 'restart' and exists (select 1 from intent i where i.target_id = p.resource_id
                     and i.kind = 'restart' and i.sent_at between p.at - interval '5 minutes' and p.at + interval '5 minutes')
              then 'system' else 'outside' end as "actorKind",
         coalesce(p.api_key, p.actor, 'unknown') as actor,
         concat_ws(' ', nullif(p.detail->>'resource', 'instance'), p.action) as action, 'instance' as "subjectKind", p.resource_id::text as "subjectId",
         coalesce(nullif(${NAME("p.resource_id")}, ''), nullif(p.external_id, ''), 'the account') as subject,
         p.resource_id is not null as "isThere", p.detail as changes, null as reason, null as ip, null as seq, null as hash
  from provider_event p left join resource r on r.id = p.resource_id
  where $3`;

/* What was seen of machines that nobody here asked for. */
const LISTING = `
  select 'l' || x.part || x.id as key, x.at, 'listing' as source, 'outside' as "actorKind", 'Lambda''s listing' as actor, x.action,
         'instance' as "subjectKind", x.id::text as "subjectId", coalesce(nullif(${NAME("x.id")}, ''), x.external_id) as subject,
         true as "isThere", '{}'::jsonb as changes, null as reason, null as ip, null as seq, null as hash
  from (
    select '1' as part, id, external_id, first_seen_at as at, 'seen.first' as action from resource
      where kind = 'instance' and launch_intent_id is null
    union all
    select '2', id, external_id, gone_at, 'seen.' || gone_reason from resource
      where kind = 'instance' and gone_at is not null and gone_reason <> 'terminated_here'
    union all
    select '3', r.id, r.external_id, min(s.valid_from), 'seen.unhealthy' from resource_span s join resource r on r.id = s.resource_id
      where r.kind = 'instance' and s.status = 'unhealthy' group by r.id, r.external_id
  ) x
  where $3`;

const page = (part: string) => `
  (select * from (${part}) y
   where ($4::text[] is null or y."actorKind" = any ($4))
     and ($5 = '' or concat_ws(' ', y.actor, y.action, translate(y.action, '._-', '   '), y.subject, y.reason) ilike $5
          or y.source <> 'log' and y.action = any ($6)
          or y.source = 'log' and y.action ~* $7 and (not $8 or y."actorKind" = 'outside'))
     and ($12::text is null or (y.source = 'trail') = ($12 = 'hopperdeck'))
     and ($13::text[] is null or case when y.source = 'trail' then (y.action like any ($13)) <> $14 else $15 end)
     and ($16 = '' or y.actor ilike $16) and ($17 = '' or y.subject ilike $17)
     and ($18::timestamptz is null or y.at >= $18) and ($19::timestamptz is null or y.at < $19)
     and ($9::timestamptz is null or (y.at, y.key) < ($9, $10))
   order by y.at desc, y.key desc limit $11)`;

/** What people, programs, the system and strangers did, from our trail and the provider's, the newest first. */
export async function listActs(where: ActWhere): Promise<ActRow[]> {
  const part = (text: string) => (text === "" ? "" : `%${likeEscape(text)}%`);
  const beginnings = (prefixes: string[]) => prefixes.map((prefix) => `${likeEscape(prefix)}%`);
  const { rows } = await pool().query<ActRow>(
    `select * from (${[TRAIL, LOG, LISTING].map(page).join(" union all ")}) z order by z.at desc, z.key desc limit $11`,
    [
      where.prefixes && beginnings(where.prefixes),
      where.ownId,
      where.hasProvider,
      where.kinds,
      part(where.text),
      where.named.actions,
      where.named.logPattern,
      where.named.isOutsideOnly,
      where.after?.at ?? null,
      where.after?.key ?? null,
      where.limit,
      where.source,
      where.what && beginnings(where.what.prefixes),
      where.what?.isRest ?? false,
      where.what?.hasLambda ?? true,
      part(where.by),
      part(where.on),
      where.from,
      where.to,
    ],
  );
  return rows;
}

const ENTRIES_AT_ONCE = 500;

/** The whole trail in order, each entry as it was hashed; what is added while it is read comes too. */
export async function* readTrail(): AsyncGenerator<HashedEntry[]> {
  let after = "0";
  for (;;) {
    const { rows } = await pool().query<HashedEntry & { seq: string }>(
      `select e.seq::text as seq, convert_from(audit_canonical(e), 'UTF8') as canonical,
              encode(e.prev_hash, 'hex') as "prevHash", encode(e.hash, 'hex') as hash
       from audit_event e where e.seq > $1 order by e.seq limit ${ENTRIES_AT_ONCE}`,
      [after],
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.seq;
  }
}
