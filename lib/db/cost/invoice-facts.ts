import { pool } from "@/lib/db/client";
import type { BilledResource, LedgerFact } from "@/lib/domain/invoice/types";
import type { MatchInput } from "@/lib/domain/invoice/variance";
import type { Asked } from "./periods";

/** So many days on either side a charge may have slipped to another invoice. */
const BESIDE_DAYS = 31;

type Scope = { id: string; connectionId: string; fromDay: string; toDay: string };
type Raw<T> = { [K in keyof T]: T[K] extends bigint ? string : T[K] extends bigint | null ? string | null : T[K] };

const big = (text: string | null) => (text === null ? null : BigInt(text));

/** The account's ledger in the days of an invoice; of loose charges those that count and are of no other invoice. */
export async function listLedgerFacts(scope: Scope, client: Asked = pool()): Promise<LedgerFact[]> {
  const { rows } = await client.query<Raw<LedgerFact>>(
    `select l.resource_id::text as "resourceId", l.charge::text as charge, l.day::text as day, p.micros::text as "priceMicros", sum(l.minutes)::int as minutes,
       sum(l.byte_hours)::text as "byteHours", sum(l.micros)::text as micros, sum(l.low_micros)::text as "lowMicros",
       sum(l.high_micros)::text as "highMicros", count(*)::int as rows, l.charge_id::text as "chargeId"
     from ledger_row l left join resource r on r.id = l.resource_id left join price p on p.id = l.price_id left join charge c on c.id = l.charge_id
     where (r.id is null or r.connection_id = $2::uuid)
       and (c.id is null or c.deleted_at is null) and (c.invoice_id = $1::uuid or (l.day between $3::date and $4::date and c.invoice_id is null))
     group by l.resource_id, l.charge, l.day, p.micros, l.micros is null, l.charge_id
     order by l.day, l.resource_id, l.charge, p.micros, l.charge_id`,
    [scope.id, scope.connectionId, scope.fromDay, scope.toDay],
  );
  return rows.map((row) => ({
    ...row,
    priceMicros: big(row.priceMicros),
    byteHours: big(row.byteHours),
    micros: big(row.micros),
    lowMicros: big(row.lowMicros),
    highMicros: big(row.highMicros),
  }));
}

/** What an invoice may speak of: everything that was there in its days or beside them, by every name that it had. */
export async function listBilledResources(scope: Scope, client: Asked = pool()): Promise<BilledResource[]> {
  const { rows } = await client.query<BilledResource>(
    `select r.id::text as id, r.kind::text as kind, r.external_id as "externalId",
       coalesce(array_agg(distinct s.name) filter (where s.name is not null), '{}') as names,
       (array_agg(s.type_name order by s.valid_from desc))[1] as "typeName", (array_agg(s.region order by s.valid_from desc))[1] as region
     from resource r join resource_span s on s.resource_id = r.id
     where r.connection_id = $1::uuid and s.valid_from < ($3::date + ${BESIDE_DAYS + 2}) and (s.valid_to is null or s.valid_to > ($2::date - ${BESIDE_DAYS + 2}))
     group by r.id order by r.id`,
    [scope.connectionId, scope.fromDay, scope.toDay],
  );
  return rows;
}

type Beside = Pick<MatchInput, "beside" | "others">;

/** Where else the cost of resources may have gone: days beside that nobody billed, and what other invoices have too much or too little. */
export async function listBeside(
  scope: Scope,
  resourceIds: readonly string[],
  client: Asked = pool(),
): Promise<Beside> {
  if (resourceIds.length === 0) return { beside: [], others: [] };
  const asked = [scope.id, scope.connectionId, scope.fromDay, scope.toDay, resourceIds];
  const beside = await client.query<{ resourceId: string; day: string; micros: string }>(
    `select l.resource_id::text as "resourceId", l.day::text as day, sum(l.micros)::text as micros from ledger_row l
     where l.resource_id = any ($5::uuid[]) and l.day between $3::date - ${BESIDE_DAYS} and $4::date + ${BESIDE_DAYS} and l.day not between $3::date and $4::date
       and l.micros is not null and l.charge in ('usage', 'storage')
       and not exists (select from invoice i where i.connection_id = $2::uuid and i.id <> $1::uuid and l.day between i.from_day and i.to_day
         and not exists (select from variance v where v.invoice_id = i.id and v.resource_id = l.resource_id and coalesce(v.billed_micros, 0) < coalesce(v.ledger_micros, 0)))
     group by 1, 2 having sum(l.micros) <> 0 order by 1, 2`,
    asked,
  );
  const others = await client.query<{ resourceId: string; number: string; micros: string }>(
    `select v.resource_id::text as "resourceId", i.number, sum(coalesce(v.billed_micros, 0) - coalesce(v.ledger_micros, 0))::text as micros
     from variance v join invoice i on i.id = v.invoice_id
     where i.connection_id = $2::uuid and i.id <> $1::uuid and v.resource_id = any ($5::uuid[])
       and i.from_day <= $4::date + ${BESIDE_DAYS} and i.to_day >= $3::date - ${BESIDE_DAYS}
     group by 1, 2 having sum(coalesce(v.billed_micros, 0) - coalesce(v.ledger_micros, 0)) <> 0 order by 1, 2`,
    asked,
  );
  return {
    beside: beside.rows.map((row) => ({ ...row, micros: BigInt(row.micros) })),
    others: others.rows.map(({ micros, ...row }) => ({ ...row, differenceMicros: BigInt(micros) })),
  };
}

/** Other invoices of the account that lie so near that one may have what the other lacks. */
export async function listNeighbours(scope: Scope, client: Asked = pool()): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select id::text as id from invoice where connection_id = $2::uuid and id <> $1::uuid
       and from_day <= $4::date + ${BESIDE_DAYS} and to_day >= $3::date - ${BESIDE_DAYS} order by from_day limit 20`,
    [scope.id, scope.connectionId, scope.fromDay, scope.toDay],
  );
  return rows.map(({ id }) => id);
}
