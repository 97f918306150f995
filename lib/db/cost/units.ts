import { pool } from "@/lib/db/client";

export type MadeRow = {
  runId: string | null;
  resourceId: string | null;
  metric: "tasks_total" | "tokens_total" | "prompt_tokens_total" | "samples_total" | "epoch";
  model: string;
  /** How much a counter rose in the window; of epochs, how many were reached in it. */
  count: number;
};

/** What programs counted in the hours of [from, to), by run or, of what carries no run's name, by machine. */
export async function listMade(from: Date, to: Date): Promise<MadeRow[]> {
  const { rows } = await pool().query<MadeRow>(
    `with x as (
       select s.run_id, case when s.run_id is null then coalesce(s.resource_id, t.resource_id) end as resource_id, s.metric,
         coalesce(s.labels ->> 'model_name', s.labels ->> 'model', '') as model, s.id, s.first_at,
         sum(h.increase) as increase, max(h.max) as highest, min(h.min) as lowest
       from series_hour h join series s on s.id = h.series_id join telemetry_source t on t.id = s.source_id
       where s.metric in ('tasks_total', 'tokens_total', 'prompt_tokens_total', 'samples_total', 'epoch') and s.last_at >= $1 and s.first_at < $2
         and h.hour >= $1 and h.hour < $2
       group by s.id, t.resource_id)
     select run_id as "runId", resource_id as "resourceId", metric, model,
       coalesce(case when metric = 'epoch' then max(floor(highest) - case when first_at >= $1 then 0 else floor(lowest) end) else sum(increase) end, 0)::float8 as count
     from x where run_id is not null or resource_id is not null group by 1, 2, 3, 4`,
    [from, to],
  );
  return rows;
}

/** Who paid last for each machine up to a day. */
export async function teamsOf(resourceIds: readonly string[], toDay: string): Promise<Map<string, string>> {
  const { rows } = await pool().query<{ id: string; team: string }>(
    `select m.id, o.team from unnest($1::uuid[]) m (id)
     cross join lateral (
       select owner_id from ledger_row l where l.resource_id = m.id and l.day <= $2::date order by l.day desc, l.starts_at desc limit 1) l
     join cost_owner o on o.id = l.owner_id`,
    [resourceIds, toDay],
  );
  return new Map(rows.map(({ id, team }) => [id, team]));
}

/** The workload that each machine is labelled with now or was last. */
export async function workloadsOf(resourceIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await pool().query<{ id: string; workload: string }>(
    `select distinct on (resource_id) resource_id as id, workload::text as workload from resource_label
     where resource_id = any ($1::uuid[]) order by resource_id, valid_from desc`,
    [resourceIds],
  );
  return new Map(rows.map(({ id, workload }) => [id, workload]));
}

/** What machines cost on days [from, to]. */
export async function machineMoney(from: string, to: string): Promise<bigint> {
  const { rows } = await pool().query<{ micros: string }>(
    "select coalesce(sum(micros), 0)::text as micros from cost_day where charge = 'usage' and day between $1::date and $2::date",
    [from, to],
  );
  return BigInt(rows[0]?.micros ?? "0");
}
