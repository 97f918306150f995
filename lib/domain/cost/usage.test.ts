import { describe, expect, test } from "vitest";
import type { MinuteClass } from "@/lib/domain/telemetry/idle";
import { conditionsOfDay, effectiveRate, idleCost, usageOfDay } from "./usage";

const MINUTE = 60_000;

function minutes(...runs: [MinuteClass, number][]) {
  const uses = runs.flatMap(([use, count]) => Array<MinuteClass>(count).fill(use));
  return uses.map((use, i) => ({ at: i * MINUTE, use }));
}

describe("idle money", () => {
  const price = { priceId: 1, from: null, to: null, micros: 2_290_000n };

  test("empty and held are counted apart, missing is neither idle nor reported", () => {
    expect(usageOfDay(minutes(["busy", 60], ["idle_empty", 30], ["missing", 10], ["idle_held", 31]), [price])).toEqual({
      billedMinutes: 131,
      reportedMinutes: 121,
      busyMinutes: 60,
      idleEmptyMinutes: 30,
      idleHeldMinutes: 31,
      idleEmptyMicros: 1_145_000n,
      idleHeldMicros: 1_183_167n,
      unpricedIdleMinutes: 0,
    });
  });

  test("each minute has the price in force at its start, and the sum is rounded once", () => {
    const prices = [
      { ...price, to: 31 * MINUTE + 30_000 },
      { ...price, priceId: 2, from: 31 * MINUTE + 30_000, micros: 1_490_000n },
    ];
    // 32 minutes at 2.29 and 1 at 1.49.
    expect(usageOfDay(minutes(["idle_held", 33]), prices).idleHeldMicros).toBe(1_246_167n);
  });

  test("minutes without a known price are counted and named, not priced at zero in silence", () => {
    const usage = usageOfDay(minutes(["idle_empty", 30]), [{ ...price, from: 10 * MINUTE }]);
    expect(usage).toMatchObject({ idleEmptyMinutes: 30, unpricedIdleMinutes: 10, idleEmptyMicros: 763_333n });
  });

  test("rates per hour that was used; none where nothing was", () => {
    expect(idleCost(54_960_000n, { part: 6n, whole: 24n })).toBe(41_220_000n);
    expect(effectiveRate(54_960_000n, { numerator: 6n, denominator: 1n })).toBe(9_160_000n);
    expect(effectiveRate(54_960_000n, { numerator: 0n, denominator: 1n })).toBeNull();
  });
});

describe("what else is known of the minutes", () => {
  const minute = { isHeard: true, isThrottled: false, isUnhealthy: false, utilisedPct: 50 };
  const silence = { ...minute, isHeard: false, utilisedPct: null };

  test("a machine is silent from the third minute on, then from the first", () => {
    const of = (count: number) => conditionsOfDay([minute, ...Array(count).fill(silence), minute]).silentMinutes;
    expect([of(1), of(2), of(3), of(7)]).toEqual([0, 0, 3, 7]);
    expect(conditionsOfDay(Array(5).fill(silence)).silentMinutes).toBe(5);
    expect(conditionsOfDay([silence, silence, minute, silence, silence]).silentMinutes).toBe(0);
  });

  test("minutes count by their utilisation, throttled and unhealthy ones whole", () => {
    const ill = { ...minute, isUnhealthy: true, utilisedPct: 100 };
    const hot = { ...minute, isThrottled: true, utilisedPct: 25 };
    expect(conditionsOfDay([minute, ill, hot, silence])).toEqual({
      throttledMinutes: 1,
      unhealthyMinutes: 1,
      silentMinutes: 0,
      utilisedMinutes: 1.75,
    });
    expect(conditionsOfDay([])).toEqual({
      throttledMinutes: 0,
      unhealthyMinutes: 0,
      silentMinutes: 0,
      utilisedMinutes: 0,
    });
  });
});
