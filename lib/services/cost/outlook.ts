import { churnIn, type DaySpan, dayFacts, lastRates, ratesAt, ratesNow, spentIn } from "@/lib/db/cost/outlook";
import { findConnection } from "@/lib/db/fleet/connection";
import { type BudgetEvery, type BudgetWindow, countsMonths } from "@/lib/domain/cost/budget-period";
import { type ForecastInput, monthEndForecast } from "@/lib/domain/cost/forecast";
import { sum } from "@/lib/domain/cost/money";
import type { Selector } from "@/lib/domain/cost/scope";
import { dayOf, dayRange } from "@/lib/domain/cost/zone";
import { type Plans, plannedRuns } from "./planned";

const DAY_MS = 24 * 3_600_000;
/** Finished days that a forecast learns from. */
export const HISTORY_DAYS = 28;

/** The last whole days before the one of an instant of which the account is known, the oldest first. */
export async function finishedDays(at: number, zone: string, most = HISTORY_DAYS): Promise<DaySpan[]> {
  const since = (await findConnection())?.createdAt.getTime();
  if (since === undefined) return [];
  const days: DaySpan[] = [];
  let before = dayRange(dayOf(at, zone), zone).from;
  while (days.length < most) {
    const day = dayOf(before - 1, zone);
    const { from, to } = dayRange(day, zone);
    if (from < since) break;
    days.unshift({ day, from, to });
    before = from;
  }
  return days;
}

export type History = Pick<ForecastInput, "churnMicrosPerDay" | "dailyResidualMicros" | "dailyMeanMicros"> & {
  days: readonly string[];
  /** What each of them cost, in their order. */
  spentMicros: readonly bigint[];
};

/** What the finished days before an instant teach: how much comes and goes, and how far the state at midnight was off. */
export async function historyOf(selector: Selector, days: readonly DaySpan[]): Promise<History> {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last)
    return { days: [], spentMicros: [], churnMicrosPerDay: 0n, dailyResidualMicros: [], dailyMeanMicros: 0n };
  const [facts, churned] = await Promise.all([
    dayFacts(selector, days),
    churnIn(selector, { fromDay: first.day, toDay: last.day, start: first.from, end: last.to }),
  ]);
  const count = BigInt(days.length);
  const churnMicrosPerDay = sum(churned.map((one) => one.micros)) / count;
  const per = days.map(({ day }) => facts.filter((one) => one.day === day));
  const spentMicros = per.map((own) => sum(own.map((one) => one.actualMicros)));
  const expected = per.map((own) => sum(own.map((one) => one.stateMicros)) + churnMicrosPerDay);
  return {
    days: days.map(({ day }) => day),
    spentMicros,
    churnMicrosPerDay,
    dailyResidualMicros: spentMicros.map((spent, i) => (expected[i] ?? 0n) - spent),
    dailyMeanMicros: sum(spentMicros) / count,
  };
}

type Running = Pick<ForecastInput, "running" | "storageMicrosPerHour"> & {
  /** Machines that are away until the hours of their plan begin, at the rate that they had. */
  returning: ForecastInput["running"];
};

/** Machines that working hours bring back; until Lambda's list says that it is gone, a machine is there. */
export async function returningRuns(
  selector: Selector,
  { returning }: Plans,
  there: readonly string[],
): Promise<ForecastInput["running"]> {
  const away = [...returning.keys()].filter((id) => !there.includes(id));
  return (await lastRates(selector, away)).flatMap(({ resourceId, microsPerHour }) => {
    const plan = returning.get(resourceId);
    return plan ? [{ ...plan, microsPerHour }] : [];
  });
}

async function runningOf(
  selector: Selector,
  rates: Awaited<ReturnType<typeof ratesNow>>,
  plans: Plans,
): Promise<Running> {
  const there = rates.filter(({ charge }) => charge === "usage");
  return {
    running: there.map(({ resourceId, microsPerHour }) => ({
      plannedEnd: null,
      ...plans.running.get(resourceId),
      microsPerHour,
    })),
    returning: await returningRuns(
      selector,
      plans,
      there.map(({ resourceId }) => resourceId),
    ),
    storageMicrosPerHour: sum(
      rates.filter(({ charge }) => charge === "storage").map(({ microsPerHour }) => microsPerHour),
    ),
  };
}

/** What a scope runs now, by the newest rows of its ledger, and for how long it is planned to. */
export async function runningNow(selector: Selector, now: Date, zone: string): Promise<Running> {
  const [rates, plans] = await Promise.all([
    ratesNow(selector, dayOf(now.getTime() - DAY_MS, zone)),
    plannedRuns(now, zone),
  ]);
  return runningOf(selector, rates, plans);
}

/** What it ran when a day began, and for how long it was planned to where that is known. */
export async function runningAt(selector: Selector, day: DaySpan, plans: Plans): Promise<Running> {
  return runningOf(selector, await ratesAt(selector, day), plans);
}

export function rateOf({ running, storageMicrosPerHour }: Running): bigint {
  return sum(running.map((one) => one.microsPerHour)) + storageMicrosPerHour;
}

/** What a scope spent in a window, whole days up to the last one that is asked for. */
export function spentWithin(selector: Selector, every: BudgetEvery, window: Pick<BudgetWindow, "fromDay" | "toDay">) {
  return spentIn(selector, countsMonths(every) ? "period" : "day", window.fromDay, window.toDay);
}

export function atLeast(micros: bigint, floorMicros: bigint): bigint {
  return micros > floorMicros ? micros : floorMicros;
}

/** The forecast of a window from what is known; what is spent already is spent, so no band reaches below it. */
export function forecastOf(
  facts: Running & History & { at: number; monthEnd: number; monthToDateMicros: bigint },
): ReturnType<typeof monthEndForecast> {
  const running = [...facts.running, ...facts.returning];
  const { baseMicros, lowMicros, highMicros } = monthEndForecast({ ...facts, running });
  const { monthToDateMicros } = facts;
  return { baseMicros, lowMicros: atLeast(lowMicros, monthToDateMicros), highMicros };
}
