import { pool } from "@/lib/db/client";

export type UsageSum = {
  resourceId: string;
  name: string;
  typeName: string | null;
  region: string;
  team: string;
  gpus: number;
  isBilled: boolean;
  idleSince: Date | null;
  idleKind: "empty" | "held" | null;
  billedMinutes: number;
  reportedMinutes: number;
  busyMinutes: number;
  utilisedMinutes: number;
  emptyMinutes: number;
  heldMinutes: number;
  throttledMinutes: number;
  unhealthyMinutes: number;
  silentMinutes: number;
  micros: bigint;
  reportedMicros: bigint;
  emptyMicros: bigint;
  heldMicros: bigint;
  throttledMicros: bigint;
  unhealthyMicros: bigint;
  silentMicros: bigint;
  /** The newest day with any of it. */
  idleDay: string | null;
  throttledDay: string | null;
  unhealthyDay: string | null;
  silentDay: string | null;
};

const MONEY = [
  "micros",
  "reportedMicros",
  "emptyMicros",
  "heldMicros",
  "throttledMicros",
  "unhealthyMicros",
  "silentMicros",
] as const;
type Raw = Omit<UsageSum, (typeof MONEY)[number]> & Record<(typeof MONEY)[number], string>;

/** A kind's minutes of a day cost what they are of the day's paid minutes: a machine has one price at a time. */
const share = (column: string) =>
  `coalesce(round(sum(c.micros * u.${column}::numeric / nullif(u.billed_minutes, 0))), 0)::text`;
const newest = (condition: string) => `max(u.day) filter (where ${condition})::text`;

/** Where the paid minutes of each machine went on days [from, to], with their money by the ledger. */
export async function sumUsage(from: string, to: string): Promise<UsageSum[]> {
  const { rows } = await pool().query<Raw>(
    `with c as (select resource_id, day, sum(micros) as micros from ledger_row where charge = 'usage' and corrects_key is null and day between $1::date and $2::date group by 1, 2)
     select u.resource_id as "resourceId", coalesce(s.name, left(r.external_id, 12)) as name, s.type_name as "typeName", s.region, coalesce(o.team, '') as team,
       greatest(1, coalesce(t.gpus, 0), (select count(*) from gpu g where g.resource_id = r.id))::int as gpus,
       r.gone_at is null and s.status in ('active', 'unhealthy', 'unknown') as "isBilled", r.idle_since as "idleSince", r.idle_kind::text as "idleKind",
       sum(u.billed_minutes)::int as "billedMinutes", sum(u.reported_minutes)::int as "reportedMinutes", sum(u.busy_minutes)::int as "busyMinutes",
       sum(u.utilised_minutes)::float8 as "utilisedMinutes", sum(u.idle_empty_minutes)::int as "emptyMinutes", sum(u.idle_held_minutes)::int as "heldMinutes",
       sum(u.throttled_minutes)::int as "throttledMinutes", sum(u.unhealthy_minutes)::int as "unhealthyMinutes", sum(u.silent_minutes)::int as "silentMinutes",
       coalesce(sum(c.micros), 0)::text as micros, ${share("reported_minutes")} as "reportedMicros", sum(u.idle_empty_micros)::text as "emptyMicros", sum(u.idle_held_micros)::text as "heldMicros",
       ${share("throttled_minutes")} as "throttledMicros", ${share("unhealthy_minutes")} as "unhealthyMicros", ${share("silent_minutes")} as "silentMicros",
       ${newest("u.idle_empty_minutes + u.idle_held_minutes > 0")} as "idleDay", ${newest("u.throttled_minutes > 0")} as "throttledDay",
       ${newest("u.unhealthy_minutes > 0")} as "unhealthyDay", ${newest("u.silent_minutes > 0")} as "silentDay"
     from usage_day u join resource r on r.id = u.resource_id
     join lateral (select * from resource_span s where s.resource_id = r.id order by s.valid_from desc limit 1) s on true
     left join instance_type t on t.provider = s.provider and t.name = s.type_name
     left join lateral (select o.team from ledger_row l join cost_owner o on o.id = l.owner_id where l.resource_id = r.id and l.day <= $2::date order by l.day desc, l.starts_at desc limit 1) o on true
     left join c on c.resource_id = u.resource_id and c.day = u.day
     where u.day between $1::date and $2::date group by r.id, u.resource_id, s.name, s.type_name, s.region, s.status, o.team, t.gpus`,
    [from, to],
  );
  return rows.map((row) => ({
    ...row,
    micros: BigInt(row.micros),
    reportedMicros: BigInt(row.reportedMicros),
    emptyMicros: BigInt(row.emptyMicros),
    heldMicros: BigInt(row.heldMicros),
    throttledMicros: BigInt(row.throttledMicros),
    unhealthyMicros: BigInt(row.unhealthyMicros),
    silentMicros: BigInt(row.silentMicros),
  }));
}

export type Holder = {
  resourceId: string;
  gpuId: number;
  processes: { name: string | null; usedMib: number | null; user?: string | null }[];
};

/** What the agent saw on each GPU of a machine last within its stretch of time. */
export async function holdersWithin(
  stretches: readonly { resourceId: string; from: number; to: number }[],
): Promise<Holder[]> {
  const { rows } = await pool().query<Holder>(
    `select distinct on (g.id) g.resource_id as "resourceId", g.id as "gpuId", p.processes
     from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as x(id, "from", "to") join gpu g on g.resource_id = x.id
     join gpu_process_span p on p.gpu_id = g.id and p.valid_from < x."to" and p.last_seen_at >= x."from" and jsonb_array_length(p.processes) > 0
     order by g.id, p.valid_from desc`,
    [
      stretches.map(({ resourceId }) => resourceId),
      stretches.map(({ from }) => new Date(from)),
      stretches.map(({ to }) => new Date(to)),
    ],
  );
  return rows;
}

export type Unattached = {
  resourceId: string;
  name: string;
  region: string;
  team: string;
  bytes: bigint | null;
  /** Since when no machine has used it, as far as was seen. */
  since: Date;
};

/** File systems that no machine uses now. */
export async function listUnattached(): Promise<Unattached[]> {
  const { rows } = await pool().query<Omit<Unattached, "bytes"> & { bytes: string | null }>(
    `select r.id as "resourceId", coalesce(s.name, left(r.external_id, 12)) as name, s.region, coalesce(o.team, '') as team, s.bytes_used::text as bytes,
       greatest(r.first_seen_at, (select max(n.valid_to) from resource_span n where n.resource_id = r.id and n.is_attached)) as since
     from resource r join resource_span s on s.resource_id = r.id and s.valid_to is null
     left join lateral (select o.team from ledger_row l join cost_owner o on o.id = l.owner_id where l.resource_id = r.id order by l.day desc, l.starts_at desc limit 1) o on true
     where r.kind = 'filesystem' and r.gone_at is null and s.is_attached = false`,
  );
  return rows.map((row) => ({ ...row, bytes: row.bytes === null ? null : BigInt(row.bytes) }));
}
