import type { BudgetEvery } from "@/lib/domain/cost/budget-period";
import type { ThresholdKind } from "@/lib/domain/cost/budgets";
import type { BudgetView } from "@/lib/domain/cost/budgets-view";
import { formatUsdWhole } from "@/lib/domain/format";
import { formatInstant } from "@/lib/domain/format-time";

export const EVERY_WORDS: Record<BudgetEvery, string> = {
  day: "a day",
  week: "a week",
  month: "a month",
  quarter: "a quarter",
  year: "a year",
};

export const ON_WORDS: Record<ThresholdKind, string> = {
  actual: "Spent",
  forecast: "Forecast",
  burn: "Rate of now over the whole period",
};

export const ON_SHORT: Record<ThresholdKind, string> = { actual: "spent", forecast: "forecast", burn: "burn rate" };

/** The worst that can be said of a budget: gone, going to be gone, or fine. */
export function standingOf({ spentMicros, limitMicros, forecast, crossesAt, to, now }: BudgetView & { now: number }): {
  tone: "crit" | "warn" | "ok";
  word: string;
} {
  const limit = BigInt(limitMicros);
  if (BigInt(spentMicros) >= limit) return { tone: "crit", word: "Used up" };
  if (BigInt(forecast.micros) >= limit || (crossesAt !== null && crossesAt > now && crossesAt < to))
    return { tone: "warn", word: "Will be passed" };
  return { tone: "ok", word: "Within" };
}

/** When the limit is passed at the rate of now. */
export function crossingWords({ crossesAt, spentMicros, limitMicros }: BudgetView, timeZone: string): string | null {
  if (BigInt(spentMicros) >= BigInt(limitMicros)) return "used up";
  return crossesAt === null ? null : formatInstant(crossesAt, { timeZone });
}

/** `$11,091 to $11,148, 8 in 10` */
export function bandWords({ forecast }: Pick<BudgetView, "forecast">): string {
  return `${formatUsdWhole(forecast.lowMicros)} to ${formatUsdWhole(forecast.highMicros)}, 8 in 10`;
}
