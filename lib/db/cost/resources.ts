import { pool } from "@/lib/db/client";
import { type CostDays, daysValues, inDays, type RawSums, type Sums, toSums } from "./read";

export type ResourceCost = Sums & {
  flaggedRows: number;
  resourceId: string;
  kind: "instance" | "filesystem";
  name: string;
  typeName: string | null;
  region: string;
  team: string;
  project: string;
  environment: string;
  costCenter: string;
  isGone: boolean;
  isOutside: boolean;
  idleMicros: bigint;
  /** Mean of a file system; null where its size is not known, and for machines. */
  bytes: bigint | null;
  /** Each price that held, in order of time. */
  ratesMicros: bigint[];
  /** Best beginning of its life. */
  billedFrom: Date | null;
  evidence: { from: string; to: string } | null;
};

type Raw = Omit<ResourceCost, keyof Sums | "flaggedRows" | "idleMicros" | "bytes" | "ratesMicros"> &
  RawSums & { flagged: number; idle: string; bytes: string | null; rates: (string | null)[] };

/** What resources cost, by the names they had last: the most expensive first, so many of them. */
export async function costByResource(days: CostDays, limit: number): Promise<ResourceCost[]> {
  const { rows } = await pool().query<Raw>(
    `select x.resource_id as "resourceId", r.kind::text as kind, coalesce(s.name, r.external_id) as name, s.type_name as "typeName",
       coalesce(s.region, '') as region, o.team, o.project, o.environment, o.cost_center as "costCenter",
       r.gone_at is not null as "isGone", r.kind = 'instance' and r.launch_intent_id is null as "isOutside", r.bill_from_best as "billedFrom", r.bill_evidence as evidence,
       round(x.byte_hours / nullif(x.hours, 0))::text as bytes, x.rates, coalesce(u.idle, 0)::text as idle,
       x.micros, x.low, x.high, x.unknown, x.minutes, x.flagged
     from (select y.resource_id, max(y.last_at) as last_at, max(y.last_day) as last_day, sum(y.byte_hours) as byte_hours, sum(y.hours) as hours,
         array_agg(p.micros::text order by y.first_at) as rates, sum(y.flagged)::int as flagged, sum(y.unknown)::int as unknown, sum(y.minutes)::text as minutes,
         coalesce(sum(y.micros), 0)::text as micros, coalesce(sum(y.low), 0)::text as low, coalesce(sum(y.high), 0)::text as high
       from (select l.resource_id, l.price_id, max(l.starts_at) as last_at, min(l.starts_at) as first_at, max(l.day) as last_day, sum(l.byte_hours) as byte_hours,
           sum(ceil(extract(epoch from l.ends_at - l.starts_at) / 3600)) filter (where l.byte_hours is not null) as hours,
           count(*) filter (where l.is_flagged) as flagged, count(*) filter (where l.micros is null) as unknown, sum(l.minutes) as minutes,
           sum(l.micros) as micros, sum(l.low_micros) as low, sum(l.high_micros) as high
         from ledger_row l where l.resource_id is not null and ${inDays} group by 1, 2) y left join price p on p.id = y.price_id
       group by 1 order by sum(y.micros) desc nulls last, 1 limit $4) x
     join resource r on r.id = x.resource_id
     left join lateral (select span_id, owner_id from ledger_row where resource_id = x.resource_id and day = x.last_day and starts_at = x.last_at order by key limit 1) l on true
     left join resource_span s on s.id = l.span_id left join cost_owner o on o.id = l.owner_id
     left join lateral (select sum(idle_empty_micros + idle_held_micros) as idle from usage_day where resource_id = x.resource_id and day between $1::date and $2::date) u on true
     order by x.micros::bigint desc, x.resource_id`,
    [...daysValues(days), limit],
  );
  return rows.map(({ idle, bytes, rates, ...row }) => {
    const known = rates.filter((rate) => rate !== null);
    return {
      ...toSums(row),
      flaggedRows: row.flagged,
      resourceId: row.resourceId,
      kind: row.kind,
      name: row.name,
      typeName: row.typeName,
      region: row.region,
      team: row.team,
      project: row.project,
      environment: row.environment,
      costCenter: row.costCenter,
      isGone: row.isGone,
      isOutside: row.isOutside,
      billedFrom: row.billedFrom,
      evidence: row.evidence,
      idleMicros: BigInt(idle),
      bytes: bytes === null ? null : BigInt(bytes),
      ratesMicros: known.filter((rate, index) => rate !== known[index - 1]).map(BigInt),
    };
  });
}
