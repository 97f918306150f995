import { formatDuration } from "@/lib/domain/format-time";
import { silentAfterMs } from "@/lib/domain/telemetry/sample";
import { COMPARISON_WORDS, isEquality, isUpward } from "./condition";
import type { Comparison } from "./types";

export { metricOf, RULE_KINDS, RULE_METRICS, type RuleKind, type RuleMetric, type TargetKind } from "./rule-metrics";
export { type Selector, type SelectorTarget, selects } from "./selector";

/** `overdueMs` of a sender: from 0 on it counts as silent, however slow its own interval is. */
export function overdueMs(silentMs: number, intervalMs: number): number {
  return silentMs - silentAfterMs(intervalMs);
}

/** B08: the second number lies on the calm side of the first. Null: fine. */
export function hysteresisProblem(
  comparison: Comparison,
  threshold: number,
  clearThreshold: number | null,
  unit = "",
): string | null {
  if (clearThreshold === null) return null;
  if (isEquality(comparison)) return "An alert on one exact value clears when the value is another; leave this empty";
  const isRight = isUpward(comparison) ? clearThreshold <= threshold : clearThreshold >= threshold;
  if (isRight) return null;
  const [side, wrong] = isUpward(comparison) ? ["lower", "higher"] : ["higher", "lower"];
  return `It fires ${COMPARISON_WORDS[comparison]} ${limitWords(threshold, unit)}, so it must clear at ${limitWords(threshold, unit)} or ${side}; ${limitWords(clearThreshold, unit)} is ${wrong}`;
}

/** A limit as a sentence names it; durations as durations. */
export function limitWords(value: number, unit: string): string {
  if (unit === "ms") return value === 0 ? "0 min" : formatDuration(value);
  return unit === "" ? `${value}` : `${value} ${unit}`;
}
