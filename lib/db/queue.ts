import { pool, prisma } from "./client";
import { type Intent, toIntent } from "./intents";

/** Requests as the queue shows them: all that are open or on watch, and those that were settled since an instant. */
export async function listQueue(now: Date, settledSince: Date): Promise<Intent[]> {
  const rows = await prisma.intent.findMany({
    where: { OR: [{ settledAt: null }, { watchUntil: { gt: now } }, { settledAt: { gte: settledSince } }] },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    take: 1_000,
  });
  return rows.map(toIntent);
}

export type Candidate = { id: string; name: string; firstSeenAt: Date; launchedBy: string | null };

/** Machines that nobody here launched and that a lost launch may have made: of its type, in its region, first seen after it was sent. */
export async function listCandidates(typeName: string, region: string, since: Date): Promise<Candidate[]> {
  const { rows } = await pool().query<Candidate>(
    `select r.id, coalesce(s.name, r.external_id) as name, r.first_seen_at as "firstSeenAt", r.launched_by as "launchedBy"
     from resource r
     join lateral (select * from resource_span s where s.resource_id = r.id order by s.valid_from desc limit 1) s on true
     where r.kind = 'instance' and r.gone_at is null and r.launch_intent_id is null and r.first_seen_at >= $3
       and s.type_name = $1 and s.region = $2 and not (s.tags ? 'hopperdeck-intent')
     order by r.first_seen_at limit 10`,
    [typeName, region, since],
  );
  return rows;
}

/** Launches without a machine whose outcome is not known, or that are still on watch: a machine of that name is theirs. */
export async function findUntracedLaunches(names: string[]): Promise<Intent[]> {
  if (names.length === 0) return [];
  const { rows } = await pool().query<{ id: string }>(
    `select i.id from intent i
     where i.kind = 'launch' and i.state in ('sending', 'indeterminate', 'closed_unconfirmed') and i.request ->> 'name' = any ($1)
       and (i.settled_at is null or i.watch_until is not null)
       and not exists (select 1 from resource r where r.launch_intent_id = i.id)`,
    [names],
  );
  if (rows.length === 0) return [];
  const found = await prisma.intent.findMany({ where: { id: { in: rows.map(({ id }) => id) } } });
  return found.map(toIntent);
}
