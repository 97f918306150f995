import { pool } from "@/lib/db/client";
import type { Correction, Gap } from "@/lib/domain/cost/close";
import type { Asked, Month } from "./periods";

const first = (month: Month) => `${month}-01`;

export type MonthSums = {
  rows: number;
  micros: bigint;
  lowMicros: bigint;
  highMicros: bigint;
  unknownRows: number;
  unknownResources: number;
  uncategorisedMicros: bigint;
};

/** A month's rows, counted and summed: what counts in it, wherever its days lie. */
export async function sumMonth(month: Month, client: Asked = pool()): Promise<MonthSums> {
  const { rows } = await client.query<{
    rows: number;
    micros: string;
    low: string;
    high: string;
    unknown: number;
    resources: number;
    nobody: string;
  }>(
    `select count(*)::int as rows, coalesce(sum(l.micros), 0)::text as micros, coalesce(sum(l.low_micros), 0)::text as low, coalesce(sum(l.high_micros), 0)::text as high,
       count(*) filter (where l.micros is null)::int as unknown, count(distinct l.resource_id) filter (where l.micros is null)::int as resources,
       coalesce(sum(l.micros) filter (where l.owner_id = 0), 0)::text as nobody
     from ledger_row l where l.period = $1::date`,
    [first(month)],
  );
  const [row] = rows;
  if (!row) throw new Error("no sum");
  return {
    rows: row.rows,
    micros: BigInt(row.micros),
    lowMicros: BigInt(row.low),
    highMicros: BigInt(row.high),
    unknownRows: row.unknown,
    unknownResources: row.resources,
    uncategorisedMicros: BigInt(row.nobody),
  };
}

/** Months before one that have rows and are not closed. */
export async function openBefore(month: Month, client: Asked = pool()): Promise<Month[]> {
  // One look per month into the index, not one per row.
  const { rows } = await client.query<{ month: Month }>(
    `with recursive months as (
       (select period from ledger_row order by period limit 1)
       union all select (select l.period from ledger_row l where l.period > m.period order by l.period limit 1) from months m where m.period is not null)
     select to_char(m.period, 'YYYY-MM') as month from months m left join period p on p.month = m.period
     where m.period < $1::date and p.status is distinct from 'closed' order by 1`,
    [first(month)],
  );
  return rows.map((row) => row.month);
}

