import { type Client, pool, prisma } from "@/lib/db/client";
import { untilDisconnected } from "@/lib/db/memory";
import type { LabelFact, NameFact } from "@/lib/domain/cost/allocation";
import type { LifeEvent, ObservedSpan } from "@/lib/domain/cost/lifecycle";
import type { UsedBytes } from "@/lib/domain/cost/storage";
import type { Status } from "@/lib/domain/fleet/observe";

export type SpanFact = ObservedSpan & NameFact & { id: bigint; region: string; bytesUsed: bigint | null };

export type MeteredResource = {
  id: string;
  kind: "instance" | "filesystem";
  isGone: boolean;
  meteredFor: string | null;
  lastPollAt: number | null;
  /** In order of time. Of a file system that was metered before: the first, and those that still matter. */
  spans: SpanFact[];
  events: LifeEvent[];
  connectionId: string;
  labels: LabelFact[];
};

type RawSpan = {
  id: string;
  status: Status;
  validFrom: number;
  prevPollAt: number | null;
  lastSeenAt: number | null;
  validTo: number | null;
  name: string | null;
  typeName: string | null;
  tags: Record<string, string>;
  region: string;
  bytesUsed: string | null;
};

type RawResource = Omit<MeteredResource, "spans" | "events"> & {
  spans: RawSpan[] | null;
  events: { at: number; action: string }[] | null;
  requests: number[] | null;
};

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`;

// What a file system holds is said anew every quarter of an hour, so of it only what came since it was metered is read.
const PAGE = `select r.id, r.kind::text as kind, r.gone_at is not null as "isGone", r.metered_for as "meteredFor", r.connection_id as "connectionId",
   ${ms("case r.kind when 'instance' then c.last_ok_at else c.filesystems_read_at end")}::float8 as "lastPollAt",
   (select json_agg(json_build_object('id', s.id::text, 'status', s.status, 'validFrom', ${ms("s.valid_from")}, 'prevPollAt', ${ms("s.prev_poll_at")},
      'lastSeenAt', ${ms("s.last_seen_at")}, 'validTo', ${ms("s.valid_to")}, 'name', s.name, 'typeName', s.type_name, 'tags', s.tags, 'region', s.region,
      'bytesUsed', s.bytes_used::text) order by s.valid_from)
    from resource_span s where s.resource_id = r.id and (x.since is null or s.valid_from >= x.since or s.id = x.first or s.id = x.known)) as spans,
   (select json_agg(json_build_object('at', ${ms("e.at")}, 'action', e.action) order by e.at, e.event_id) from provider_event e where e.resource_id = r.id) as events,
   (select json_agg(${ms("i.sent_at")} order by i.sent_at, i.id) from intent i
    where i.target_id = r.id and i.kind = 'terminate' and i.sent_at is not null and i.state <> 'refused') as requests,
   (select coalesce(json_agg(json_build_object('from', ${ms("l.valid_from")}, 'to', ${ms("l.valid_to")}, 'byHand', l.by_id is not null, 'team', l.team, 'project', l.project,
      'environment', l.environment, 'costCenter', l.cost_center, 'owner', l.owner, 'workload', l.workload) order by l.valid_from), '[]')
    from resource_label l where l.resource_id = r.id) as labels
 from resource r join connection c on c.id = r.connection_id
 left join lateral (
   select f.since,
     (select s.id from resource_span s where s.resource_id = r.id order by s.valid_from limit 1) as first,
     (select s.id from resource_span s where s.resource_id = r.id and s.valid_from <= f.since and s.bytes_used is not null order by s.valid_from desc limit 1) as known
   from (select max(s.valid_from) as since from resource_span s
     where s.resource_id = r.id and s.valid_from <= to_timestamp(nullif(split_part(r.metered_for, '@', 2), '')::float8 / 1000)) f
 ) x on r.kind = 'filesystem' and not $3`;

export type MeteredPage = {
  /** Only those after it; null: from the first on. */
  after: string | null;
  limit: number;
  /** Also what was final, if it was still there at this instant. */
  since?: Date | null;
};

/** Resources whose rows may still change, with what was observed of them, in order of their ids. */
export async function listMetered({ after, limit, since = null }: MeteredPage): Promise<MeteredResource[]> {
  const { rows } = await pool().query<RawResource>(
    `${PAGE} where (not r.metered_final or r.gone_at >= $4) and ($1::uuid is null or r.id > $1::uuid) order by r.id limit $2`,
    [after, limit, false, since],
  );
  return rows.map(toMetered);
}

/** The same of one resource, with everything that was ever observed of it. */
export async function readMetered(id: string): Promise<MeteredResource | null> {
  const { rows } = await pool().query<RawResource>(`${PAGE} where r.id = $1::uuid limit $2`, [id, 1, true]);
  return rows[0] ? toMetered(rows[0]) : null;
}

function toMetered({ spans, events, requests, ...row }: RawResource): MeteredResource {
  return {
    ...row,
    spans: (spans ?? []).map(({ id, bytesUsed, ...span }) => ({
      ...span,
      id: BigInt(id),
      bytesUsed: bytesUsed === null ? null : BigInt(bytesUsed),
    })),
    events: [
      ...(events ?? []).flatMap(({ at, action }) => lifeEvent(at, action)),
      ...(requests ?? []).map((at) => ({ at, means: "terminate" as const, by: "us" as const })),
    ],
  };
}

/** The provider's action names are not documented; these words are all that is relied on. */
function lifeEvent(at: number, action: string): LifeEvent[] {
  if (/terminat|delet|destroy/i.test(action)) return [{ at, means: "terminate", by: "provider" }];
  if (/launch|creat/i.test(action)) return [{ at, means: "launch", by: "provider" }];
  return [];
}

export function usedBytes(spans: SpanFact[]): UsedBytes[] {
  return spans.map((span) => ({ from: span.validFrom, to: span.validTo, bytes: span.bytesUsed }));
}

/** The rows of these lives are worked out anew, also those that were final. */
export async function reopenLedger(tx: Client, kind?: "instance" | "filesystem"): Promise<void> {
  await tx.resource.updateMany({
    where: { meteredFinal: true, ...(kind && { kind }) },
    data: { meteredFinal: false },
  });
}

export type OwnerWords = {
  team: string;
  project: string;
  environment: string;
  costCenter?: string;
  /** A pot that is spread over payers. */
  isShared?: boolean;
};

const owners = new Map<string, number>();
untilDisconnected(forgetOwners);

/** The row of the price-bearer with these words; 0 where nobody is named. Words never change, so they are remembered. */
export async function ownerId(words: OwnerWords): Promise<number> {
  const { team, project, environment, costCenter = "", isShared = false } = words;
  if (!team && !project && !environment && !costCenter && !isShared) return 0;
  const owner = { team, project, environment, costCenter, isShared };
  const key = JSON.stringify(Object.values(owner));
  const known = owners.get(key);
  if (known !== undefined) return known;
  await prisma.costOwner.createMany({ data: [owner], skipDuplicates: true });
  const { id } = await prisma.costOwner.findUniqueOrThrow({
    where: { team_project_environment_costCenter_isShared: owner },
    select: { id: true },
  });
  owners.set(key, id);
  return id;
}

/** Forgets remembered owners: for tests, whose databases come and go. */
export function forgetOwners(): void {
  owners.clear();
}
