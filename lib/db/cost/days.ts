import { pool } from "@/lib/db/client";

const KEY = "period, day, charge, owner_id, connection_id, type_name, region";
const SUMS = "rows, unknown_rows, minutes, micros, low_micros, high_micros, list_micros, effective_micros";

/** The days of which the kept sums are not those of their rows: none, unless somebody went around the ledger's triggers. */
export async function checkDays(): Promise<{ period: string; day: string; charge: string }[]> {
  const { rows } = await pool().query<{ period: string; day: string; charge: string }>(
    `with counted as (
       select l.period, l.day, l.charge, l.owner_id, coalesce(r.connection_id::text, '') as connection_id,
         cost_day_type(l.charge, s.type_name) as type_name, coalesce(s.region, '') as region,
         count(*) as rows, count(*) filter (where l.micros is null) as unknown_rows, sum(l.minutes) as minutes, coalesce(sum(l.micros), 0) as micros,
         coalesce(sum(l.low_micros), 0) as low_micros, coalesce(sum(l.high_micros), 0) as high_micros,
         coalesce(sum(coalesce(l.list_micros, l.micros)), 0) as list_micros, coalesce(sum(coalesce(l.effective_micros, l.micros)), 0) as effective_micros
       from ledger_row l left join resource r on r.id = l.resource_id left join resource_span s on s.id = l.span_id group by 1, 2, 3, 4, 5, 6, 7
     ), wrong as (
       (select ${KEY}, ${SUMS} from counted except select ${KEY}, ${SUMS} from cost_day)
       union (select ${KEY}, ${SUMS} from cost_day except select ${KEY}, ${SUMS} from counted)
     )
     select distinct period::text as period, day::text as day, charge::text as charge from wrong order by 1, 2, 3`,
  );
  return rows;
}
