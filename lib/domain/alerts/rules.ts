import type { Workload } from "@/lib/domain/fleet/workloads";
import { formatDuration } from "@/lib/domain/format-time";
import { METRICS, UNITS } from "@/lib/domain/telemetry/catalogue";
import { silentAfterMs } from "@/lib/domain/telemetry/sample";
import { COMPARISON_WORDS, isUpward } from "./condition";
import type { Comparison } from "./types";

export const RULE_KINDS = ["gpu_metric", "telemetry", "inventory", "money"] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

export type TargetKind = "gpu" | "instance" | "connection" | "fleet";

/** One thing a rule may look at. A threshold outside [min, max] could never, or would always, be crossed. */
export type RuleMetric = { label: string; unit: string; target: TargetKind; min: number; max: number };

const WEEK_MS = 7 * 24 * 3_600_000;

const duration = (label: string, target: TargetKind): RuleMetric => ({
  label,
  unit: "ms",
  target,
  min: 0,
  max: WEEK_MS,
});

/** Everything measured that the catalogue knows, but for counts, which only ever grow. */
const MEASURED: Record<string, RuleMetric> = Object.fromEntries(
  Object.entries(METRICS)
    .filter(([, { kind }]) => kind !== "count")
    .map(([key, { label, unit, min, max }]) => [key, { label, unit: UNITS[unit].short, target: "gpu", min, max }]),
);

/** What a rule of each kind may look at. */
export const RULE_METRICS: Record<RuleKind, Readonly<Record<string, RuleMetric>>> = {
  gpu_metric: {
    ...MEASURED,
    effectiveUtilizationPct: { label: "Effective utilisation", unit: "%", target: "gpu", min: 0, max: 100 },
  },
  telemetry: {
    silentMs: duration("Silence while billing", "instance"),
    overdueMs: duration("Silence beyond the reporting interval's allowance, while billing", "instance"),
  },
  inventory: {
    unhealthy: { label: "Instance unhealthy", unit: "0 or 1", target: "instance", min: 0, max: 1 },
    bootingMs: duration("Time spent booting", "instance"),
    staleMs: duration("Lambda has not answered for", "connection"),
  },
  money: {
    spendTodayUsd: { label: "Spend today", unit: "USD", target: "fleet", min: 0, max: 10_000_000 },
  },
};

/** `overdueMs` of a sender: from 0 on it counts as silent, however slow its own interval is. */
export function overdueMs(silentMs: number, intervalMs: number): number {
  return silentMs - silentAfterMs(intervalMs);
}

export function metricOf(kind: RuleKind, metric: string): RuleMetric | null {
  const metrics = RULE_METRICS[kind];
  return Object.hasOwn(metrics, metric) ? (metrics[metric] ?? null) : null;
}

/** Which targets a rule watches. Keys are joined by AND, values by OR; a key that is absent or empty asks nothing. */
export type Selector = {
  workload?: readonly Workload[] | undefined;
  team?: readonly string[] | undefined;
  type?: readonly string[] | undefined;
  instance?: readonly string[] | undefined;
  region?: readonly string[] | undefined;
};

/** A target as selectors see it; null: it has none (the fleet has no region). */
export type SelectorTarget = { [K in keyof Required<Selector>]: string | null };

export function selects(selector: Selector, target: SelectorTarget): boolean {
  return SELECTOR_KEYS.every((key) => {
    const wanted: readonly string[] = selector[key] ?? [];
    const own = target[key];
    return wanted.length === 0 || (own !== null && wanted.includes(own));
  });
}

const SELECTOR_KEYS = ["workload", "team", "type", "instance", "region"] as const satisfies (keyof Selector)[];

/** B08: the second number lies on the calm side of the first. Null: fine. */
export function hysteresisProblem(
  comparison: Comparison,
  threshold: number,
  clearThreshold: number | null,
  unit = "",
): string | null {
  if (clearThreshold === null) return null;
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
