import { z } from "zod";
import { usd } from "@/lib/domain/settings";
import { cleanName } from "@/lib/domain/text";
import { budgetCrossing, budgetShare, thresholdMicros } from "./budget";
import { BUDGET_PERIODS, type BudgetEvery, type BudgetWindow } from "./budget-period";
import type { Forecast } from "./forecast";
import { type Micros, roundHalfAway } from "./money";
import { Selector } from "./scope";

const HOUR_MS = 3_600_000n;

/** On what a threshold of a budget is: what is spent, what the period will have cost, and what the rate of now costs in a period. */
export const THRESHOLD_KINDS = ["actual", "forecast", "burn"] as const;
export type ThresholdKind = (typeof THRESHOLD_KINDS)[number];

export const Threshold = z.object({
  on: z.enum(THRESHOLD_KINDS),
  pct: z.coerce.number({ error: "Give a percentage" }).gt(0, "Give more than 0 %").max(1_000, "At most 1,000 %"),
});
export type Threshold = z.output<typeof Threshold>;

export const DEFAULT_THRESHOLDS: readonly Threshold[] = [
  { on: "actual", pct: 80 },
  { on: "actual", pct: 100 },
  { on: "forecast", pct: 100 },
];

const amount = usd(1_000_000_000n * 1_000_000n).transform((micros, issues) => {
  if (micros !== null && micros > 0n) return micros;
  issues.addIssue({ code: "custom", message: "Give an amount above $0" });
  return z.NEVER;
});

const what = {
  name: z
    .string()
    .max(120, "is longer than 120 characters")
    .transform((text) => cleanName(text, 120)),
  selector: Selector,
  every: z.enum(BUDGET_PERIODS),
  usd: amount,
  thresholds: z
    .array(Threshold)
    .max(8, "At most eight thresholds")
    .refine((list) => new Set(list.map(({ on, pct }) => `${on} ${pct}`)).size === list.length, "One of them is twice")
    .default([...DEFAULT_THRESHOLDS]),
};

export const NewBudget = z.object(what);
export type NewBudget = z.output<typeof NewBudget>;

export const BudgetId = z.object({ budgetId: z.uuid() });
export type BudgetId = z.output<typeof BudgetId>;

/** `version` is the one that was looked at: a change that somebody made meanwhile is not lost. */
export const BudgetChange = z.object({ ...what, budgetId: z.uuid(), version: z.coerce.number().int().positive() });
export type BudgetChange = z.output<typeof BudgetChange>;

export type Budget = {
  id: string;
  name: string;
  selector: Selector;
  every: BudgetEvery;
  micros: Micros;
  thresholds: readonly Threshold[];
  fromDay: string;
  version: number;
};

export type BudgetFacts = {
  at: number;
  window: BudgetWindow;
  spentMicros: Micros;
  /** Rows without a price: their money is missing. */
  unknownRows: number;
  /** To the end of the window. */
  forecast: Forecast;
  /** What runs now, and storage. */
  microsPerHour: Micros;
};

export type BudgetState = {
  id: string;
  name: string;
  selector: Selector;
  every: BudgetEvery;
  from: number;
  to: number;
  limitMicros: Micros;
  spentMicros: Micros;
  forecast: Forecast;
  burnMicros: Micros;
  microsPerHour: Micros;
  unknownRows: number;
  /** Per cent of the budget to two digits. */
  actualPct: number;
  forecastPct: number;
  burnPct: number;
  /** When the budget is gone at the rate of now; null: not within the period. */
  crossesAt: number | null;
  thresholds: (Threshold & { isReached: boolean; at: number | null })[];
};

/** How a budget stands at an instant, by each of the three measures. */
export function budgetState(budget: Budget, facts: BudgetFacts): BudgetState {
  const { at, window, spentMicros, forecast, microsPerHour } = facts;
  const burnMicros = roundHalfAway(microsPerHour * BigInt(window.to - window.from), HOUR_MS);
  const amounts: Record<ThresholdKind, Micros> = {
    actual: spentMicros,
    forecast: forecast.baseMicros,
    burn: burnMicros,
  };
  const percentOf = (micros: Micros) => Number(budgetShare(micros, budget.micros, 100)?.pct ?? 0);
  const crossing = (limitMicros: Micros) => {
    const found = budgetCrossing({ from: at, spentMicros, microsPerHour, limitMicros });
    return found !== null && found.at < window.to ? found.at : null;
  };
  return {
    id: budget.id,
    name: budget.name,
    selector: budget.selector,
    every: budget.every,
    from: window.from,
    to: window.to,
    limitMicros: budget.micros,
    spentMicros,
    forecast,
    burnMicros,
    microsPerHour,
    unknownRows: facts.unknownRows,
    actualPct: percentOf(spentMicros),
    forecastPct: percentOf(forecast.baseMicros),
    burnPct: percentOf(burnMicros),
    crossesAt: crossing(budget.micros),
    thresholds: budget.thresholds.map((threshold) => ({
      ...threshold,
      isReached: budgetShare(amounts[threshold.on], budget.micros, threshold.pct)?.isReached ?? false,
      at: threshold.on === "actual" ? crossing(thresholdMicros(budget.micros, threshold.pct)) : null,
    })),
  };
}
