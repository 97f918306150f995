import { expect, test } from "vitest";
import { breakEvenPct, hoursCost, negotiatedCost, reservationCost } from "./commitment";
import { parseDecimal } from "./decimal";

test.each([
  [16n, "168", 3_990_000n, 10_725_120_000n],
  [1n, "0.5", 1_490_000n, 745_000n],
  [0n, "168", 3_990_000n, 0n],
  [3n, "0.333333", 1n, 1n],
])("%d GPUs for %s h at %d: %d", (gpus, hours, rate, micros) => {
  expect(reservationCost(gpus, parseDecimal(hours), rate)).toBe(micros);
});

test("hours are rounded once, half away from zero", () => {
  expect(hoursCost(parseDecimal("0.5"), 3n)).toBe(2n);
  expect(hoursCost(parseDecimal("0.5"), -3n)).toBe(-2n);
});

test.each([
  ["100", 2_290_000n, 1_990_000n, 229_000_000n, 199_000_000n, 30_000_000n, "13.10"],
  ["1", 1_000_000n, 1_250_000n, 1_000_000n, 1_250_000n, -250_000n, "-25.00"],
  ["0", 2_290_000n, 1_990_000n, 0n, 0n, 0n, null],
])(
  "%s h listed at %d, agreed at %d",
  (hours, list, agreed, listMicros, contractedMicros, savingsMicros, savingsPct) => {
    expect(negotiatedCost(parseDecimal(hours), list, agreed)).toEqual({
      listMicros,
      contractedMicros,
      savingsMicros,
      savingsPct,
    });
  },
);

test("a commitment pays from a share of the hours on", () => {
  expect(breakEvenPct(1_490_000n, 2_290_000n)).toBe("65.07");
  expect(breakEvenPct(1_490_000n, 0n)).toBeNull();
});
