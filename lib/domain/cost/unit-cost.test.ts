import { expect, test } from "vitest";
import { parseDecimal } from "./decimal";
import { costAtThroughput, costOfMinutes, costPerUnit } from "./unit-cost";

test.each([
  [526_000n, "150", 1_000_000n, 974_074n],
  [3_060_000n, "100", 1_000_000n, 8_500_000n],
  [2_290_000n, "0.5", 1n, 1_272n],
  [2_290_000n, "0", 1n, null],
])("%d per hour at %s per second, per %d: %s", (price, rate, per, micros) => {
  expect(costAtThroughput(price, parseDecimal(rate), per)).toBe(micros);
});

test.each([
  [15_480_000n, "10", 1n, 1_548_000n],
  [10n, "4", 1n, 3n],
  [-10n, "4", 1n, -3n],
  [0n, "4", 1n, 0n],
  [10n, "0", 1n, null],
  [10n, "-1", 1n, null],
])("%d for %s units, per %d: %s", (cost, units, per, micros) => {
  expect(costPerUnit(cost, parseDecimal(units), per)).toBe(micros);
});

test("minutes may have a fraction, and are rounded once", () => {
  expect(costOfMinutes(parseDecimal("72"), 1_290_000n)).toBe(1_548_000n);
  expect(costOfMinutes(parseDecimal("0.5"), 1_290_000n)).toBe(10_750n);
  expect(costOfMinutes(parseDecimal("0.5"), 60n)).toBe(1n);
});
