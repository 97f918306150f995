import fc from "fast-check";
import { expect, test } from "vitest";
import { forecastScore, type KeptForecast } from "./forecast-score";

const USD = 1_000_000n;
const kept = (madeOn: string, base: number, band: number, naive: number): KeptForecast => ({
  madeOn,
  baseMicros: BigInt(base) * USD,
  lowMicros: BigInt(base - band) * USD,
  highMicros: BigInt(base + band) * USD,
  naiveMicros: BigInt(naive) * USD,
});

test("the days of a month together: how far off, on which side, how often in the band, and better than the run rate by how much", () => {
  const days = [
    kept("2026-10-02", 1_100, 50, 1_400),
    kept("2026-10-01", 800, 250, 600),
    kept("2026-10-03", 1_000, 0, 1_200),
    kept("2026-10-04", 1_020, 10, 1_000),
  ];
  expect(forecastScore("all", days, 1_000n * USD)).toEqual({
    scope: "all",
    count: 4,
    wmapePct: "8.00",
    biasPct: "-2.00",
    coveragePct: "50.00",
    skillPct: "68.00",
    firstPct: "-20.00",
  });
});

test("a month without spend, and a run rate that was exact, have no such figure", () => {
  expect(forecastScore("all", [kept("2026-10-01", 0, 0, 0)], 0n)).toMatchObject({
    wmapePct: null,
    skillPct: null,
    firstPct: null,
  });
  expect(forecastScore("all", [kept("2026-10-01", 90, 5, 100)], 100n * USD)).toMatchObject({
    wmapePct: "10.00",
    skillPct: null,
  });
  expect(forecastScore("all", [], 100n * USD)).toMatchObject({ count: 0, wmapePct: null, coveragePct: null });
});

test("the forecast that is the run rate has no skill, and one that is right has all of it", () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 31 });
  fc.assert(
    fc.property(amounts, fc.integer({ min: 1, max: 1_000_000 }), (naive, actual) => {
      fc.pre(naive.some((one) => one !== actual));
      const same = naive.map((one) => kept("2026-10-01", one, 0, one));
      const right = naive.map((one) => kept("2026-10-01", actual, 0, one));
      expect(forecastScore("all", same, BigInt(actual) * USD).skillPct).toBe("0.00");
      expect(forecastScore("all", right, BigInt(actual) * USD)).toMatchObject({
        wmapePct: "0.00",
        coveragePct: "100.00",
        skillPct: "100.00",
      });
    }),
  );
});
