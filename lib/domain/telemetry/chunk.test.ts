import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeColumn, encodeColumn } from "./chunk";

const NONE = Number.NaN;

describe("a column comes back as it was", () => {
  const cases: [string, number[], boolean, number][] = [
    ["nothing", [], true, 0],
    ["one value", [42], true, 4],
    ["the same value for an hour", new Array(360).fill(2619), true, 5],
    ["whole per cent", Array.from({ length: 360 }, (_, i) => 90 + (i % 8)), true, 145],
    [
      "hundredths of a watt",
      Array.from({ length: 360 }, (_, i) => Math.fround(620 + ((i * 37) % 1200) / 100)),
      true,
      510,
    ],
    ["steps of 15 MHz", Array.from({ length: 360 }, (_, i) => 1950 + 15 * (i % 3)), true, 100],
    ["every ten seconds", Array.from({ length: 360 }, (_, i) => i * 10_000), false, 12],
    ["minus zero is not zero", [-0, 0, 1], true, 30],
    ["what no decimals give", [Math.fround(Math.PI), Math.fround(1e30), -1.5], true, 30],
    ["the greatest counters", [0, 2 ** 31 - 1, 2 ** 52], false, 30],
    ["gaps", [1, NONE, 3, NONE, NONE, 6], true, 8],
  ];
  test.each(cases)("%s", (_, values, isReal, atMost) => {
    const bytes = encodeColumn(values, isReal);
    expect([...decodeColumn(bytes, values.length)]).toEqual(values);
    expect(bytes?.length ?? 0).toBeLessThanOrEqual(atMost);
  });

  test("nothing but gaps is no column", () => {
    expect(encodeColumn([NONE, NONE], true)).toBeNull();
    expect([...decodeColumn(null, 2)]).toEqual([NONE, NONE]);
  });
});

const real = fc.oneof(
  fc.constant(NONE),
  fc.integer({ min: 0, max: 100 }),
  fc.integer({ min: -2_000_000, max: 2_000_000 }).map((n) => Math.fround(n / 100)),
  fc.float({ noNaN: true, noDefaultInfinity: true }),
);
const whole = fc.oneof(fc.constant(NONE), fc.integer(), fc.maxSafeInteger());

test("any column of floats or of whole numbers comes back exactly", () => {
  for (const [values, isReal] of [
    [real, true],
    [whole, false],
  ] as const) {
    fc.assert(
      fc.property(fc.array(values, { maxLength: 400 }), (list) => {
        // As a database driver hands bytes out: a piece of a larger buffer.
        const bytes = encodeColumn(list, isReal);
        const back = decodeColumn(bytes && Buffer.concat([Buffer.alloc(3), bytes]).subarray(3), list.length);
        expect([...back]).toEqual(list);
      }),
      { numRuns: 2000 },
    );
  }
});

test("bytes that nobody wrote are refused or read as numbers, never beyond the column", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 60 }), fc.integer({ min: 0, max: 50 }), (bytes, n) => {
      try {
        expect(decodeColumn(bytes, n)).toHaveLength(n);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
    { numRuns: 2000 },
  );
});
