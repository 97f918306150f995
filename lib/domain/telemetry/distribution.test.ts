import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { METRICS } from "./catalogue";
import {
  addBins,
  binOf,
  type Distribution,
  decodeBins,
  distributionOf,
  encodeBins,
  meanOf,
  mergeDistributions,
  percentile,
} from "./distribution";

const spec = METRICS.utilizationPct.distribution ?? { id: 0, lower: 0, width: 1, count: 101 };
const percents = fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 200 });

describe("a distribution", () => {
  test("merging is the same as counting the union", () => {
    fc.assert(
      fc.property(percents, percents, (a, b) => {
        const merged = mergeDistributions(distributionOf(a, spec), distributionOf(b, spec));
        expect(merged).toEqual(distributionOf([...a, ...b], spec));
      }),
    );
  });

  test("percentiles of whole per cents are those of the values themselves, by nearest rank", () => {
    const p = fc.integer({ min: 0, max: 100 });
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 300 }), p, (values, rank) => {
        const sorted = [...values].sort((x, y) => x - y);
        const nearest = sorted[Math.max(1, Math.ceil((rank * values.length) / 100)) - 1];
        expect(percentile(distributionOf(values, spec)?.bins ?? [], spec, rank)).toBe(nearest);
      }),
    );
  });

  test.each([
    [0, 0],
    [0.99, 0],
    [1, 1],
    [24.3, 24],
    [99.99, 99],
    [100, 100],
    [130, 100],
    [-3, 0],
  ])("%d %% lies in bin %d", (value, bin) => {
    expect(binOf(value, spec)).toBe(bin);
  });

  test("what is missing is not counted", () => {
    const some = distributionOf([null, 10, Number.NaN, 30], spec);
    expect(some).toMatchObject({ n: 2, sum: 40, min: 10, max: 30 });
    expect(meanOf(some ?? { n: 0, sum: 0 })).toBe(20);
    expect(distributionOf([null], spec)).toBeNull();
    expect(mergeDistributions(null, null)).toBeNull();
    expect(percentile([], spec, 50)).toBeNull();
    expect(meanOf({ n: 0, sum: 0 })).toBeNull();
  });
});

describe("bins in storage", () => {
  const counts = fc.array(fc.oneof(fc.constant(0), fc.nat(300), fc.maxSafeNat()), { maxLength: 101 });

  test("read back as they were written", () => {
    fc.assert(
      fc.property(counts, (some) => {
        expect(decodeBins(encodeBins(some), 101)).toEqual([...some, ...Array(101 - some.length).fill(0)]);
      }),
    );
  });

  test("adding two is adding each", () => {
    expect(addBins([1, 2], [3, 4, 5])).toEqual([4, 6, 5]);
  });

  test("an idle fleet takes few bytes", () => {
    const idle: Distribution | null = distributionOf(Array(1000).fill(0), spec);
    expect(encodeBins(idle?.bins ?? [])).toHaveLength(2);
    expect(encodeBins(Array(101).fill(0))).toHaveLength(0);
  });

  test.each([
    ["cut in the middle of a number", [0x80]],
    ["more bins than there are", Array(102).fill(1)],
    ["a number beyond 2^53", Array(9).fill(0xff).concat(0x01)],
  ])("bytes that nobody wrote are refused: %s", (_, bytes) => {
    expect(() => decodeBins(Uint8Array.from(bytes), 101)).toThrow(RangeError);
  });
});
