import { type Client, pool } from "@/lib/db/client";
import type { KeptForecast } from "@/lib/domain/cost/forecast-score";

export type ForecastRow = KeptForecast & {
  scope: string;
  month: string;
  inputs: Record<string, string | number | boolean>;
};

/** Writes forecasts of a day down; what was said once stays. */
export async function keepForecasts(rows: readonly ForecastRow[]): Promise<void> {
  if (rows.length === 0) return;
  await pool().query(
    `insert into forecast (scope, month, made_on, base_micros, low_micros, high_micros, naive_micros, inputs)
     select scope, (month || '-01')::date, made_on, base, low, high, naive, inputs
     from unnest($1::text[], $2::text[], $3::date[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::jsonb[]) as x(scope, month, made_on, base, low, high, naive, inputs)
     on conflict do nothing`,
    [
      rows.map((row) => row.scope),
      rows.map((row) => row.month),
      rows.map((row) => row.madeOn),
      rows.map((row) => row.baseMicros),
      rows.map((row) => row.lowMicros),
      rows.map((row) => row.highMicros),
      rows.map((row) => row.naiveMicros),
      rows.map((row) => JSON.stringify(row.inputs)),
    ],
  );
}

/** The days from one on that have been forecast. */
export async function forecastDays(from: string): Promise<Set<string>> {
  const { rows } = await pool().query<{ day: string }>(
    "select distinct made_on::text as day from forecast where made_on >= $1::date",
    [from],
  );
  return new Set(rows.map((row) => row.day));
}

export type ScoredForecast = KeptForecast & { scope: string; month: string; actualMicros: bigint | null };

type Raw = {
  scope: string;
  month: string;
  madeOn: string;
  base: string;
  low: string;
  high: string;
  naive: string;
  actual: string | null;
};

/** What was forecast of months, beside what they came to, where that is settled. */
export async function listForecasts(fromMonth: string, toMonth: string): Promise<ScoredForecast[]> {
  const { rows } = await pool().query<Raw>(
    `select scope, to_char(month, 'YYYY-MM') as month, made_on::text as "madeOn", base_micros::text as base, low_micros::text as low, high_micros::text as high,
            naive_micros::text as naive, actual_micros::text as actual
     from forecast where month between ($1 || '-01')::date and ($2 || '-01')::date order by month desc, scope, made_on`,
    [fromMonth, toMonth],
  );
  return rows.map(({ scope, month, madeOn, base, low, high, naive, actual }) => ({
    scope,
    month,
    madeOn,
    baseMicros: BigInt(base),
    lowMicros: BigInt(low),
    highMicros: BigInt(high),
    naiveMicros: BigInt(naive),
    actualMicros: actual === null ? null : BigInt(actual),
  }));
}

const ACTUAL = `select to_char(x.period, 'YYYY-MM') as month, 'all' as scope, sum(x.micros) as micros from owned x group by 1
  union all select to_char(x.period, 'YYYY-MM'), 'team:' || x.team, sum(x.micros) from owned x group by 1, 2`;
const OWNED = (where: string) => `owned as (
  select d.period, o.team, d.micros from cost_day d join cost_owner o on o.id = d.owner_id where ${where.replaceAll("@", "d")}
  union all select h.period, o.team, h.micros from shared_cost h join cost_owner o on o.id = h.owner_id where ${where.replaceAll("@", "h")}
  union all select h.period, o.team, -h.micros from shared_cost h join cost_owner o on o.id = h.pot_id where ${where.replaceAll("@", "h")})`;

/** What months came to, by the scopes that are forecast: "2026-10 all", "2026-10 team:research". */
export async function actualsOf(fromMonth: string, toMonth: string): Promise<Map<string, bigint>> {
  const { rows } = await pool().query<{ month: string; scope: string; micros: string }>(
    `with ${OWNED("@.period between ($1 || '-01')::date and ($2 || '-01')::date")} select month, scope, micros::text as micros from (${ACTUAL}) a`,
    [fromMonth, toMonth],
  );
  return new Map(rows.map(({ month, scope, micros }) => [`${month} ${scope}`, BigInt(micros)]));
}

/** Writes beside a month's forecasts what it came to; a scope that spent nothing came to nothing. */
export async function settleForecasts(tx: Client, month: string): Promise<ScoredForecast[]> {
  const first = `${month}-01`;
  await tx.$executeRawUnsafe(
    `with ${OWNED("@.period = $1::date")}
     update forecast f set actual_micros = coalesce((select a.micros from (${ACTUAL}) a where a.scope = f.scope), 0) where f.month = $1::date`,
    first,
  );
  const rows = await tx.forecast.findMany({
    where: { month: new Date(first) },
    orderBy: [{ scope: "asc" }, { madeOn: "asc" }],
  });
  return rows.map(({ scope, madeOn, baseMicros, lowMicros, highMicros, naiveMicros, actualMicros }) => ({
    scope,
    month,
    madeOn: madeOn.toISOString().slice(0, 10),
    baseMicros,
    lowMicros,
    highMicros,
    naiveMicros,
    actualMicros,
  }));
}
