import { describe, expect, test } from "vitest";
import {
  formatCelsius,
  formatCount,
  formatGib,
  formatGibOf,
  formatMegahertz,
  formatMib,
  formatNumber,
  formatPercent,
  formatPercentChange,
  formatStorage,
  formatUsd,
  formatUsdBurn,
  formatUsdChange,
  formatUsdRate,
  formatUsdShort,
  formatUsdWhole,
  formatWatts,
  formatWattsOf,
  splitUnit,
} from "./format";

/** Tests are read with ordinary spaces; that the real ones do not break is asserted once. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

describe("money", () => {
  test.each([
    [17_914_750_000n, "$17,914.75"],
    ["17914750000", "$17,914.75"],
    [0n, "$0.00"],
    [4_999n, "$0.00"],
    [5_000n, "$0.01"],
    [-5_000n, "−$0.01"],
    [-4_999n, "$0.00"],
    [1_004_999n, "$1.00"],
    [1_005_000n, "$1.01"],
    [9_007_199_254_740_993_000_000n, "$9,007,199,254,740,993.00"],
    [null, "—"],
  ])("a total of %s micro-dollars reads %s", (micros, text) => expect(formatUsd(micros)).toBe(text));

  test.each([
    [28_442_499_999n, "$28,442"],
    [28_442_500_000n, "$28,443"],
    [null, "—"],
  ])("a forecast of %s has no cents: %s", (micros, text) => expect(formatUsdWhole(micros)).toBe(text));

  test.each([
    [2_290_000n, "$2.29/h"],
    [31_920_000n, "$31.92/h"],
    [0n, "$0.00/h"],
    [1_234n, "<$0.01/h"],
    [null, "unknown"],
  ])("a price of %s per hour reads %s", (micros, text) => expect(formatUsdRate(micros)).toBe(text));

  test.each([
    [31_920_000n, "$0.532/min"],
    [2_290_000n, "$0.038/min"],
    [0n, "$0.000/min"],
    [29_999n, "<$0.001/min"],
    [30_000n, "$0.001/min"],
    [null, "unknown"],
  ])("%s per hour burns %s", (micros, text) => expect(formatUsdBurn(micros)).toBe(text));

  test.each([
    [350_000_000n, "$350"],
    [1_400_000_000n, "$1,400"],
    [9_999_400_000n, "$9,999"],
    [10_000_000_000n, "$10k"],
    [28_442_000_000n, "$28.4k"],
    [999_949_000_000n, "$999.9k"],
    [999_950_000_000n, "$1M"],
    [1_240_000_000_000n, "$1.2M"],
    [500_000n, "$0.50"],
    [0n, "$0"],
    [-28_442_000_000n, "−$28.4k"],
    [null, "—"],
  ])("on an axis %s reads %s", (micros, text) => expect(formatUsdShort(micros)).toBe(text));

  test.each([
    [5_344_110_000n, "+$5,344.11"],
    [-432_000_000n, "−$432.00"],
    [0n, "±$0.00"],
    [-4_000n, "±$0.00"],
    [null, "—"],
  ])("a change of %s reads %s", (micros, text) => expect(formatUsdChange(micros)).toBe(text));

  test("an amount that is no integer is refused, not rounded", () => {
    expect(() => formatUsd("1.5")).toThrow(SyntaxError);
  });
});

describe("shares", () => {
  test.each([
    [84, "84 %"],
    [84.5, "85 %"],
    [0.6, "0.6 %"],
    [9.94, "9.9 %"],
    [9.96, "10 %"],
    [0, "0 %"],
    [0.04, "<0.1 %"],
    [0.05, "0.1 %"],
    [-0.04, ">−0.1 %"],
    [-13, "−13 %"],
    [100, "100 %"],
    [null, "—"],
    [Number.NaN, "—"],
  ])("%s reads %s", (percent, text) => expect(plain(formatPercent(percent))).toBe(text));

  test.each([
    [43, "+43 %"],
    [-13, "−13 %"],
    [0, "±0 %"],
    [0.01, "<0.1 %"],
    [null, "—"],
  ])("a change of %s reads %s", (percent, text) => expect(plain(formatPercentChange(percent))).toBe(text));
});

describe("quantities", () => {
  test.each([
    [formatGib(93_696), "91.5 GiB"],
    [formatGib(null), "—"],
    [formatMib(97_871), "97,871 MiB"],
    [formatGibOf(94_208, 97_871), "92.0 / 95.6 GiB"],
    [formatGibOf(null, 97_871), "— / 95.6 GiB"],
    [formatGibOf(94_208, null), "92.0 GiB"],
    [formatStorage(442_381_631_488n), "412 GiB"],
    [formatStorage(1_610_612_736), "1.5 GiB"],
    [formatStorage(0), "0 GiB"],
    [formatStorage(null), "—"],
    [formatWatts(603.6), "604 W"],
    [formatWattsOf(604, 700), "604 W of 700 W"],
    [formatWattsOf(604, null), "604 W"],
    [formatWattsOf(null, 700), "— of 700 W"],
    [formatMegahertz(1905), "1,905 MHz"],
    [formatCelsius(71), "71 °C"],
    [formatCelsius(null), "—"],
    [formatCount(1, "instance"), "1 instance"],
    [formatCount(1234, "instance"), "1,234 instances"],
    [formatCount(2, "address", "addresses"), "2 addresses"],
    [formatCount(null, "instance"), "—"],
    [formatNumber(-0.04, 1), "0.0"],
    [formatNumber(-1.25, 1), "−1.3"],
    [formatNumber(Number.POSITIVE_INFINITY), "—"],
  ])("%s reads %s", (text, expected) => expect(plain(text)).toBe(expected));

  test("no line breaks between a number and its unit", () => {
    for (const text of [formatPercent(84), formatGib(1), formatWatts(1), formatCelsius(1), formatCount(2, "GPU")]) {
      expect(text).not.toContain(" ");
    }
  });
});

test.each([
  [formatPercent(84), "84", "%"],
  [formatGib(93_696), "91.5", "GiB"],
  [formatGibOf(94_208, 97_871), "92.0 / 95.6", "GiB"],
  [formatUsdRate(2_290_000n), "$2.29", "/h"],
  [formatUsd(2_290_000n), "$2.29", null],
  [formatWattsOf(604, 700), formatWattsOf(604, 700), null],
  ["2\u00a0h\u00a029\u00a0min", "2\u00a0h\u00a029\u00a0min", null],
  ["—", "—", null],
])("%s splits into %s and %s", (text, value, unit) => expect(splitUnit(text)).toEqual({ value, unit }));
