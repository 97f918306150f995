import { describe, expect, test } from "vitest";
import { type Decimal, decimalText, exactText, over, parseDecimal, plus, signedPct, times } from "./decimal";

const d = parseDecimal;
const fraction = (numerator: bigint, denominator: bigint): Decimal => ({ numerator, denominator });

test.each([
  ["1.490", "1.49"],
  ["149", "149"],
  ["100", "100"],
  ["0.000", "0"],
  ["-0.50", "-0.5"],
  ["12345678901234567890.125", "12345678901234567890.125"],
])("%s is written %s", (text, written) => {
  expect(exactText(d(text))).toBe(written);
});

test("a fraction is written where its digits end", () => {
  expect(exactText(fraction(3n, 8n))).toBe("0.375");
  expect(exactText(fraction(6n, 3n))).toBe("2");
  expect(() => exactText(fraction(1n, 3n))).toThrow(RangeError);
});

test.each(["", "1.", ".5", "1e3", "+1", "1,0", "--1", "NaN"])("%j is no decimal", (text) => {
  expect(() => d(text)).toThrow(RangeError);
});

describe("arithmetic is exact", () => {
  test("sums, products and quotients", () => {
    expect(exactText(plus(d("0.1"), d("0.2")))).toBe("0.3");
    expect(exactText(times(d("2.29"), d("0.616666666667")))).toBe("1.41216666666743");
    const third = over(d("1"), d("3"));
    expect(third && decimalText(third.numerator, third.denominator, 4)).toBe("0.3333");
    expect(over(d("1"), d("-4"))).toEqual(fraction(-1n, 4n));
    expect(over(d("1"), d("0"))).toBeNull();
  });

  test.each([
    [51n, 129n, "+39.5"],
    [-10n, 129n, "-7.8"],
    [0n, 129n, "+0.0"],
    [-1n, 100_000n, "+0.0"],
    [1n, -2n, "-50.0"],
    [1n, 0n, null],
  ])("%d of %d is %s %%", (part, whole, text) => {
    expect(signedPct(part, whole, 1)).toBe(text);
  });
});
