import fc from "fast-check";
import { expect, test } from "vitest";
import { effectiveRates, perMonth, potentialOf } from "./waste";

const HOUR = 3_600_000;

test("an amount of a window is told for 730 hours", () => {
  expect(perMonth(336_000_000n, 336 * HOUR)).toBe(730_000_000n);
  expect(perMonth(2_290_000n, HOUR)).toBe(1_671_700_000n);
  expect(perMonth(1n, 0)).toBeNull();
});

test("of each resource the largest finding counts", () => {
  expect(
    potentialOf([
      { resourceId: "a", kind: "idle_held", monthMicros: 10n },
      { resourceId: "a", kind: "silent", monthMicros: 30n },
      { resourceId: "b", kind: "unattached", monthMicros: 5n },
    ]),
  ).toBe(35n);
  const found = fc.array(
    fc.record({
      resourceId: fc.constantFrom("a", "b", "c"),
      kind: fc.constantFrom("idle_empty" as const, "silent" as const),
      monthMicros: fc.bigInt({ min: 0n, max: 10n ** 12n }),
    }),
  );
  fc.assert(
    fc.property(found, (all) => {
      const total = all.reduce((sum, one) => sum + one.monthMicros, 0n);
      for (const one of all) expect(potentialOf(all)).toBeGreaterThanOrEqual(one.monthMicros);
      expect(potentialOf(all)).toBeLessThanOrEqual(total);
    }),
  );
});

test("dollars per used GPU-hour: by busy hours (C49) and weighted by utilisation (C50)", () => {
  const day = { reportedGpuMinutes: 1_440, reportedMicros: 54_960_000n, busyGpuMinutes: 360, utilisedGpuMinutes: 504 };
  expect(effectiveRates(day)).toEqual({ busyMicros: 9_160_000n, utilisedMicros: 6_542_857n });
  expect(effectiveRates({ ...day, busyGpuMinutes: 0, utilisedGpuMinutes: 0 })).toEqual({
    busyMicros: null,
    utilisedMicros: null,
  });
});
