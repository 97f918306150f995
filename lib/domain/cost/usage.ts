import type { MinuteClass } from "@/lib/domain/telemetry/idle";
import { type Micros, roundHalfAway, sum } from "./money";
import { inForce, type PriceInterval } from "./rows";

/** Where the paid minutes of one resource and day went: columns of `usage_day`. */
export type UsageDay = {
  billedMinutes: number;
  reportedMinutes: number;
  busyMinutes: number;
  idleEmptyMinutes: number;
  idleHeldMinutes: number;
  idleEmptyMicros: Micros;
  idleHeldMicros: Micros;
  /** Idle minutes of which no price is known: their money is missing from the two above. */
  unpricedIdleMinutes: number;
};

/** What else is known of the paid minutes: columns of `usage_day`. */
export type DayConditions = {
  throttledMinutes: number;
  unhealthyMinutes: number;
  /** In stretches of three minutes and more in which nothing came of the machine. */
  silentMinutes: number;
  /** Sum of the effective utilisation of the reported minutes, 0 to 1 each. */
  utilisedMinutes: number;
};

/** One billed minute; `utilisedPct` null: its utilisation was not reported. */
export type MinuteCondition = {
  isHeard: boolean;
  isThrottled: boolean;
  isUnhealthy: boolean;
  utilisedPct: number | null;
};

/** A sample may be a minute late or two; from here on a machine is silent. */
export const SILENT_MIN_MINUTES = 3;

/** Of billed minutes that follow each other. */
export function conditionsOfDay(minutes: readonly MinuteCondition[]): DayConditions {
  let silentMinutes = 0;
  let unheard = 0;
  for (const [i, { isHeard }] of minutes.entries()) {
    unheard = isHeard ? 0 : unheard + 1;
    const isOver = i === minutes.length - 1 || (minutes[i + 1]?.isHeard ?? true);
    if (isOver && unheard >= SILENT_MIN_MINUTES) silentMinutes += unheard;
  }
  return {
    throttledMinutes: minutes.filter(({ isThrottled }) => isThrottled).length,
    unhealthyMinutes: minutes.filter(({ isUnhealthy }) => isUnhealthy).length,
    silentMinutes,
    utilisedMinutes: minutes.reduce((sum, { utilisedPct }) => sum + (utilisedPct ?? 0) / 100, 0),
  };
}

/** One billed minute of a resource. */
export type UsedMinute = { at: number; use: MinuteClass };

/** Idle minutes at the price in force at the start of each, rounded once per kind; a minute without data is never idle. */
export function usageOfDay(minutes: readonly UsedMinute[], prices: readonly PriceInterval[]): UsageDay {
  const count = (use: MinuteClass) => minutes.filter((minute) => minute.use === use).length;
  const rates = (use: MinuteClass) =>
    minutes.filter((minute) => minute.use === use).map(({ at }) => inForce(prices, at)?.micros ?? null);
  const empty = rates("idle_empty");
  const held = rates("idle_held");
  return {
    billedMinutes: minutes.length,
    reportedMinutes: minutes.length - count("missing"),
    busyMinutes: count("busy"),
    idleEmptyMinutes: empty.length,
    idleHeldMinutes: held.length,
    idleEmptyMicros: minutesCost(empty),
    idleHeldMicros: minutesCost(held),
    unpricedIdleMinutes: [...empty, ...held].filter((rate) => rate === null).length,
  };
}

function minutesCost(rates: readonly (Micros | null)[]): Micros {
  return roundHalfAway(sum(rates.filter((rate) => rate !== null)), 60n);
}

/** A share of GPU time, exact: parts ÷ whole. */
export type Share = { part: bigint; whole: bigint };

/** C49: what the hours cost in which no GPU was busy. */
export function idleCost(costMicros: Micros, { part, whole }: Share): Micros {
  return roundHalfAway(costMicros * (whole - part), whole);
}

/** C49, C50: micro-dollars per GPU-hour that was used: by busy hours or weighted by utilisation. Null: none was. */
export function effectiveRate(
  costMicros: Micros,
  usedGpuHours: { numerator: bigint; denominator: bigint },
): Micros | null {
  if (usedGpuHours.numerator <= 0n) return null;
  return roundHalfAway(costMicros * usedGpuHours.denominator, usedGpuHours.numerator);
}
