import { describe, expect, test } from "vitest";
import { compareAmounts, compareLines, differencePct, impliedRate, roundingTolerance, straddling } from "./reconcile";

describe("rounding tolerance", () => {
  test.each([
    [0, 10_000n, 1_000_000n],
    [5, 10_000n, 1_000_000n],
    [40_000, 10_000n, 1_000_000n],
    [40_001, 10_000n, 1_000_012n],
    [50_000, 10_000n, 1_118_034n],
    [1_000_000, 10_000n, 5_000_000n],
    [5, 1_000_000n, 100_000_000n],
  ])("of %d rows in units of %d: %d", (rows, subunit, tolerance) => {
    expect(roundingTolerance(rows, subunit)).toBe(tolerance);
  });

  test.each([
    [12_500_000n, 12_520_000n, 5, 20_000n, true],
    [10_000_000n, 15_000_000n, 5, 5_000_000n, false],
    [5_000_000_000_000n, 5_000_004_500_000n, 1_000_000, 4_500_000n, true],
    [5_000_000_000_000n, 5_000_015_000_000n, 1_000_000, 15_000_000n, false],
    [2_000_000n, 1_000_000n, 1, -1_000_000n, true],
    [2_000_001n, 1_000_000n, 1, -1_000_001n, false],
  ])("ledger %d, invoice %d over %d rows: %d", (ledgerMicros, invoiceMicros, rows, differenceMicros, isMatch) => {
    expect(compareAmounts({ ledgerMicros, invoiceMicros, rows })).toMatchObject({ differenceMicros, isMatch });
  });
});

describe("lines of an invoice", () => {
  test("tax and credits are not usage", () => {
    const lines = [
      { category: "Usage", micros: 1_154_160_000n },
      { category: "Credit", micros: -100_000_000n },
      { category: "Tax", micros: 102_430_000n },
    ] as const;
    expect(compareLines(1_154_160_000n, lines)).toMatchObject({
      differenceMicros: 0n,
      isMatch: true,
      taxMicros: 102_430_000n,
      creditMicros: -100_000_000n,
      payableMicros: 1_156_590_000n,
    });
  });

  test("an invoice without lines lacks all usage", () => {
    expect(compareLines(5_000_000n, [])).toMatchObject({ differenceMicros: -5_000_000n, isMatch: false });
  });
});

describe("implied rate", () => {
  test.each([
    [4_946_400_000n, 129_600, 2_290_000n, true],
    // An invoice is in cents: $3.44 for 90 minutes at $2.29 is $3.435.
    [3_440_000n, 90, 2_290_000n, true],
    [3_500_000n, 90, 2_330_000n, true],
    [3_462_000n, 91, 2_280_000n, true],
    [2_504_000_000n, 60_000, 2_500_000n, false],
  ])("%d for %d minutes: %d", (invoice, minutes, microsPerHour, isWhole) => {
    expect(impliedRate(invoice, minutes)).toEqual({ microsPerHour, isWhole });
  });

  test("of no minutes there is none", () => {
    expect(impliedRate(1n, 0)).toBeNull();
  });

  test.each([
    [3_218_400_000n, 4_946_400_000n, "53.69"],
    [-100n, -150n, "50.00"],
    [100n, 50n, "-50.00"],
    [0n, 5n, null],
  ])("from %d to %d: %s %%", (ledger, invoice, pct) => {
    expect(differencePct(ledger, invoice)).toBe(pct);
  });
});

describe("an invoice that straddles months", () => {
  const week = (from: string, to: string, zone = "UTC") =>
    straddling({ from: Date.parse(from), to: Date.parse(to), instances: 3, microsPerHour: 2_290_000n, zone });

  test("each month bears its own hours, and the one that is over accrues them", () => {
    expect(week("2026-10-26T00:00:00Z", "2026-11-02T00:00:00Z")).toEqual({
      invoiceMicros: 1_154_160_000n,
      months: [
        { month: "2026-10", micros: 989_280_000n, accruedMicros: 989_280_000n },
        { month: "2026-11", micros: 164_880_000n, accruedMicros: 0n },
      ],
    });
  });

  test("in another zone the month ends at another hour", () => {
    expect(week("2026-10-26T04:00:00Z", "2026-11-02T05:00:00Z", "America/New_York").months).toEqual([
      { month: "2026-10", micros: 989_280_000n, accruedMicros: 989_280_000n },
      { month: "2026-11", micros: 171_750_000n, accruedMicros: 0n },
    ]);
  });

  test("within a month there is nothing to accrue, unless both end together", () => {
    expect(week("2026-11-02T00:00:00Z", "2026-11-09T00:00:00Z").months.map((one) => one.accruedMicros)).toEqual([0n]);
    expect(week("2026-11-24T00:00:00Z", "2026-12-01T00:00:00Z").months).toMatchObject([
      { month: "2026-11", accruedMicros: 1_154_160_000n },
    ]);
  });
});
