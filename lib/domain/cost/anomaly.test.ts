import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CausePart, causesOf, type DaySpend, expectedOf, findAnomalies, median } from "./anomaly";

const USD = 1_000_000n;
const dayAt = (i: number) => new Date(Date.UTC(2026, 9, 1 + i)).toISOString().slice(0, 10);

/** Days that cost what their state said, and one that cost more. */
function days(count: number, dailyUsd: number, surplus: Record<number, number> = {}): DaySpend[] {
  return Array.from({ length: count }, (_, i) => ({
    day: dayAt(i),
    stateMicros: BigInt(dailyUsd) * USD,
    actualMicros: BigInt(Math.round((dailyUsd + (surplus[i] ?? 0)) * 1e6)),
    otherMicros: 0n,
  }));
}

describe("a day stands out", () => {
  test.each([
    ["from $5 on, where the fleet is small", 10, 5, true],
    ["not below the least amount", 10, 4.99, false],
    ["from 3.5 times 2 % of what was expected on", 1_000, 70, true],
    ["not below that", 1_000, 69.9, false],
    ["not when it cost less", 1_000, -500, false],
  ])("%s", (_, daily, surplus, isFound) => {
    const found = findAnomalies(days(20, daily, { 19: surplus }), 5n * USD);
    expect(found.map(({ day }) => day)).toEqual(isFound ? [dayAt(19)] : []);
  });

  test("only after 13 days of history", () => {
    expect(findAnomalies(days(13, 10, { 12: 500 }), 5n * USD)).toEqual([]);
    expect(findAnomalies(days(14, 10, { 13: 500 }), 5n * USD)).toMatchObject([
      { day: dayAt(13), surplusMicros: 500n * USD, expectedMicros: 10n * USD, score: 500 },
    ]);
  });

  test("what comes and goes every day is usual, by the days before alone", () => {
    const usual = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [i, 40 + 10 * (i % 3)]));
    expect(findAnomalies(days(20, 100, usual), 5n * USD)).toEqual([]);
    expect(findAnomalies(days(20, 100, { ...usual, 19: 140 }), 5n * USD)).toMatchObject([{ day: dayAt(19) }]);
  });

  test("a day is judged the same whatever comes after it, and never below the least amount", () => {
    const amounts = fc.array(fc.integer({ min: 0, max: 200_000_000 }), { minLength: 15, maxLength: 40 });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 100_000_000 }), (actual, least) => {
        const all = actual.map((micros, i) => ({
          day: dayAt(i),
          stateMicros: 20n * USD,
          actualMicros: BigInt(micros),
          otherMicros: 0n,
        }));
        const found = findAnomalies(all, BigInt(least));
        const before = all.slice(0, -1);
        expect(found.filter(({ day }) => day !== all.at(-1)?.day)).toEqual(findAnomalies(before, BigInt(least)));
        for (const one of found) expect(one.surplusMicros).toBeGreaterThanOrEqual(BigInt(least));
      }),
    );
  });
});

test("what no state explains is expected as usual: by its weekday where there are four, else by all days", () => {
  const fee = (count: number): DaySpend[] =>
    Array.from({ length: count }, (_, i) => ({
      day: dayAt(i),
      stateMicros: 0n,
      actualMicros: i % 7 === 0 ? 70n * USD : 0n,
      otherMicros: i % 7 === 0 ? 70n * USD : 0n,
    }));
  const next = (i: number) => ({ day: dayAt(i), stateMicros: USD, actualMicros: 0n, otherMicros: 0n });
  expect(expectedOf(next(28), fee(28))).toBe(71n * USD);
  expect(expectedOf(next(29), fee(29))).toBe(USD);
  expect(expectedOf(next(14), fee(14))).toBe(USD);
});

test.each([
  [[], 0],
  [[3], 3],
  [[5, 1, 3], 3],
  [[4, 1, 3, 2], 2.5],
])("the median of %j is %d", (values, expected) => expect(median(values)).toBe(expected));

describe("the cause", () => {
  const part = (over: Partial<CausePart>): CausePart => ({
    instance: "gh-1",
    resourceId: "1",
    type: "gpu_1x_gh200",
    region: "us-east-3",
    owner: "research",
    actualMicros: 10n * USD,
    expectedMicros: 10n * USD,
    price: null,
    ...over,
  });

  test("is the narrowest that makes most of the surplus", () => {
    const parts = [part({}), part({ instance: "new", resourceId: "2", actualMicros: 50n * USD, expectedMicros: 0n })];
    const [first, ...others] = causesOf(parts, 50n * USD);
    expect(first).toEqual({ dimension: "instance", key: "new", id: "2", deltaMicros: 50n * USD });
    expect(others.map(({ dimension }) => dimension)).toEqual(["type", "owner", "region"]);
  });

  test("is the type where ten machines of it came, and the price where that changed", () => {
    const many = Array.from({ length: 10 }, (_, i) =>
      part({ instance: `n${i}`, resourceId: String(i), expectedMicros: 0n }),
    );
    expect(causesOf(many, 100n * USD)[0]).toMatchObject({ dimension: "type", deltaMicros: 100n * USD });
    const price = { sku: "gpu_1x_gh200", beforeMicros: 1_490_000n, micros: 2_290_000n, deltaMicros: 8n * USD };
    const dearer = part({ actualMicros: 18n * USD, price });
    expect(causesOf([dearer], 8n * USD)[0]).toEqual({
      dimension: "price",
      key: "gpu_1x_gh200, $1.49/h to $2.29/h",
      id: null,
      deltaMicros: 8n * USD,
    });
  });

  test("what cost less is no cause", () => {
    expect(causesOf([part({ actualMicros: 0n })], USD)).toEqual([]);
  });
});
