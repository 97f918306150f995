import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDecimal } from "@/lib/domain/cost/decimal";
import { minutesCost } from "@/lib/domain/cost/meter";
import { FOCUS_SOURCES, focusSource } from "@/lib/testing/focus-sources";
import { checkProse, commitmentBalances, invoiceDifferences, sumOf } from "./check";
import { focusHead, focusLine } from "./file";
import { focusRows } from "./rows";

const ROWS = FOCUS_SOURCES.flatMap((source) => focusRows(source, "UTC"));

describe("a row of the ledger in FOCUS", () => {
  test("a machine for 37 minutes, as the cost reference has it", () => {
    expect(focusRows(focusSource(), "UTC")).toEqual([
      expect.objectContaining({
        BillingAccountId: "acct-1",
        BillingPeriodStart: "2026-11-01T00:00:00Z",
        BillingPeriodEnd: "2026-12-01T00:00:00Z",
        ChargePeriodStart: "2026-11-10T00:00:00Z",
        ChargePeriodEnd: "2026-11-11T00:00:00Z",
        ChargeCategory: "Usage",
        ChargeClass: null,
        ServiceName: "On-Demand Cloud",
        SkuId: "gpu_1x_gh200",
        SkuPriceId: "gpu_1x_gh200/us-east-3/on-demand",
        SkuPriceDetails:
          '{"CoreCount":64,"GpuCount":1,"InstanceType":"gpu_1x_gh200","MemorySize":432,"x_GpuMemoryGiB":96,"x_GpuModel":"GH200"}',
        PricingCategory: "Standard",
        PricingUnit: "Hours",
        PricingQuantity: "0.616666666667",
        ListUnitPrice: "2.29",
        ContractedUnitPrice: "2.29",
        ListCost: "1.41216666666743",
        ContractedCost: "1.41216666666743",
        BilledCost: "1.412167",
        EffectiveCost: "1.412167",
        ConsumedQuantity: "0.616666666667",
        ConsumedUnit: "Hours",
        Tags: '{"environment":"prod","project":"rag","team":"ml"}',
        x_Minutes: "37",
        x_CostLowUsd: "1.374000",
        x_CostHighUsd: "1.450333",
      }),
    ]);
  });

  test("a negotiated rate stands beside the list price", () => {
    const [row] = focusRows(focusSource({ priceMicros: 1_990_000n, micros: 1_227_167n }), "UTC");
    expect(row).toMatchObject({
      ListUnitPrice: "2.29",
      ContractedUnitPrice: "1.99",
      ContractedCost: "1.22716666666733",
    });
  });

  test("the days of another zone are told in UTC, also where they have 25 hours", () => {
    const [row] = focusRows(focusSource({ day: "2026-11-01" }), "America/New_York");
    expect(row).toMatchObject({
      BillingPeriodStart: "2026-11-01T04:00:00Z",
      BillingPeriodEnd: "2026-12-01T05:00:00Z",
      ChargePeriodStart: "2026-11-01T04:00:00Z",
      ChargePeriodEnd: "2026-11-02T05:00:00Z",
    });
  });

  test("storage is priced by GiB-months and consumed in GiB-hours", () => {
    const row = ROWS.find((one) => one.ChargeCategory === "Usage" && one.ServiceCategory === "Storage");
    expect(row).toMatchObject({
      PricingUnit: "GiB-Months",
      PricingQuantity: "33.333333333333",
      ListUnitPrice: "0.20",
      ListCost: "6.6666666666666",
      BilledCost: "6.666667",
      ConsumedUnit: "GiB-Hours",
      ConsumedQuantity: "24000",
      ResourceName: null,
      SkuPriceId: "filesystem/us-east-3/on-demand",
    });
  });

  test("an unknown price is no row: it is not known to cost nothing", () => {
    expect(focusRows(focusSource({ micros: null, priceMicros: null }), "UTC")).toEqual([]);
  });

  test("a correction counts in the open month and is for the original day", () => {
    const row = ROWS.find((one) => one.ChargeClass === "Correction");
    expect(row).toMatchObject({
      BillingPeriodStart: "2026-11-01T00:00:00Z",
      ChargePeriodStart: "2026-10-30T00:00:00Z",
      BilledCost: "-0.190833",
      ListCost: "-0.190833",
      PricingQuantity: "-0.083333333333",
      x_CorrectsChargeKey: "00000000-0000-4000-8000-000000000099",
    });
  });

  test("tax has no price, and all four costs are its amount", () => {
    const row = ROWS.find((one) => one.ChargeCategory === "Tax");
    expect(row).toMatchObject({ BilledCost: "241.260000", EffectiveCost: "241.260000", ListCost: "241.260000" });
    expect([row?.ListUnitPrice, row?.PricingQuantity, row?.SkuId]).toEqual([undefined, undefined, undefined]);
  });

  test("one commitment row may be a payment and an unused part", () => {
    const [paid, unused] = focusRows(
      focusSource({ charge: "commitment", resource: null, micros: 7n, effectiveMicros: 3n, minutes: 6 }),
      "UTC",
    );
    expect(paid).toMatchObject({ ChargeCategory: "Purchase", BilledCost: "0.000007", EffectiveCost: "0.000000" });
    expect(unused).toMatchObject({ ChargeCategory: "Usage", BilledCost: "0.000000", EffectiveCost: "0.000003" });
    expect(paid?.x_ChargeKey).not.toBe(unused?.x_ChargeKey);
  });
});

