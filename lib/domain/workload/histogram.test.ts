import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Bucket, counterIncrease, histogramQuantile, isBeyondBuckets, readBound, successRatio } from "./histogram";

const points = (...values: number[]) => values.map((value, i) => ({ at: i * 15_000, value }));

describe("increase", () => {
  test.each([
    ["nothing", points(), null],
    ["one value", points(7), null],
    ["no change", points(5, 5, 5), 0],
    ["a rise", points(1, 4, 9), 8],
    ["a restart", points(10, 14, 3, 5), 9],
    ["a restart at zero", points(10, 0, 2), 2],
    ["two restarts", points(5, 1, 6, 2), 8],
  ])("%s", (_, given, increase) => {
    expect(counterIncrease(given)).toBe(increase);
  });

  test("cut anywhere, the pieces add up to the whole", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 3, maxLength: 30 }), fc.nat(), (values, at) => {
        const all = points(...values);
        const cut = 1 + (at % (all.length - 2));
        const sum = (counterIncrease(all.slice(0, cut + 1)) ?? 0) + (counterIncrease(all.slice(cut)) ?? 0);
        expect(sum).toBe(counterIncrease(all));
      }),
    );
  });
});

const INF = Number.POSITIVE_INFINITY;
const buckets = (...pairs: [le: number, count: number][]): Bucket[] => pairs.map(([le, count]) => ({ le, count }));

describe("quantile", () => {
  test.each<[string, number, Bucket[], number | null]>([
    ["no buckets", 0.95, [], null],
    ["only +Inf", 0.95, buckets([INF, 10]), null],
    ["no +Inf", 0.95, buckets([1, 5], [2, 10]), null],
    ["nothing observed", 0.95, buckets([1, 0], [INF, 0]), null],
    ["from zero in the lowest bucket", 0.5, buckets([1, 10], [INF, 10]), 0.5],
    ["linear within a bucket", 0.95, buckets([0.1, 50], [0.5, 90], [1, 100], [INF, 100]), 0.75],
    ["on a bound", 0.9, buckets([0.1, 50], [0.5, 90], [1, 100], [INF, 100]), 0.5],
    ["beyond the last bound", 0.95, buckets([0.1, 50], [1, 90], [INF, 100]), 1],
    ["all beyond the last bound", 0.5, buckets([0.1, 0], [1, 0], [INF, 8]), 1],
    ["a lowest bound below zero", 0.5, buckets([-1, 10], [1, 10], [INF, 10]), -1],
    ["in any order", 0.95, buckets([INF, 100], [1, 100], [0.1, 50], [0.5, 90]), 0.75],
    ["two servers together", 0.5, buckets([1, 5], [2, 5], [INF, 5], [1, 0], [2, 5], [INF, 5]), 1],
    ["a torn scrape, lower in the middle", 0.95, buckets([0.1, 50], [0.5, 40], [1, 100], [INF, 100]), 0.95],
    ["the whole", 1, buckets([1, 5], [2, 10], [INF, 10]), 2],
  ])("%s", (_, quantile, given, expected) => {
    const found = histogramQuantile(quantile, given);
    if (expected === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(expected, 10);
  });

  test("it lies within the bucket that holds the observation of that rank", () => {
    const bounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5];
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.001, max: 2.5, noNaN: true }), { minLength: 1, maxLength: 80 }),
        (seen) => {
          const given = [...bounds, INF].map((le) => ({ le, count: seen.filter((value) => value <= le).length }));
          const sorted = [...seen].sort((a, b) => a - b);
          const exact = sorted[Math.max(0, Math.ceil(0.95 * seen.length) - 1)] ?? 0;
          const upper = bounds.find((bound) => exact <= bound) ?? INF;
          const lower = bounds[bounds.indexOf(upper) - 1] ?? 0;
          const found = histogramQuantile(0.95, given) ?? -1;
          expect(found).toBeGreaterThanOrEqual(lower);
          expect(found).toBeLessThanOrEqual(upper);
        },
      ),
    );
  });

  test("it says when it is only a lower bound", () => {
    expect(isBeyondBuckets(0.95, buckets([1, 90], [INF, 100]))).toBe(true);
    expect(isBeyondBuckets(0.95, buckets([1, 96], [INF, 100]))).toBe(false);
    expect(isBeyondBuckets(0.95, [])).toBe(false);
  });
});

test.each([
  ["0.5", 0.5],
  ["+Inf", INF],
  ["inf", INF],
  ["1e-3", 0.001],
  ["", null],
  ["a", null],
  ["NaN", null],
  [undefined, null],
])("the bound %s", (text, bound) => {
  expect(readBound(text)).toBe(bound);
});

test.each([
  [99, 1, 0.99],
  [5, null, 1],
  [null, 3, 0],
  [0, 0, null],
  [null, null, null],
])("%s of which succeeded, %s failed", (succeeded, failed, ratio) => {
  expect(successRatio(succeeded, failed)).toBe(ratio);
});
