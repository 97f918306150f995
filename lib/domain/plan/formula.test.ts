import { describe, expect, test } from "vitest";
import { figure, inNumbers, inWords, sourcesOf } from "./formula";
import { evaluated } from "./formula.testing";

const month = figure({
  name: "A month of one GH200",
  value: "$1,671.70",
  amount: 1671.7,
  formula: "{price} × {hours}",
  numbers: [
    { key: "price", name: "price of an hour", value: "$2.29/h", amount: 2.29, source: { label: "Lambda, live" } },
    { key: "hours", name: "hours of a month", value: "730 h", amount: 730 },
  ],
});

test("a formula is told in words and in numbers", () => {
  expect(inWords(month)).toBe("price of an hour × hours of a month");
  expect(inNumbers(month)).toBe("$2.29/h × 730 h = $1,671.70");
  expect(sourcesOf(month)).toEqual([{ label: "Lambda, live" }]);
});

test.each([
  ["{price} × {days}", "no number for days, no use of hours"],
  ["{price}", "no use of hours"],
])("%s is refused", (formula, why) => {
  expect(() => figure({ ...month, formula })).toThrow(why);
});

describe("what a formula comes to", () => {
  const of = (formula: string, amounts: Record<string, number>) =>
    evaluated(
      figure({
        name: "x",
        value: "x",
        formula,
        numbers: Object.entries(amounts).map(([key, amount]) => ({ key, name: key, value: String(amount), amount })),
      }),
    );
  test.each([
    ["{a} + {b} × {c}", 7],
    ["({a} + {b}) × {c}", 9],
    ["{a} − {b} − {c}", -4],
    ["⌈{c} ÷ {b}⌉ × {a}", 2],
    ["max({a}, {b} + {c}) ÷ {b}", 2.5],
    ["min({a}, {b}, {c}) × 100", 100],
  ])("%s is %d", (formula, value) => {
    expect(of(formula, { a: 1, b: 2, c: 3 })).toBe(value);
  });

  test("of a number without an amount there is nothing to compute, and nonsense is refused", () => {
    expect(evaluated({ ...month, numbers: month.numbers.map(({ amount: _, ...rest }) => rest) })).toBeNull();
    expect(evaluated(month)).toBeCloseTo(1671.7);
    expect(() => of("{a} {b} {c}", { a: 1, b: 2, c: 3 })).toThrow(SyntaxError);
  });
});
