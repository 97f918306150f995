import { pool } from "@/lib/db/client";
import type { StatementFacts } from "@/lib/domain/cost/statement";
import type { Asked, Month } from "./periods";

const OWNER = `o.team, o.project, o.environment, o.is_shared as "isShared"`;
const IS_OWN = "l.period = $1::date and l.corrects_key is null and l.day >= $1::date";

type Owned = { team: string; project: string; environment: string; isShared: boolean };
type RawLine = Owned & {
  charge: "usage" | "storage";
  resourceId: string;
  externalId: string;
  name: string;
  typeName: string | null;
  region: string;
  minutes: number;
  byteHours: string | null;
  price: string | null;
  micros: string;
  low: string;
  high: string;
  unknown: number;
};

/** What the statements of a month are made of: a line per payer, resource and price. */
export async function readStatementFacts(month: Month, client: Asked = pool()): Promise<StatementFacts> {
  const first = [`${month}-01`];
  const lines = await client.query<RawLine>(
    `with line as (
       select l.owner_id, l.charge, l.resource_id, l.price_id, max(l.span_id) as span_id, sum(l.minutes)::int as minutes, sum(l.byte_hours) as byte_hours,
         coalesce(sum(l.micros), 0) as micros, coalesce(sum(coalesce(l.low_micros, l.micros)), 0) as low, coalesce(sum(coalesce(l.high_micros, l.micros)), 0) as high,
         count(*) filter (where l.micros is null)::int as unknown
       from ledger_row l where ${IS_OWN} and l.charge in ('usage', 'storage') group by 1, 2, 3, 4)
     select ${OWNER}, l.charge::text as charge, l.resource_id::text as "resourceId", r.external_id as "externalId", coalesce(s.name, r.external_id) as name, s.type_name as "typeName",
       coalesce(s.region, '') as region, l.minutes, l.byte_hours::text as "byteHours", p.micros::text as price, l.micros::text as micros, l.low::text as low, l.high::text as high, l.unknown
     from line l join cost_owner o on o.id = l.owner_id join resource r on r.id = l.resource_id left join resource_span s on s.id = l.span_id left join price p on p.id = l.price_id
     order by l.owner_id, l.resource_id, l.charge, p.valid_from`,
    first,
  );
  const charges = await client.query<Owned & { kind: string; description: string; micros: string }>(
    `select ${OWNER}, l.charge::text as kind, coalesce(h.description, l.note, '') as description, coalesce(sum(l.micros), 0)::text as micros
     from ledger_row l join cost_owner o on o.id = l.owner_id left join charge h on h.id = l.charge_id
     where ${IS_OWN} and l.charge not in ('usage', 'storage') group by o.id, l.charge, h.id, h.description, coalesce(h.description, l.note, '') order by l.charge, description, o.id`,
    first,
  );
  const corrections = await client.query<StatementFacts["corrections"][number]>(
    `select ${OWNER}, l.key::text as key, l.day::text as day, coalesce(s.name, r.external_id, h.description, '') as name, l.charge::text as charge,
       l.minutes, l.micros::text as micros, l.note as why
     from ledger_row l join cost_owner o on o.id = l.owner_id left join resource r on r.id = l.resource_id left join resource_span s on s.id = l.span_id
       left join charge h on h.id = l.charge_id
     where l.period = $1::date and (l.corrects_key is not null or l.day < $1::date) order by l.day, l.key`,
    first,
  );
  const shared = await client.query<{ pot: string; team: string; project: string; micros: string }>(
    `select coalesce(nullif(pot.team, ''), nullif(pot.project, ''), 'shared') as pot, o.team, o.project, sum(c.micros)::text as micros
     from shared_cost c join cost_owner pot on pot.id = c.pot_id join cost_owner o on o.id = c.owner_id
     where c.period = $1::date group by pot.id, 1, 2, 3 order by 1, 2, 3`,
    first,
  );
  return {
    lines: lines.rows.map(({ byteHours, price, micros, low, high, unknown, ...row }) => ({
      ...row,
      byteHours: byteHours === null ? null : BigInt(byteHours),
      priceMicros: price === null ? null : BigInt(price),
      micros: BigInt(micros),
      lowMicros: BigInt(low),
      highMicros: BigInt(high),
      unknownRows: unknown,
    })),
    charges: charges.rows.map((row) => ({ ...row, micros: BigInt(row.micros) })),
    corrections: corrections.rows,
    shared: shared.rows.map((row) => ({ ...row, micros: BigInt(row.micros) })),
  };
}
