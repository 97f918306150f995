import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mixOf, percentText, readSpendFile, TargetsText } from "./mix";

const SIXTY = { aws: 60, gcp: 30, azure: 10 };
const usd = (dollars: number) => BigInt(dollars) * 1_000_000n;

describe("S4-22: targets 60/30/10 across providers against what was spent", () => {
  test("shares, distance from the target, and what would have to move", () => {
    const { parts, isPartial } = mixOf({ aws: usd(5_000), gcp: usd(4_000), azure: usd(1_000) }, SIXTY);
    expect(isPartial).toBe(false);
    expect(parts).toEqual([
      {
        provider: "aws",
        micros: usd(5_000),
        targetPct: 60,
        sharePermille: 500,
        offPermille: -100,
        moveMicros: usd(1_000),
      },
      {
        provider: "gcp",
        micros: usd(4_000),
        targetPct: 30,
        sharePermille: 400,
        offPermille: 100,
        moveMicros: usd(-1_000),
      },
      { provider: "azure", micros: usd(1_000), targetPct: 10, sharePermille: 100, offPermille: 0, moveMicros: 0n },
    ]);
  });

  test("a provider without data has none: it is not 0, and nobody is told to move anything", () => {
    const { parts, isPartial } = mixOf({ aws: usd(5_000) }, SIXTY);
    expect(isPartial).toBe(true);
    expect(
      parts.map(({ provider, micros, moveMicros, offPermille }) => [provider, micros, moveMicros, offPermille]),
    ).toEqual([
      ["aws", usd(5_000), null, null],
      ["gcp", null, null, null],
      ["azure", null, null, null],
    ]);
  });

  test("0 that somebody said is a number; a provider without a target should have nothing", () => {
    const { parts } = mixOf({ lambda: usd(100), aws: usd(0) }, { aws: 100 });
    expect(parts).toMatchObject([
      { provider: "aws", sharePermille: 0, offPermille: -1_000, moveMicros: usd(100) },
      { provider: "lambda", targetPct: 0, offPermille: 1_000, moveMicros: usd(-100) },
    ]);
  });

  test("without targets there are shares and nothing to be off from", () => {
    expect(mixOf({ lambda: usd(3), aws: usd(1) }, {}).parts).toMatchObject([
      { provider: "lambda", sharePermille: 750, targetPct: null, offPermille: null, moveMicros: null },
      { provider: "aws", sharePermille: 250 },
    ]);
    expect(mixOf({}, {})).toEqual({ parts: [], totalMicros: 0n, isPartial: false });
  });

  test("what moves adds up to nothing, whatever was spent", () => {
    const spend = fc.record({
      lambda: fc.bigInt({ min: 0n, max: 10n ** 13n }),
      aws: fc.bigInt({ min: 0n, max: 10n ** 13n }),
      gcp: fc.bigInt({ min: 0n, max: 10n ** 13n }),
    });
    const cut = fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 })).map(([a, b]) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      return { lambda: low, aws: high - low, gcp: 100 - high };
    });
    fc.assert(
      fc.property(spend, cut, (given, targets) => {
        const { parts, totalMicros } = mixOf(given, targets);
        expect(parts.reduce((sum, { moveMicros }) => sum + (moveMicros ?? 0n), 0n)).toBe(0n);
        expect(parts.reduce((sum, { micros }) => sum + (micros ?? 0n), 0n)).toBe(totalMicros);
      }),
      { numRuns: 200 },
    );
  });
});

describe("targets as people type them", () => {
  test.each([
    ["AWS 60\nGoogle Cloud: 30 %\nazure=10", { aws: 60, gcp: 30, azure: 10 }],
    ["lambda 100", { lambda: 100 }],
    ["", {}],
  ])("%s", (text, targets) => {
    expect(TargetsText.parse({ text }).text).toEqual(targets);
  });

  test.each([["aws 60\ngcp 30"], ["aws"], ["aws 50\naws 50"], ["aws 60.5\ngcp 39.5"], ["aws 160"]])(
    "%s is refused",
    (text) => {
      expect(TargetsText.safeParse({ text }).success).toBe(false);
    },
  );

  test("tenths of a per cent are written", () => {
    expect(percentText(455)).toBe("45.5");
    expect(percentText(-5)).toBe("0.5");
  });
});

describe("bills from a file", () => {
  const read = (...lines: string[]) =>
    readSpendFile(["provider,month,amount_usd,note", ...lines].join("\n"), "2026-11");

  test("are read whole", () => {
    expect(read("AWS,2026-10,12345.67,invoice 7", "gcp,2026-11,0,")).toEqual({
      errors: [],
      lines: [
        { line: 2, provider: "aws", month: "2026-10", micros: 12_345_670_000n, note: "invoice 7" },
        { line: 3, provider: "gcp", month: "2026-11", micros: 0n, note: "" },
      ],
    });
  });

  test.each([
    ["aws,2026-12,1,", "2026-12 is yet to come."],
    ["aws,2026-13,1,", "month: Give a month such as 2026-10."],
    ["aws,2026-10,,", "amount: Give an amount; 0 where nothing was spent."],
    ["aws,2026-10,-5,", /amount: is not an amount/],
    [",2026-10,5,", "provider: Give the provider."],
    ["Lambda,2026-10,5,", "provider: Lambda’s spend is in the ledger already."],
    ["azure,2026-09,5,", "Line 2 is of the same provider and month."],
  ])("%s", (line, message) => {
    const { errors } = read("azure,2026-09,1,", line);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ line: 3 });
    expect(errors[0]?.message).toMatch(message);
  });

  test("a head that lacks a column is told", () => {
    expect(readSpendFile("provider,amount_usd\naws,1", "2026-11").errors[0]?.message).toMatch(
      /^The head lacks month\./,
    );
  });
});
