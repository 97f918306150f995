import type { Client } from "@/lib/db/client";
import { actualsOf, listForecasts, type ScoredForecast, settleForecasts } from "@/lib/db/cost/forecasts";
import { closedMonths } from "@/lib/db/cost/periods";
import { readSettingNow } from "@/lib/db/settings";
import type { MonthScore } from "@/lib/domain/cost/budgets-view";
import { monthBefore } from "@/lib/domain/cost/compare";
import { type ForecastScore, forecastScore } from "@/lib/domain/cost/forecast-score";
import { monthOf } from "@/lib/domain/cost/zone";
import { groupBy } from "@/lib/domain/group";

/** Settles the forecasts of a month with what it came to, within the transaction that closes it, and says how good they were. */
export async function scoreForecasts(tx: Client, month: string): Promise<ForecastScore[]> {
  const rows = await settleForecasts(tx, month);
  return [...groupBy(rows, ({ scope }) => scope)].map(([scope, own]) =>
    forecastScore(scope, own, own[0]?.actualMicros ?? 0n),
  );
}

const MONTHS = 6;

/** How good the forecasts of the last months were; of a month that is not closed yet, against what it came to so far. */
export async function readForecastScores(now: Date): Promise<MonthScore[]> {
  const { zone } = await readSettingNow("accounting");
  const last = monthBefore(monthOf(now.getTime(), zone), zone);
  let first = last;
  for (let i = 1; i < MONTHS; i++) first = monthBefore(first, zone);
  const [rows, actuals, closed] = await Promise.all([
    listForecasts(first, last),
    actualsOf(first, last),
    closedMonths(),
  ]);
  const key = ({ month, scope }: ScoredForecast) => `${month} ${scope}`;
  return [...groupBy(rows, key)].flatMap(([name, own]) => {
    const [row] = own;
    if (!row) return [];
    const actualMicros = row.actualMicros ?? actuals.get(name) ?? 0n;
    const score = forecastScore(row.scope, own, actualMicros);
    return [{ ...score, month: row.month, actualMicros: actualMicros.toString(), isOpen: !closed.has(row.month) }];
  });
}
