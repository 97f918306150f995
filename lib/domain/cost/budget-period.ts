import { Temporal } from "temporal-polyfill";
import { dayOf, dayRange, type Range } from "./zone";

export const BUDGET_PERIODS = ["day", "week", "month", "quarter", "year"] as const;
export type BudgetEvery = (typeof BUDGET_PERIODS)[number];

/** One stretch of a budget: whole accounting days, both named, and the instants between which they lie. */
export type BudgetWindow = Range & { fromDay: string; toDay: string };

/** The day, week (from Monday), month, quarter or year in which an instant lies. */
export function budgetWindow(every: BudgetEvery, at: number, zone: string): BudgetWindow {
  const day = Temporal.PlainDate.from(dayOf(at, zone));
  const first = firstOf(every, day);
  const last = first.add(LENGTHS[every]).subtract({ days: 1 });
  const [fromDay, toDay] = [first.toString(), last.toString()];
  return { fromDay, toDay, from: dayRange(fromDay, zone).from, to: dayRange(toDay, zone).to };
}

/** The windows before one, the newest first, as far back as an instant. */
export function windowsBefore(every: BudgetEvery, window: BudgetWindow, since: number, zone: string, most: number) {
  const found: BudgetWindow[] = [];
  let at = window.from - 1;
  while (found.length < most && at >= since) {
    const one = budgetWindow(every, at, zone);
    found.push(one);
    at = one.from - 1;
  }
  return found;
}

const LENGTHS = {
  day: { days: 1 },
  week: { days: 7 },
  month: { months: 1 },
  quarter: { months: 3 },
  year: { years: 1 },
} as const;

function firstOf(every: BudgetEvery, day: Temporal.PlainDate): Temporal.PlainDate {
  switch (every) {
    case "day":
      return day;
    case "week":
      return day.subtract({ days: day.dayOfWeek - 1 });
    case "month":
      return day.with({ day: 1 });
    case "quarter":
      return day.with({ day: 1, month: 3 * Math.floor((day.month - 1) / 3) + 1 });
    case "year":
      return day.with({ day: 1, month: 1 });
  }
}

/** Months, quarters and years are sums of accounting months; days and weeks are sums of days. */
export function countsMonths(every: BudgetEvery): boolean {
  return every !== "day" && every !== "week";
}
