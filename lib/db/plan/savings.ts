import { pool } from "@/lib/db/client";
import type { RunFacts } from "@/lib/db/workload/runs";
import type { Workload } from "@/lib/domain/fleet/workloads";

export type SavingFacts = {
  resourceId: string;
  name: string;
  typeName: string | null;
  region: string;
  workload: Workload;
  isLive: boolean;
  gpus: number;
  /** As its first card names itself. */
  card: string | null;
  /** What Lambda says of its type. */
  description: string | null;
  memoryMib: number | null;
  memoryGb: number | null;
  busyMinutes: number;
  utilisedMinutes: number;
  micros: bigint;
};

/** Machines with hours measured on days [from, to]: what they are, and what the ledger says of those days. */
export async function listSavingFacts(from: string, to: string): Promise<SavingFacts[]> {
  const { rows } = await pool().query<
    Omit<SavingFacts, "micros"> & { micros: string; measured: number; billed: number }
  >(
    `with p as (select resource_id, count(*)::int as measured from usage_profile where day between $1::date and $2::date group by 1),
     d as (
       select resource_id, sum(busy_minutes)::int as busy, sum(utilised_minutes)::float8 as utilised from usage_day
       where day between $1::date and $2::date group by 1),
     c as (
       select resource_id, sum(micros) as micros, count(distinct day)::int as billed from ledger_row
       where charge = 'usage' and corrects_key is null and day between $1::date and $2::date group by 1),
     g as (
       select resource_id, count(*)::int as n, max(memory_mib) as mib, (array_agg(model order by position))[1] as model from gpu where mig = '' group by 1)
     select r.id as "resourceId", coalesce(s.name, left(r.external_id, 12)) as name, s.type_name as "typeName", s.region, coalesce(b.workload::text, 'unknown') as workload,
       r.gone_at is null and s.status in ('active', 'unhealthy', 'unknown') as "isLive", greatest(1, coalesce(t.gpus, 0), coalesce(g.n, 0)) as gpus,
       g.model as card, t.description, g.mib as "memoryMib", t.gpu_memory_gb as "memoryGb",
       coalesce(d.busy, 0) as "busyMinutes", coalesce(d.utilised, 0) as "utilisedMinutes", coalesce(c.micros, 0)::text as micros, p.measured, coalesce(c.billed, 0) as billed
     from p join resource r on r.id = p.resource_id
     join lateral (select * from resource_span s where s.resource_id = r.id order by s.valid_from desc limit 1) s on true
     left join lateral (select workload from resource_label b where b.resource_id = r.id order by b.valid_from desc limit 1) b on true
     left join instance_type t on t.provider = s.provider and t.name = s.type_name
     left join d on d.resource_id = p.resource_id left join c on c.resource_id = p.resource_id left join g on g.resource_id = p.resource_id`,
    [from, to],
  );
  // Nearly all machines have a profile of each day that was billed; of the others only those days count.
  const partly = rows.filter(({ measured, billed }) => billed > measured).map(({ resourceId }) => resourceId);
  const exact = partly.length === 0 ? new Map<string, string>() : await measuredMoney(partly, from, to);
  return rows.map(({ measured: _, billed: __, ...row }) => ({
    ...row,
    micros: BigInt(exact.get(row.resourceId) ?? row.micros),
  }));
}

/** What machines cost on those days of which there is a profile. */
async function measuredMoney(resourceIds: readonly string[], from: string, to: string): Promise<Map<string, string>> {
  const { rows } = await pool().query<{ id: string; micros: string }>(
    `select l.resource_id as id, coalesce(sum(l.micros), 0)::text as micros from ledger_row l
     join usage_profile p on p.resource_id = l.resource_id and p.day = l.day
     where l.resource_id = any ($1::uuid[]) and l.charge = 'usage' and l.corrects_key is null and l.day between $2::date and $3::date group by 1`,
    [resourceIds, from, to],
  );
  return new Map(rows.map(({ id, micros }) => [id, micros]));
}

export type TrainingFacts = {
  resourceId: string;
  epochs: number;
} & Pick<RunFacts, "startedAt" | "endedAt" | "expectedMs" | "machineGoneAt" | "gpuIds" | "gpusOfInstance">;

/** Runs of training that counted two epochs or more within [from, to), and went on in it. */
export async function listEpochs(from: Date, to: Date): Promise<TrainingFacts[]> {
  const { rows } = await pool().query<TrainingFacts>(
    `with counted as (
       select s.run_id as id, max(floor(h.max))::int as epochs
       from series s join series_hour h on h.series_id = s.id and h.hour >= $1 and h.hour < $2
       where s.metric = 'epoch' and s.run_id is not null and s.last_at >= $1 and s.first_at < $2
       group by 1 having max(floor(h.max)) >= 2)
     select u.resource_id as "resourceId", c.epochs, u.started_at as "startedAt", u.ended_at as "endedAt", null as "expectedMs",
       r.gone_at as "machineGoneAt", coalesce(u.gpu_ids, '{}') as "gpuIds",
       greatest(1, coalesce(t.gpus, 0), (select count(*) from gpu g where g.resource_id = r.id))::int as "gpusOfInstance"
     from counted c join run u on u.id = c.id and u.workload = 'training' join resource r on r.id = u.resource_id
     left join lateral (select provider, type_name from resource_span s where s.resource_id = r.id order by s.valid_from desc limit 1) s on true
     left join instance_type t on t.provider = s.provider and t.name = s.type_name
     where u.started_at < $2 and coalesce(least(u.ended_at, r.gone_at), $2) > $1`,
    [from, to],
  );
  return rows;
}
