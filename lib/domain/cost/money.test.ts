import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { centsAtRate, decimalText, parseDecimal, squareRoot } from "./decimal";
import { centsOf, displayLines, needsReview, roundHalfAway, splitByLargestRemainder, sum } from "./money";

describe("rounding", () => {
  test.each([
    [5n, 2n, 3n],
    [-5n, 2n, -3n],
    [4n, 3n, 1n],
    [-4n, 3n, -1n],
    [1n, 3n, 0n],
    [0n, 7n, 0n],
    [149n * 2n * 10_000n, 60n, 49_667n],
  ])("%d ÷ %d is %d, half away from zero", (numerator, denominator, expected) => {
    expect(roundHalfAway(numerator, denominator)).toBe(expected);
  });

  test("a denominator that is not positive is a mistake", () => {
    expect(() => roundHalfAway(1n, 0n)).toThrow(RangeError);
  });

  test.each([
    [4_999n, 0n],
    [5_000n, 1n],
    [-5_000n, -1n],
    [3_218_400_000n, 321_840n],
  ])("%d micro-dollars are %d cents", (micros, cents) => {
    expect(centsOf(micros)).toBe(cents);
  });

  test("a cost is reviewed when its bounds are more than a dollar apart", () => {
    expect(needsReview(0n, 1_000_000n)).toBe(false);
    expect(needsReview(0n, 1_000_001n)).toBe(true);
  });
});

describe("splitting", () => {
  test("the larger remainder gets what is left, then the smaller key", () => {
    expect(splitByLargestRemainder(1_000_000n, { c: 1n, b: 1n, a: 1n })).toEqual({
      a: 333_334n,
      b: 333_333n,
      c: 333_333n,
    });
    expect(splitByLargestRemainder(10n, { a: 1n, b: 2n, c: 4n })).toEqual({ a: 1n, b: 3n, c: 6n });
  });

  test("a credit is split as the charge would be", () => {
    expect(splitByLargestRemainder(-100n, { a: 1n, b: 2n })).toEqual({ a: -33n, b: -67n });
  });

  test("an amount that nobody bears is a mistake, nothing is not", () => {
    expect(() => splitByLargestRemainder(1n, {})).toThrow(RangeError);
    expect(() => splitByLargestRemainder(1n, { a: 0n })).toThrow(RangeError);
    expect(() => splitByLargestRemainder(1n, { a: 2n, b: -1n })).toThrow(RangeError);
    expect(splitByLargestRemainder(0n, { a: 0n })).toEqual({ a: 0n });
  });

  const weights = fc.dictionary(fc.string({ minLength: 1, maxLength: 3 }), fc.bigInt(0n, 10n ** 12n), { minKeys: 1 });

  test("property: parts sum to the whole, none is more than one unit off its share, no weight means no part", () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 13n), 10n ** 13n), weights, (total, byKey) => {
        const weight = sum(Object.values(byKey));
        fc.pre(weight > 0n);
        const parts = splitByLargestRemainder(total, byKey);
        expect(sum(Object.values(parts))).toBe(total);
        for (const [key, own] of Object.entries(byKey)) {
          const off = (parts[key] ?? 0n) * weight - total * own;
          expect(off < weight && off > -weight).toBe(true);
        }
      }),
    );
  });

  test("property: displayed lines add up to the displayed total, each within a cent of its own amount", () => {
    const lines = fc.dictionary(fc.string({ minLength: 1, maxLength: 3 }), fc.bigInt(-(10n ** 10n), 10n ** 10n));
    fc.assert(
      fc.property(lines, (byKey) => {
        const { lineCents, totalCents } = displayLines(byKey);
        expect(totalCents).toBe(centsOf(sum(Object.values(byKey))));
        expect(sum(Object.values(lineCents))).toBe(totalCents);
        for (const [key, micros] of Object.entries(byKey)) {
          const off = (lineCents[key] ?? 0n) * 10_000n - micros;
          expect(off < 10_000n && off > -10_000n).toBe(true);
        }
      }),
    );
  });
});

describe("exact decimals", () => {
  test.each([
    ["0.9200", 9_200n, 10_000n],
    ["-12", -12n, 1n],
    [" 35.5 ", 355n, 10n],
  ])("%s is read exactly", (text, numerator, denominator) => {
    expect(parseDecimal(text)).toEqual({ numerator, denominator });
  });

  test.each(["", "1e3", "0x10", "1,5", ".5", "NaN", "1.", "1".repeat(31)])("%s is no decimal number", (text) => {
    expect(() => parseDecimal(text)).toThrow(RangeError);
  });

  test.each([
    [-248_786n, 100_000n, 4, "-2.4879"],
    [1n, 2n, 0, "1"],
    [-1n, 100_000n, 2, "0.00"],
    [10_992n, 100n, 2, "109.92"],
  ])("%d ÷ %d to %d digits is %s", (numerator, denominator, digits, expected) => {
    expect(decimalText(numerator, denominator, digits)).toBe(expected);
  });

  test("a statement in another currency is rounded once", () => {
    expect(centsAtRate(4_946_400_000n, "0.9200")).toBe(455_069n);
    expect(centsAtRate(-5_000n, "1")).toBe(-1n);
  });

  test("property: the root is the largest integer whose square is not larger", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 40n), (value) => {
        const root = squareRoot(value);
        expect(root * root <= value && (root + 1n) * (root + 1n) > value).toBe(true);
      }),
    );
  });
});
