import { describe, expect, test } from "vitest";
import { applyCredit, invoiceTotal, taxMicros } from "./credit";
import { parseDecimal } from "./decimal";

describe("a credit", () => {
  test.each([
    [40_000_000n, 100_000_000n, -40_000_000n, 0n, 60_000_000n],
    [100_000_000n, 40_000_000n, -40_000_000n, 60_000_000n, 0n],
    [40n, 40n, -40n, 0n, 0n],
    [40n, 0n, 0n, 40n, 0n],
    [40n, -5n, 0n, 40n, 0n],
    [0n, 5n, 0n, 0n, 5n],
    [-3n, 5n, 3n, 0n, 8n],
  ])("of usage %d and balance %d: applied %d, billed %d, left %d", (usage, balance, applied, billed, left) => {
    expect(applyCredit(usage, balance)).toEqual({
      appliedMicros: applied,
      billedMicros: billed,
      remainingMicros: left,
    });
  });
});

describe("tax", () => {
  test.each([
    [2_718_400_000n, "8.875", 241_260_000n],
    [1_154_160_000n, "8.875", 102_430_000n],
    [1_000_000n, "0.5", 10_000n],
    [-1_000_000n, "0.5", -10_000n],
    [1_000_000n, "0", 0n],
  ])("of %d at %s %%: %d", (base, rate, tax) => {
    expect(taxMicros(base, parseDecimal(rate))).toBe(tax);
  });

  test("is taken of the net or of all, and a credit never makes an invoice negative", () => {
    const invoice = { usageMicros: 100_000_000n, taxRatePct: parseDecimal("10") };
    expect(invoiceTotal({ ...invoice, creditMicros: -40_000_000n, taxBasis: "net" })).toEqual({
      netMicros: 60_000_000n,
      taxMicros: 6_000_000n,
      totalMicros: 66_000_000n,
    });
    expect(invoiceTotal({ ...invoice, creditMicros: -40_000_000n, taxBasis: "gross" })).toEqual({
      netMicros: 60_000_000n,
      taxMicros: 10_000_000n,
      totalMicros: 70_000_000n,
    });
    expect(invoiceTotal({ ...invoice, creditMicros: -140_000_000n, taxBasis: "net" }).totalMicros).toBe(0n);
  });
});
