import type pg from "pg";
import { pool } from "@/lib/db/client";
import type { LedgerDetail } from "@/lib/domain/cost/ledger-csv";
import { FROM } from "./read";

const SELECT = `select l.key, l.day::text as day, l.charge::text as charge, l.resource_id as "resourceId", r.external_id as "externalId",
   coalesce(s.name, r.external_id) as name, s.type_name as "typeName", s.region, o.team, o.project, o.environment,
   l.starts_at as "startsAt", l.ends_at as "endsAt", l.minutes, l.byte_hours::text as "byteHours", p.micros::text as "priceMicros",
   l.micros::text as micros, l.low_micros::text as low, l.high_micros::text as high, l.is_flagged as "isFlagged"
 ${FROM} left join price p on p.id = l.price_id
 where l.day between $1::date and $2::date and ($3::uuid is null or l.resource_id = $3::uuid)`;

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

export type LedgerScope = { from: string; to: string; resourceId: string | null };

/** The rows behind a figure, the newest first. */
export async function listLedger({ from, to, resourceId }: LedgerScope, limit: number): Promise<LedgerDetail[]> {
  const { rows } = await pool().query<RawDetail>(`${SELECT} order by l.day desc, l.starts_at desc, l.key limit $4`, [
    from,
    to,
    resourceId,
    limit,
  ]);
  return rows.map(toDetail);
}

/** A reader that takes nothing for so long gives the connection back, and its file ends there, broken off. */
const STALLED_AFTER = "60s";
const BATCH = 2_000;

/** All rows, the oldest first, as of one instant, some at a time: whoever asks for them sets the pace. */
export async function* streamLedger({ from, to, resourceId }: LedgerScope): AsyncGenerator<LedgerDetail[]> {
  const client = await pool().connect();
  // The server may end a stalled transaction between two of our questions; the next one then says so.
  const ignore = () => {};
  client.on("error", ignore);
  let isBroken = true;
  try {
    await client.query("begin isolation level repeatable read read only");
    await client.query(`set local idle_in_transaction_session_timeout = '${STALLED_AFTER}'`);
    await client.query(`declare ledger_rows no scroll cursor for ${SELECT} order by l.day, l.starts_at, l.key`, [
      from,
      to,
      resourceId,
    ]);
    for (;;) {
      const { rows }: pg.QueryResult<RawDetail> = await client.query(`fetch ${BATCH} from ledger_rows`);
      if (rows.length > 0) yield rows.map(toDetail);
      if (rows.length < BATCH) break;
    }
    isBroken = false;
  } finally {
    await client.query("rollback").catch(() => {
      isBroken = true;
    });
    client.off("error", ignore);
    client.release(isBroken);
  }
}
