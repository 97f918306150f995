import { describe, expect, test } from "vitest";
import { instantOf, NewCharge, NewCommitment, readPriceFile } from "./price-input";

const HEAD = "sku,region,unit,tier,price_usd,from,to,note";
const read = (...lines: string[]) => readPriceFile([HEAD, ...lines].join("\n"), "Europe/Berlin");

describe("a price list", () => {
  test("is read with what stands in it, in the accounting zone; a line ends where the next of the same thing begins", () => {
    const { lines, errors } = readPriceFile(
      "sku;price_usd;from;region\ngpu_1x_gh200;1.99;2026-11-01;\ngpu_1x_gh200;$2.29;2026-11-15T08:00;\nfilesystem;0.20;2026-11-01T00:00Z;us-east-3\n",
      "Europe/Berlin",
    );
    expect(errors).toEqual([]);
    expect(lines).toMatchObject([
      {
        line: 2,
        sku: "gpu_1x_gh200",
        region: "*",
        unit: "instance_hour",
        tier: "on_demand",
        micros: 1_990_000n,
        from: Date.parse("2026-10-31T23:00:00Z"),
        to: Date.parse("2026-11-15T07:00:00Z"),
      },
      { line: 3, micros: 2_290_000n, to: null },
      { line: 4, unit: "gib_month", region: "us-east-3", from: Date.parse("2026-11-01T00:00:00Z") },
    ]);
  });

  test.each([
    ["gpu,,,,free,2026-11-01,,", "Line 2: free is not a price in dollars such as 2.29."],
    ["gpu,,,,-1,2026-11-01,,", "Line 2: -1 is not a price in dollars such as 2.29."],
    ["gpu,,,,1.0000001,2026-11-01,,", "Line 2: 1.0000001 is not a price in dollars such as 2.29."],
    [",,,,1,2026-11-01,,", "Line 2: The sku is empty."],
    ["gpu,,week,,1,2026-11-01,,", "Line 2: The unit week is neither instance_hour nor gib_month."],
    ["gpu,,,spot,1,2026-11-01,,", "Line 2: The tier spot is neither on_demand nor negotiated."],
    ["gpu,,,,1,2026-13-01,,", "Line 2: 2026-13-01 is not an instant such as 2026-11-01 or 2026-11-01T08:00Z."],
    ["gpu,,,,1,2026-11-02,2026-11-01,", "Line 2: It ends before it begins."],
    ['gpu,,,,1,"2026-11-01', "Quote Not Closed"],
  ])("tells what is wrong with %s", (line, message) => {
    const { errors } = read(line);
    expect(errors).toHaveLength(1);
    expect(`Line ${errors[0]?.line}: ${errors[0]?.message}`).toContain(message);
  });

  test("tells every line that is wrong, and lines of the same thing that overlap", () => {
    const { errors } = read(
      "a,,,,1,2026-11-01,2026-12-01,",
      "b,,,,x,2026-11-01,,",
      "a,,,,2,2026-11-15,,",
      "a,,,negotiated,2,2026-11-15,,",
      "c,,,,1,2026-11-01,,",
      "c,,,,2,2026-11-01,,",
    );
    expect(errors).toEqual([
      { line: 3, message: "x is not a price in dollars such as 2.29." },
      { line: 4, message: "It overlaps line 2, which prices the same thing." },
      { line: 7, message: "It overlaps line 6, which prices the same thing." },
    ]);
  });

  test("needs its columns, knows no others, and is no list without lines", () => {
    expect(readPriceFile("sku,price\na,1", "UTC").errors[0]?.message).toContain("lacks price_usd, from");
    expect(readPriceFile("sku,price_usd,from,colour\na,1,2026-11-01,red", "UTC").errors[0]?.message).toContain(
      "colour",
    );
    expect(readPriceFile("sku,price_usd,from\n", "UTC").errors).toHaveLength(1);
  });
});

describe("instants as people write them", () => {
  test.each([
    ["2026-11-01", "2026-10-31T23:00:00.000Z"],
    ["2026-11-01T08:30", "2026-11-01T07:30:00.000Z"],
    ["2026-11-01T08:30:00Z", "2026-11-01T08:30:00.000Z"],
    ["2026-11-01T08:30:00+05:30", "2026-11-01T03:00:00.000Z"],
  ])("%s in Berlin", (text, expected) => {
    expect(new Date(instantOf(text, "Europe/Berlin") ?? 0).toISOString()).toBe(expected);
  });

  test.each(["", "tomorrow", "2026-02-30", "2026-11-01T08"])("%s is none", (text) => {
    expect(instantOf(text, "Europe/Berlin")).toBeNull();
  });
});

test("a credit lowers the bill, a tax raises it, an adjustment does what it says", () => {
  const charge = (over: object) =>
    NewCharge.parse({ amount: "12.50", fromDay: "2026-11-01", toDay: "2026-11-07", description: "x", ...over }).micros;
  expect(charge({ kind: "credit" })).toBe(-12_500_000n);
  expect(charge({ kind: "tax" })).toBe(12_500_000n);
  expect(charge({ kind: "adjustment" })).toBe(12_500_000n);
  expect(charge({ kind: "adjustment", direction: "lowers" })).toBe(-12_500_000n);
  expect(
    NewCharge.safeParse({ kind: "tax", amount: "", fromDay: "2026-11-01", toDay: "2026-11-01", description: "x" })
      .success,
  ).toBe(false);
});

test("a commitment that costs nothing is none", () => {
  const base = {
    name: "x",
    sku: "gpu",
    count: "2",
    fromDay: "2026-11-01",
    toDay: "2026-11-30",
    upfront: "",
    weekly: "",
    rate: "",
  };
  expect(NewCommitment.safeParse(base).success).toBe(false);
  expect(NewCommitment.parse({ ...base, rate: "0.50" })).toMatchObject({ count: 2, upfront: 0n, rate: 500_000n });
});
