import { pool } from "@/lib/db/client";
import { FROM, type RawSums, SUMS, type Sums, toSums } from "./read";

export type ResourceCost = Sums & {
  resourceId: string;
  kind: "instance" | "filesystem";
  name: string;
  typeName: string | null;
  region: string;
  team: string;
  project: string;
  environment: string;
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

type Raw = Omit<ResourceCost, keyof Sums | "idleMicros" | "bytes" | "ratesMicros"> &
  RawSums & { idle: string; bytes: string | null; rates: (string | null)[] };

const latest = (column: string) => `(array_agg(${column} order by l.starts_at desc))[1]`;

/** What resources cost over accounting days [from, to], by the names they had last: the most expensive first, so many of them. */
export async function costByResource(from: string, to: string, limit: number): Promise<ResourceCost[]> {
  const { rows } = await pool().query<Raw>(
    `select l.resource_id as "resourceId", r.kind::text as kind, ${latest("coalesce(s.name, r.external_id)")} as name, ${latest("s.type_name")} as "typeName",
       ${latest("s.region")} as region, ${latest("o.team")} as team, ${latest("o.project")} as project, ${latest("o.environment")} as environment,
       r.gone_at is not null as "isGone", r.kind = 'instance' and r.launch_intent_id is null as "isOutside", r.bill_from_best as "billedFrom", r.bill_evidence as evidence,
       round(sum(l.byte_hours) / nullif(sum(ceil(extract(epoch from l.ends_at - l.starts_at) / 3600)) filter (where l.byte_hours is not null), 0))::text as bytes,
       array_agg(p.micros::text order by l.starts_at) as rates,
       coalesce((select sum(u.idle_empty_micros + u.idle_held_micros) from usage_day u where u.resource_id = l.resource_id and u.day between $1::date and $2::date), 0)::text as idle,
       ${SUMS} ${FROM} left join price p on p.id = l.price_id
     where l.day between $1::date and $2::date group by l.resource_id, r.kind, r.external_id, r.gone_at, r.launch_intent_id, r.bill_from_best, r.bill_evidence
     order by sum(l.micros) desc nulls last, l.resource_id limit $3`,
    [from, to, limit],
  );
  return rows.map(({ idle, bytes, rates, ...row }) => {
    const known = rates.filter((rate) => rate !== null);
    return {
      ...toSums(row),
      resourceId: row.resourceId,
      kind: row.kind,
      name: row.name,
      typeName: row.typeName,
      region: row.region,
      team: row.team,
      project: row.project,
      environment: row.environment,
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
