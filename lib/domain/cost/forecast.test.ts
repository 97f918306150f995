import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { budgetCrossing, budgetShare, thresholdMicros } from "./budget";
import { type ForecastInput, forecastAccuracy, forecastParts, monthEndForecast, runRateForecast } from "./forecast";
import { minutesCost } from "./meter";

const DAY = 86_400_000;
const USD = 1_000_000n;
const at = (text: string) => Date.parse(text);

const input = (over: Partial<ForecastInput>): ForecastInput => ({
  at: at("2026-11-20T00:00:00Z"),
  monthEnd: at("2026-12-01T00:00:00Z"),
  monthToDateMicros: 1_000n * USD,
  running: [],
  storageMicrosPerHour: 0n,
  churnMicrosPerDay: 0n,
  dailyResidualMicros: [],
  dailyMeanMicros: 0n,
  ...over,
});

describe("month-end forecast", () => {
  test("what runs is counted until its planned end, and never beyond the month", () => {
    const price = 2_290_000n;
    const running = [
      { microsPerHour: price, plannedEnd: null },
      { microsPerHour: price, plannedEnd: at("2026-11-21T00:00:00Z") },
      { microsPerHour: price, plannedEnd: at("2027-01-01T00:00:00Z") },
      { microsPerHour: price, plannedEnd: at("2026-11-01T00:00:00Z") },
    ];
    expect(monthEndForecast(input({ running })).baseMicros).toBe(1_000n * USD + price * (264n + 24n + 264n));
  });

  test("storage and the usual coming and going are added for the rest of the month", () => {
    const forecast = monthEndForecast(input({ storageMicrosPerHour: 10_000n, churnMicrosPerDay: 5n * USD }));
    expect(forecast.baseMicros).toBe(1_000n * USD + 10_000n * 264n + 55n * USD);
  });

  test("the band is 1.28 standard deviations of the daily residuals, growing with the root of the days left", () => {
    const days = { monthEnd: at("2026-11-24T00:00:00Z"), dailyResidualMicros: [10n * USD, -10n * USD] };
    // s² = 200 of two days around zero; 1.28 × √200 × √4 = 36.2038 …
    const { lowMicros, baseMicros, highMicros } = monthEndForecast(input(days));
    expect(highMicros - baseMicros).toBe(36_203_867n);
    expect(baseMicros - lowMicros).toBe(36_203_867n);
  });

  test("without history, or with a perfect one, the band is 2 % of the daily mean", () => {
    const { baseMicros, highMicros } = monthEndForecast(
      input({ monthEnd: at("2026-11-21T00:00:00Z"), dailyMeanMicros: 100n * USD, dailyResidualMicros: [0n, 0n, 0n] }),
    );
    expect(highMicros - baseMicros).toBe(2_560_000n);
  });

  test("after the month nothing is added", () => {
    const running = [{ microsPerHour: USD, plannedEnd: null }];
    expect(monthEndForecast(input({ at: at("2026-12-02T00:00:00Z"), running, dailyMeanMicros: USD }))).toEqual({
      baseMicros: 1_000n * USD,
      lowMicros: 1_000n * USD,
      highMicros: 1_000n * USD,
    });
  });

  test("the naive forecast goes on at the mean of the last days", () => {
    expect(runRateForecast(100n * USD, 10n * USD, 1.5 * DAY)).toBe(115n * USD);
  });

  test("accuracy: exact percentages, and none where nothing was spent", () => {
    expect(forecastAccuracy([100n, 0n, 100n], [110n, 5n, 80n])).toEqual({
      mapePct: "15.0000",
      wmapePct: "17.5000",
      biasPct: "-2.5000",
    });
    expect(forecastAccuracy([], [])).toEqual({ mapePct: null, wmapePct: null, biasPct: null });
  });
});

describe("budget", () => {
  const from = at("2026-11-01T00:00:00Z");

  test("a limit already reached is crossed now; without spending it never is", () => {
    const limit = { from, microsPerHour: 0n, limitMicros: 10n };
    expect(budgetCrossing({ ...limit, spentMicros: 10n })).toMatchObject({ minutes: 0, at: from });
    expect(budgetCrossing({ ...limit, spentMicros: 9n })).toBeNull();
  });

  test("property: it is the first whole minute at which the rounded spend reaches the limit", () => {
    const amounts = fc.bigInt(1n, 10n ** 11n);
    fc.assert(
      fc.property(amounts, amounts, fc.bigInt(1n, 10n ** 9n), (spent, more, rate) => {
        const crossing = budgetCrossing({ from, spentMicros: spent, microsPerHour: rate, limitMicros: spent + more });
        if (!crossing) throw new Error("it is crossed");
        expect(crossing.spentMicros).toBe(spent + minutesCost(crossing.minutes, rate));
        expect(crossing.spentMicros >= spent + more && crossing.spentBeforeMicros < spent + more).toBe(true);
      }),
    );
  });

  test("shares of a budget are exact, and a threshold is reached at its very micro-dollar", () => {
    const budget = 4_500n * USD;
    expect(thresholdMicros(budget, 50)).toBe(2_250n * USD);
    expect(thresholdMicros(budget, 12.5)).toBe(562_500_000n);
    expect(budgetShare(2_250n * USD, budget, 50)).toEqual({ pct: "50.00", isReached: true });
    expect(budgetShare(2_250n * USD - 1n, budget, 50)).toEqual({ pct: "50.00", isReached: false });
    expect(budgetShare(1n, 0n, 50)).toBeNull();
  });
});

describe("a forecast day by day", () => {
  const dollars = fc.bigInt(0n, 10n ** 9n);
  const inputs = fc.record({
    monthToDateMicros: dollars,
    running: fc.array(fc.record({ microsPerHour: dollars, plannedEnd: fc.constant(null) }), { maxLength: 4 }),
    storageMicrosPerHour: dollars,
    churnMicrosPerDay: dollars,
    dailyResidualMicros: fc.array(fc.bigInt(-(10n ** 8n), 10n ** 8n), { maxLength: 28 }),
    dailyMeanMicros: dollars,
  });
  const start = Date.UTC(2026, 10, 20, 14, 32, 7);
  // Days of 23, 24 and 25 hours: every length is as good.
  const hours = [9, 23, 24, 25, 24];
  const ends = hours.map((_, last) => start + hours.slice(0, last + 1).reduce((sum, one) => sum + one) * 3_600_000);
  const monthEnd = ends.at(-1) ?? start;

  test("its parts end exactly at the forecast of the month's end", () => {
    fc.assert(
      fc.property(inputs, (given) => {
        const whole = monthEndForecast({ ...given, at: start, monthEnd });
        const parts = forecastParts({ ...given, at: start, monthEnd }, ends);
        const reached = parts.reduce((sum, part) => sum + part.baseMicros, given.monthToDateMicros);
        expect(reached).toBe(whole.baseMicros);
        for (const { lowMicros, baseMicros, highMicros } of parts) {
          expect(lowMicros <= baseMicros && baseMicros <= highMicros).toBe(true);
        }
      }),
    );
  });

  test("one GH200 costs what its hours cost on each of them", () => {
    const running = [{ microsPerHour: 2_290_000n, plannedEnd: null }];
    const parts = forecastParts(input({ at: start, monthEnd, monthToDateMicros: 0n, running }), ends);
    expect(parts.map((part) => part.baseMicros)).toEqual(hours.map((one) => BigInt(one) * 2_290_000n));
  });
});
