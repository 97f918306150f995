import { type ForecastRow, forecastDays, keepForecasts } from "@/lib/db/cost/forecasts";
import { type DaySpan, isMetered, spentIn, teamsIn } from "@/lib/db/cost/outlook";
import { readSetting } from "@/lib/db/settings";
import type { Ctx } from "@/lib/domain/access";
import { daysOfMonth } from "@/lib/domain/cost/compare";
import { runRateForecast } from "@/lib/domain/cost/forecast";
import { sum } from "@/lib/domain/cost/money";
import { keptScope, type Selector } from "@/lib/domain/cost/scope";
import { dayOf, dayRange, monthOf, monthRange } from "@/lib/domain/cost/zone";
import { finishedDays, forecastOf, HISTORY_DAYS, historyOf, runningAt } from "./outlook";
import { NO_PLANS, type Plans, plannedRuns } from "./planned";

/** Days that nobody forecast, because the worker was down, are made up for from what was known then. */
const MOST_DAYS = 60;
const NAIVE_DAYS = 7;
/** Until then the meter has taken in what went on over midnight. */
const SETTLING_MS = 10 * 60_000;

/**
 * Writes down what each day's beginning says of the month's end, for the fleet and each team. What is said of a day rests on the
 * ledger up to its midnight, and on the leases and working hours of the day itself.
 */
export async function keepDailyForecasts(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const { zone } = await readSetting("accounting");
  const now = ctx.now.getTime();
  const today = { day: dayOf(now, zone), ...dayRange(dayOf(now, zone), zone) };
  // The first days have nothing behind them to learn from.
  const known = [...(await finishedDays(now, zone, MOST_DAYS)), today].slice(1);
  const first = known[0];
  if (!first) return;
  const done = await forecastDays(first.day);
  for (const day of known) {
    if (signal?.aborted) return;
    if (done.has(day.day) || now - day.from < SETTLING_MS || !(await isMetered(day))) continue;
    await keepForecasts(await forecastsOf(day, zone, day.day !== today.day));
  }
}

async function forecastsOf(day: DaySpan, zone: string, isLater: boolean): Promise<ForecastRow[]> {
  const history = await finishedDays(day.from, zone, HISTORY_DAYS);
  const month = monthOf(day.from, zone);
  const teams = await teamsIn(history[0]?.day ?? day.day, day.day);
  const scopes: (string | null)[] = [null, ...teams];
  // What was planned on a day that is made up for is not known any more.
  const plans: Plans = isLater ? NO_PLANS : await plannedRuns(new Date(day.from), zone);
  return Promise.all(scopes.map((team) => forecastOfScope(team, day, month, zone, history, plans, isLater)));
}

async function forecastOfScope(
  team: string | null,
  day: DaySpan,
  month: string,
  zone: string,
  days: readonly DaySpan[],
  plans: Plans,
  isLater: boolean,
): Promise<ForecastRow> {
  const selector: Selector = team === null ? {} : { team };
  const first = daysOfMonth(month, zone)[0] ?? day.day;
  const before = dayOf(day.from - 1, zone);
  const [running, history, spent] = await Promise.all([
    runningAt(selector, day, plans),
    historyOf(selector, days),
    first < day.day ? spentIn(selector, "day", first, before) : { micros: 0n, unknownRows: 0 },
  ]);
  const end = monthRange(month, zone).to;
  const { baseMicros, lowMicros, highMicros } = forecastOf({
    ...running,
    ...history,
    at: day.from,
    monthEnd: end,
    monthToDateMicros: spent.micros,
  });
  const week = history.spentMicros.slice(-NAIVE_DAYS);
  const weekMean = week.length === 0 ? 0n : sum(week) / BigInt(week.length);
  return {
    scope: keptScope(team),
    month,
    madeOn: day.day,
    baseMicros,
    lowMicros,
    highMicros,
    naiveMicros: runRateForecast(spent.micros, weekMean, end - day.from),
    inputs: {
      monthToDateMicros: spent.micros.toString(),
      running: running.running.length,
      planned: running.running.filter((one) => one.plannedEnd !== null || one.within !== undefined).length,
      returning: running.returning.length,
      churnMicrosPerDay: history.churnMicrosPerDay.toString(),
      historyDays: history.days.length,
      isLater,
    },
  };
}
