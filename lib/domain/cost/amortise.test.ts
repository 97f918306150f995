import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amortised, amortisedParts, amortisedUpTo, usedAndUnused } from "./amortise";
import { sum } from "./money";

describe("an amount over its term", () => {
  test.each([
    // amount, term, from, to, part
    [13_000_000_000n, 8760n, 0n, 720n, 1_068_493_151n],
    [13_000_000_000n, 8760n, 0n, 8760n, 13_000_000_000n],
    [10n, 3n, 0n, 1n, 3n],
    [10n, 3n, 1n, 2n, 4n],
    [10n, 3n, 2n, 3n, 3n],
    [-10n, 3n, 1n, 2n, -4n],
    [10n, 3n, 3n, 9n, 0n],
    [10n, 3n, -5n, 0n, 0n],
    [0n, 3n, 0n, 3n, 0n],
  ])("%d over %d: [%d, %d) bears %d", (total, term, from, to, part) => {
    expect(amortised(total, term, { from, to })).toBe(part);
  });

  test("a term that does not last has no parts", () => {
    expect(() => amortisedUpTo(1n, 0n, 0n)).toThrow(RangeError);
  });

  test.each([
    [0n, 600n, 890_410_959n, 178_082_192n],
    [0n, 0n, 0n, 1_068_493_151n],
    [0n, 900n, 1_068_493_151n, 0n],
    [0n, -3n, 0n, 1_068_493_151n],
  ])("from %d, %d hours used: %d and %d", (from, used, usedMicros, unusedMicros) => {
    expect(usedAndUnused(13_000_000_000n, 8760n, { from, to: from + 720n, used })).toEqual({
      usedMicros,
      unusedMicros,
    });
  });

  test("parts add up to the whole, used or not, and follow the time", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        fc.bigInt({ min: 1n, max: 10n ** 11n }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (total, term, cuts, share) => {
          const at = (part: number) => (term * BigInt(Math.floor(part * 1e6))) / 1_000_000n;
          const boundaries = [0n, ...cuts.map(at).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)), term];
          expect(sum(amortisedParts(total, term, boundaries))).toBe(total);
          const { usedMicros, unusedMicros } = usedAndUnused(total, term, { from: 0n, to: term, used: at(share) });
          expect(usedMicros + unusedMicros).toBe(total);
        },
      ),
    );
  });
});