describe("a month in FOCUS", () => {
  const known = FOCUS_SOURCES.filter(({ micros }) => micros !== null);
  const usd = (micros: bigint) =>
    `${micros < 0n ? "-" : ""}${(micros < 0n ? -micros : micros) / 1_000_000n}.${String((micros < 0n ? -micros : micros) % 1_000_000n).padStart(6, "0")}`;

  test("is the ledger's sum, billed and amortised", () => {
    expect(sumOf(ROWS, "BilledCost")).toBe(usd(known.reduce((sum, { micros }) => sum + (micros ?? 0n), 0n)));
    expect(sumOf(ROWS, "EffectiveCost")).toBe(
      usd(known.reduce((sum, { micros, effectiveMicros }) => sum + (effectiveMicros ?? micros ?? 0n), 0n)),
    );
  });

  test("a day of a commitment that was used up has no row", () => {
    const all = focusSource({ charge: "commitment", resource: null, micros: 0n, effectiveMicros: 0n, minutes: 0 });
    expect(focusRows(all, "UTC")).toEqual([]);
  });

  test("used and unused are what was paid", () => {
    expect(commitmentBalances(ROWS)).toEqual([
      { id: "00000000-0000-4000-8000-00000000c001", paidUsd: "2.000000", usedUsd: "1.250000", unusedUsd: "0.750000" },
    ]);
  });

  test("rows of an invoice add up to it, but for rounding", () => {
    expect(invoiceDifferences(ROWS, new Map([["INV-7", 1_500_000n]]))).toEqual([]);
    expect(invoiceDifferences(ROWS, new Map([["INV-7", 2_490_001n]]))).toEqual([
      { invoice: "INV-7", differenceMicros: 1_000_001n },
    ]);
  });

  test("says nothing that the specification forbids in words", () => {
    expect(checkProse(ROWS)).toEqual([]);
  });

  test.each([
    ["a row twice", [...ROWS, ROWS[0] ?? {}], "more than once"],
    [
      "two billing periods",
      ROWS.map((row, i) => (i === 0 ? { ...row, BillingPeriodStart: "2026-10-01T00:00:00Z" } : row)),
      "mixes billing periods",
    ],
    [
      "a day of another month",
      ROWS.map((row, i) => (i === 0 ? { ...row, ChargePeriodStart: "2026-10-10T00:00:00Z" } : row)),
      "outside its billing period",
    ],
    [
      "a day that ends before it begins",
      ROWS.map((row, i) => (i === 0 ? { ...row, ChargePeriodEnd: "2026-11-09T00:00:00Z" } : row)),
      "does not last",
    ],
    [
      "a credit of another list cost",
      ROWS.map((row) => (row.ChargeCategory === "Credit" ? { ...row, ListCost: "0" } : row)),
      "not the amount",
    ],
    [
      "an overlap",
      ROWS.map((row, i) =>
        i === 1 ? { ...row, x_SegmentStart: "2026-11-10T00:00:00Z", x_PriceIntervalId: "7" } : row,
      ),
      "overlaps",
    ],
    [
      "an id for a name",
      ROWS.map((row, i) => (i === 0 ? { ...row, ResourceName: row.ResourceId ?? null } : row)),
      "id for a name",
    ],
  ])("%s is told", (_, rows, why) => {
    expect(checkProse(rows).join("\n")).toContain(why);
  });
});

test("a file has empty fields for null, plain numbers, and harmless names", () => {
  const row = { BilledCost: "-1.000000", ResourceName: '=cmd|"/c calc"', Tags: '{"team":"a,b"}' };
  const names = focusHead("1.2").trim().split(",");
  const line = focusLine(row, "1.2");
  expect(line.startsWith("-1.000000,")).toBe(true);
  expect(line).toContain(`"'=cmd|""/c calc"""`);
  expect(line).toContain('"{""team"":""a,b""}"');
  expect(names.filter((name) => name === "ProviderName" || name === "ServiceProviderName")).toEqual(["ProviderName"]);
  expect(focusHead("1.4")).toContain("ServiceProviderName");
});

test("the list cost of any row is within a micro-dollar of what is billed, and what is billed is the ledger's", () => {
  fc.assert(
    fc.property(fc.nat({ max: 1_500 }), fc.bigInt({ min: 0n, max: 2n * 10n ** 8n }), (minutes, priceMicros) => {
      const micros = minutesCost(minutes, priceMicros);
      const [row] = focusRows(focusSource({ minutes, micros, priceMicros, listPriceMicros: priceMicros }), "UTC");
      const list = parseDecimal(row?.ListCost ?? "");
      const difference = list.numerator * 1_000_000n - micros * list.denominator;
      expect(difference <= list.denominator && -difference <= list.denominator).toBe(true);
      expect(BigInt((row?.BilledCost ?? "").replace(".", ""))).toBe(micros);
    }),
  );
});
