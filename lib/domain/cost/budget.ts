import { decimalText } from "./decimal";
import { type Micros, roundHalfAway } from "./money";

const MINUTE_MS = 60_000;

export type Crossing = {
  /** Whole minutes from the start until the spend reaches the limit. */
  minutes: number;
  at: number;
  spentMicros: Micros;
  /** One minute before. */
  spentBeforeMicros: Micros;
};

/**
 * When spending reaches a limit, at a price that stays as it is (C54). `spentMicros` is what is spent at `from`.
 * Null: never, because nothing runs. A limit already reached is crossed at `from`.
 */
export function budgetCrossing(input: {
  from: number;
  spentMicros: Micros;
  microsPerHour: Micros;
  limitMicros: Micros;
}): Crossing | null {
  const { from, spentMicros, microsPerHour, limitMicros } = input;
  const spentAfter = (minutes: bigint) => spentMicros + roundHalfAway(microsPerHour * minutes, 60n);
  const missing = limitMicros - spentMicros;
  if (missing <= 0n) return { minutes: 0, at: from, spentMicros, spentBeforeMicros: spentMicros };
  if (microsPerHour <= 0n) return null;
  // The first n with round(price × n ÷ 60) ≥ missing, which is price × n ≥ 60 × missing − 30.
  const minutes = (60n * missing - 30n + microsPerHour - 1n) / microsPerHour;
  return {
    minutes: Number(minutes),
    at: from + Number(minutes) * MINUTE_MS,
    spentMicros: spentAfter(minutes),
    spentBeforeMicros: spentAfter(minutes - 1n),
  };
}

/** What a percentage of a budget is. */
export function thresholdMicros(budgetMicros: Micros, percent: number): Micros {
  return roundHalfAway(budgetMicros * BigInt(Math.round(percent * 1_000)), 100_000n);
}

/** Share of a budget in per cent to two digits, and whether it reaches the threshold (C55). Null: there is no budget. */
export function budgetShare(
  amountMicros: Micros,
  budgetMicros: Micros,
  thresholdPct: number,
): { pct: string; isReached: boolean } | null {
  if (budgetMicros <= 0n) return null;
  return {
    pct: decimalText(amountMicros * 100n, budgetMicros, 2),
    isReached: amountMicros >= thresholdMicros(budgetMicros, thresholdPct),
  };
}