/** Lives with rows in the month that ended, and whose end may still be moved by what the provider's log says later. */
export async function countUnsettled(month: Month, client: Asked = pool()): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from resource r where r.kind = 'instance' and r.gone_at is not null and not r.metered_final
       and exists (select from ledger_row l where l.resource_id = r.id and l.period = $1::date)`,
    [first(month)],
  );
  return rows[0]?.n ?? 0;
}

const GAP = "10 minutes";

/** Where more than ten minutes passed between two good looks at an account, and the time before the first one, within [from, to). */
export async function listGaps(from: Date, to: Date, client: Asked = pool()): Promise<Gap[]> {
  const { rows } = await client.query<{ from: Date; to: Date }>(
    // Per account in the order of its index: a month has a look every few seconds.
    `select g.before as "from", g.at as "to" from connection c cross join lateral (
       select p.at, lag(p.at, 1, $1::timestamptz) over (order by p.at) as before from poll p
         where p.connection_id = c.id and p.outcome = 'ok' and p.at > $1 and p.at < $2
       union all select $2::timestamptz, coalesce((select p.at from poll p where p.connection_id = c.id and p.outcome = 'ok' and p.at > $1 and p.at < $2
         order by p.at desc limit 1), $1::timestamptz)) g
     where g.at - g.before > interval '${GAP}' order by 1 limit 500`,
    [from, to],
  );
  return rows.map((row) => ({ from: row.from.getTime(), to: row.to.getTime() }));
}

export type DoubtfulLife = {
  resourceId: string;
  name: string;
  typeName: string | null;
  team: string;
  micros: bigint;
  lowMicros: bigint;
  highMicros: bigint;
  unknownRows: number;
  evidence: { from: string; to: string } | null;
};

/** Lives of the month that are flagged where one of their edges lies, or have a row that is wider than a dollar (C23). */
export async function listDoubtful(month: Month, since: Date, client: Asked = pool()): Promise<DoubtfulLife[]> {
  const { rows } = await client.query<{
    resourceId: string;
    name: string;
    typeName: string | null;
    team: string;
    micros: string;
    low: string;
    high: string;
    unknown: number;
    evidence: { from: string; to: string } | null;
  }>(
    `with doubtful as (
       select l.resource_id as id, sum(l.micros) as micros, sum(l.low_micros) as low, sum(l.high_micros) as high, count(*) filter (where l.micros is null) as unknown,
         bool_or(l.is_flagged) as flagged, bool_or(l.high_micros - l.low_micros > 1000000) as wide, max(l.span_id) as span, max(l.owner_id) as owner
       from ledger_row l where l.period = $1::date and l.resource_id is not null and l.corrects_key is null group by 1)
     select d.id::text as "resourceId", coalesce(s.name, r.external_id) as name, s.type_name as "typeName", coalesce(o.team, '') as team,
       coalesce(d.micros, 0)::text as micros, coalesce(d.low, 0)::text as low, coalesce(d.high, 0)::text as high, d.unknown::int as unknown, r.bill_evidence as evidence
     from doubtful d join resource r on r.id = d.id left join resource_span s on s.id = d.span left join cost_owner o on o.id = d.owner
     where d.wide or (d.flagged and (d.low is distinct from d.high or r.bill_from_best >= $2))
     order by coalesce(d.high, 0) - coalesce(d.low, 0) desc, d.id`,
    [first(month), since],
  );
  return rows.map(({ low, high, unknown, micros, ...row }) => ({
    ...row,
    micros: BigInt(micros),
    lowMicros: BigInt(low),
    highMicros: BigInt(high),
    unknownRows: unknown,
  }));
}

const MOST_CORRECTIONS = 200;

/** Rows that count in the month and belong to days of closed ones. */
export async function listCorrections(
  month: Month,
  client: Asked = pool(),
): Promise<{ count: number; micros: bigint; rows: Correction[] }> {
  const { rows } = await client.query<Correction & { count: number; sum: string }>(
    `select l.key::text as key, l.day::text as day, coalesce(s.name, r.external_id, h.description, '') as name, o.team, o.project, l.charge::text as charge,
       l.minutes, l.micros::text as micros, l.note as why, (count(*) over ())::int as count, (coalesce(sum(l.micros) over (), 0))::text as sum
     from ledger_row l join cost_owner o on o.id = l.owner_id left join resource r on r.id = l.resource_id left join resource_span s on s.id = l.span_id
       left join charge h on h.id = l.charge_id
     where l.period = $1::date and (l.corrects_key is not null or l.day < $1::date) order by l.day, l.key limit ${MOST_CORRECTIONS}`,
    [first(month)],
  );
  const [one] = rows;
  return {
    count: one?.count ?? 0,
    micros: BigInt(one?.sum ?? "0"),
    rows: rows.map(({ count: _count, sum: _sum, ...row }) => row),
  };
}

/** What was learnt of a closed month later, by the month in which it counts. */
export async function listCorrectedLater(month: Month): Promise<{ month: string; micros: string; rows: number }[]> {
  const { rows } = await pool().query<{ month: string; micros: string; rows: number }>(
    `select to_char(l.period, 'YYYY-MM') as month, coalesce(sum(l.micros), 0)::text as micros, count(*)::int as rows
     from ledger_row l where l.period > $1::date and l.day >= $1::date and l.day < ($1::date + interval '1 month') group by 1 order by 1`,
    [first(month)],
  );
  return rows;
}
