import { pool } from "@/lib/db/client";
import { streamRows, type Within } from "@/lib/db/cursor";
import type { LedgerDetail } from "@/lib/domain/cost/ledger-csv";
import { FROM } from "./read";

const SELECT = `select l.key, l.day::text as day, l.charge::text as charge, l.resource_id as "resourceId", r.external_id as "externalId",
   coalesce(s.name, r.external_id, l.note, l.charge::text) as name, s.type_name as "typeName", s.region, o.team, o.project, o.environment, o.cost_center as "costCenter",
   l.starts_at as "startsAt", l.ends_at as "endsAt", l.minutes, l.byte_hours::text as "byteHours", p.micros::text as "priceMicros",
   l.micros::text as micros, l.low_micros::text as low, l.high_micros::text as high, l.is_flagged as "isFlagged"
 ${FROM} left join price p on p.id = l.price_id
 where ($3::uuid is null or l.resource_id = $3::uuid)`;

// A month has the rows that count in it, also those for days of a closed one; days have the rows that are for them.
const whereOf = ({ isMonth }: LedgerScope) =>
  isMonth
    ? "and l.period = date_trunc('month', $1::date)::date and $2::date is not null"
    : "and l.day between $1::date and $2::date";

type RawDetail = Omit<LedgerDetail, "priceMicros" | "micros" | "lowMicros" | "highMicros"> & {
  priceMicros: string | null;
  micros: string | null;
  low: string | null;
  high: string | null;
};

function toDetail({ low, high, ...row }: RawDetail): LedgerDetail {
  const big = (text: string | null) => (text === null ? null : BigInt(text));
  return {
    ...row,
    priceMicros: big(row.priceMicros),
    micros: big(row.micros),
    lowMicros: big(low),
    highMicros: big(high),
  };
}

/** First and last accounting day; `isMonth`: they are a whole month. */
export type LedgerScope = { from: string; to: string; isMonth: boolean; resourceId: string | null };

/** The rows behind a figure, the newest first. */
export async function listLedger(scope: LedgerScope, limit: number): Promise<LedgerDetail[]> {
  const { rows } = await pool().query<RawDetail>(
    `${SELECT} ${whereOf(scope)} order by l.day desc, l.starts_at desc, l.key limit $4`,
    [scope.from, scope.to, scope.resourceId, limit],
  );
  return rows.map(toDetail);
}

/** The state of the rows: their number and the hash of what in them can change. */
async function revisionOf(scope: LedgerScope, client: Within): Promise<string> {
  const { rows } = await client.query<{ hash: string }>(
    `select encode(sha256(convert_to(coalesce(string_agg(md5(concat_ws('|', l.key, l.owner_id, l.price_id, l.minutes, l.byte_hours, l.micros, l.low_micros, l.high_micros, l.is_flagged)), '' order by l.key), ''), 'UTF8')), 'hex') as hash
     from ledger_row l where ($3::uuid is null or l.resource_id = $3::uuid) ${whereOf(scope)}`,
    [scope.from, scope.to, scope.resourceId],
  );
  return rows[0]?.hash.slice(0, 16) ?? "";
}

/** All rows, the oldest first, as of one instant, some at a time; their revision is told before the first. */
export async function* streamLedger(
  scope: LedgerScope,
  tell: (revision: string) => void,
): AsyncGenerator<LedgerDetail[]> {
  const rows = streamRows<RawDetail>(
    `${SELECT} ${whereOf(scope)} order by l.day, l.starts_at, l.key`,
    [scope.from, scope.to, scope.resourceId],
    async (client) => tell(await revisionOf(scope, client)),
  );
  for await (const batch of rows) yield batch.map(toDetail);
}
