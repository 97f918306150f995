import type { AlertCondition, Comparison } from "./types";

/** IEEE doubles, nothing rounded before (B09); infinities are numbers (B11); NaN is beyond nothing, and differs from everything. */
export function isBeyond(comparison: Comparison, value: number, threshold: number): boolean {
  switch (comparison) {
    case "above":
      return value > threshold;
    case "at_least":
      return value >= threshold;
    case "below":
      return value < threshold;
    case "at_most":
      return value <= threshold;
    case "equal":
      return value === threshold;
    case "not_equal":
      return value !== threshold;
  }
}

/** Whether high values are the bad ones. */
export function isUpward(comparison: Comparison): boolean {
  return comparison === "above" || comparison === "at_least";
}

/** One exact value, or every other one. */
export function isEquality(comparison: Comparison): boolean {
  return comparison === "equal" || comparison === "not_equal";
}

/** B08: an alert that fires is held by the clear threshold, a quiet or pending one is raised by the threshold. */
export function isTrue(condition: AlertCondition, value: number, hasRaised: boolean): boolean {
  const limit = hasRaised ? (condition.clearThreshold ?? condition.threshold) : condition.threshold;
  return isBeyond(condition.comparison, value, limit);
}

export const COMPARISON_WORDS: Record<Comparison, string> = {
  above: "above",
  at_least: "at or above",
  below: "below",
  at_most: "at or below",
  equal: "equal to",
  not_equal: "other than",
};

/** "91.2 is above 85", "79 is not above 80". */
export function comparisonNote(comparison: Comparison, value: number, limit: number, isMet: boolean): string {
  return `${numberText(value)} is ${isMet ? "" : "not "}${COMPARISON_WORDS[comparison]} ${numberText(limit)}`;
}

/** To six digits, with a true minus. */
export function numberText(value: number): string {
  if (Number.isInteger(value) && value >= 0 && value < 1_000_000) return String(value);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "not a number" : value > 0 ? "infinite" : "minus infinite";
  return String(Number(value.toPrecision(6))).replace(/^-/, "−");
}
