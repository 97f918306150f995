import { pool } from "@/lib/db/client";
import type { ByCharge } from "@/lib/domain/cost/why";
import type { WhyDimension } from "@/lib/domain/cost/why-view";
import { FROM } from "./read";

/** Rows that count in a month, up to a day of it; an earlier day's are its corrections. */
export type MonthScope = { month: string; fromDay: string; toDay: string };

const KEY: Record<WhyDimension, string> = {
  sku: "cost_day_type(l.charge, s.type_name) || ' ' || coalesce(s.region, '')",
  type: "cost_day_type(l.charge, s.type_name)",
  region: "coalesce(s.region, '')",
  team: "o.team",
  project: "o.project",
  environment: "o.environment",
  costCentre: "o.cost_center",
};

const IN = "l.period = $1::date and l.day <= $2::date";
const IS_CORRECTION = "(l.corrects_key is not null or l.day < $3::date)";
const values = ({ month, fromDay, toDay }: MonthScope) => [`${month}-01`, toDay, fromDay];

export type MachineSum = {
  key: string;
  typeName: string | null;
  region: string | null;
  gpuMinutes: bigint;
  micros: bigint;
  unknownRows: number;
};

/** Machines by a key: minutes whose price is known, times their GPUs (one where nobody knows how many), and what they cost. */
export async function sumMachines(scope: MonthScope, by: WhyDimension): Promise<MachineSum[]> {
  const { rows } = await pool().query<{
    key: string;
    type: string | null;
    region: string | null;
    gpu: string;
    micros: string;
    unknown: number;
  }>(
    `select ${KEY[by]} as key, case when count(distinct s.type_name) = 1 then min(s.type_name) end as type, case when count(distinct s.region) = 1 then min(s.region) end as region,
       coalesce(sum(l.minutes * greatest(coalesce(t.gpus, 1), 1)) filter (where l.micros is not null), 0)::text as gpu,
       coalesce(sum(l.micros), 0)::text as micros, (count(*) filter (where l.micros is null))::int as unknown
     ${FROM} left join instance_type t on t.provider = s.provider and t.name = s.type_name
     where ${IN} and l.charge = 'usage' and not ${IS_CORRECTION} group by 1`,
    values(scope),
  );
  return rows.map((row) => ({
    key: row.key,
    typeName: row.type,
    region: row.region,
    gpuMinutes: BigInt(row.gpu),
    micros: BigInt(row.micros),
    unknownRows: row.unknown,
  }));
}

/** What is not machines, by charge, and corrections of earlier months together. */
export async function sumOthers(scope: MonthScope): Promise<ByCharge> {
  const { rows } = await pool().query<{ step: keyof ByCharge; micros: string }>(
    `select case when ${IS_CORRECTION} then 'corrections' else l.charge::text end as step, coalesce(sum(l.micros), 0)::text as micros
     from ledger_row l where ${IN} and (l.charge <> 'usage' or ${IS_CORRECTION}) group by 1`,
    values(scope),
  );
  return Object.fromEntries(rows.map(({ step, micros }) => [step, BigInt(micros)]));
}

/** Everything that counts. */
export async function sumMonth(scope: MonthScope): Promise<bigint> {
  const { rows } = await pool().query<{ micros: string }>(
    "select coalesce(sum(micros), 0)::text as micros from cost_day where period = $1::date and day <= $2::date",
    [`${scope.month}-01`, scope.toDay],
  );
  return BigInt(rows[0]?.micros ?? "0");
}

export type Changed = { id: string; name: string; typeName: string | null; isNew: boolean; micros: bigint };

/** Machines that cost something in one of two windows only, the most expensive first. */
export async function listChanged(
  own: MonthScope,
  before: MonthScope,
  limit: number,
): Promise<{ resources: Changed[]; newResources: number; goneResources: number }> {
  const { rows } = await pool().query<{
    id: string;
    name: string;
    type: string | null;
    isNew: boolean;
    micros: string;
    count: number;
    new: number;
  }>(
    `with per_resource as (
       select l.resource_id as id, coalesce(sum(l.micros) filter (where l.period = $1::date), 0) as own, coalesce(sum(l.micros) filter (where l.period = $4::date), 0) as was
       from ledger_row l where l.charge = 'usage' and (l.period = $1::date and l.day between $3::date and $2::date or l.period = $4::date and l.day between $6::date and $5::date)
       group by 1
     ), changed as (select *, own <> 0 as is_new from per_resource where (own = 0) <> (was = 0))
     select c.id, coalesce(s.name, r.external_id) as name, s.type_name as type, c.is_new as "isNew", (c.own + c.was)::text as micros,
       c.total as count, c.new
     from (select *, (count(*) over ())::int as total, (count(*) filter (where is_new) over ())::int as new from changed order by own + was desc, id limit $7) c
     join resource r on r.id = c.id left join lateral (select name, type_name from resource_span where resource_id = c.id order by valid_from desc limit 1) s on true
     order by c.own + c.was desc, c.id`,
    [...values(own), ...values(before), limit],
  );
  const [first] = rows;
  return {
    resources: rows.map(({ id, name, type, isNew, micros }) => ({
      id,
      name,
      typeName: type,
      isNew,
      micros: BigInt(micros),
    })),
    newResources: first?.new ?? 0,
    goneResources: first ? first.count - first.new : 0,
  };
}
