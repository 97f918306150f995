import type { BudgetEvery } from "./budget-period";
import type { BudgetState, Threshold } from "./budgets";
import type { ForecastScore } from "./forecast-score";
import type { ScopeKey, Selector } from "./scope";

/* What pages and programs are answered. Instants are epoch milliseconds, money is whole micro-dollars as text. */

export type BudgetView = Pick<
  BudgetState,
  "id" | "name" | "from" | "to" | "unknownRows" | "actualPct" | "forecastPct" | "burnPct" | "crossesAt"
> & {
  selector: Selector;
  /** In words: "Team research". */
  scope: string;
  every: BudgetEvery;
  version: number;
  limitMicros: string;
  spentMicros: string;
  /** To the end of the period; 8 in 10 lie between low and high. */
  forecast: { micros: string; lowMicros: string; highMicros: string };
  /** What the rate of now costs in a whole period. */
  burnMicros: string;
  microsPerHour: string;
  thresholds: (Threshold & { isReached: boolean; at: number | null })[];
};

/** How good the forecasts of a month were. */
export type MonthScore = ForecastScore & {
  month: string;
  actualMicros: string;
  /** The month is not closed yet: it may still change. */
  isOpen: boolean;
};

export type BudgetsAnswer = {
  now: number;
  zone: string;
  budgets: BudgetView[];
  /** What a budget may be for. */
  known: Record<ScopeKey, string[]>;
  /** Of months that are over, the newest first; the fleet before its teams. */
  scores: MonthScore[];
};

export type BudgetAnswer = {
  now: number;
  zone: string;
  budget: BudgetView;
  /** Earlier periods, the newest first. */
  past: { fromDay: string; toDay: string; spentMicros: string; unknownRows: number; isPartlyKnown: boolean }[];
  /** Null: this role does not read the audit trail. */
  acts: { at: number; actor: string; action: string; changes: Record<string, { from: unknown; to: unknown }> }[] | null;
};
