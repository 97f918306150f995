import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WIDE_METRICS } from "./catalogue";
import {
  clockSkewMs,
  decodeMissing,
  encodeMissing,
  isSkewed,
  judgeTime,
  MISSING_LABELS,
  type Missing,
  type MissingReason,
  qualityOf,
  silentAfterMs,
} from "./sample";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const now = Date.UTC(2026, 10, 21, 12);

describe("the time of a sample", () => {
  test.each([
    [0, "ok"],
    [10 * MINUTE, "ok"],
    [10 * MINUTE + 1, "late"],
    [48 * HOUR, "late"],
    [48 * HOUR + 1, "too_old"],
    [-60_000, "ok"],
    [-60_001, "future"],
  ])("B19, B20: %d ms before it arrives: %s", (ageMs, verdict) => {
    expect(judgeTime(now - ageMs, now)).toBe(verdict);
  });

  test("B21: a clock is off when the request itself was sent more than 30 s away from now", () => {
    expect(isSkewed(clockSkewMs(now - 30_000, now))).toBe(false);
    expect(isSkewed(clockSkewMs(now - 30_001, now))).toBe(true);
    expect(isSkewed(clockSkewMs(now + 30_001, now))).toBe(true);
  });

  test("quality is null when there is nothing to say", () => {
    expect([qualityOf("ok", false), qualityOf("late", false), qualityOf("ok", true), qualityOf("late", true)]).toEqual([
      null,
      1,
      2,
      3,
    ]);
  });

  test.each([
    [10_000, 90_000],
    [30_000, 90_000],
    [60_000, 180_000],
  ])("a sender that reports every %d ms is silent after %d ms", (intervalMs, silentMs) => {
    expect(silentAfterMs(intervalMs)).toBe(silentMs);
  });
});

describe("the reasons for what is missing", () => {
  // Object.keys forgets its keys; they are exactly the reasons.
  const reasons = Object.keys(MISSING_LABELS) as MissingReason[];

  test("come back from their code, which is a safe integer", () => {
    const missing = fc.dictionary(fc.constantFrom(...WIDE_METRICS), fc.constantFrom(...reasons), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(missing, (some) => {
        const code = encodeMissing(some as Missing);
        expect(code === null).toBe(Object.keys(some).length === 0);
        expect(Number.isSafeInteger(code ?? 0)).toBe(true);
        expect(decodeMissing(code)).toEqual(some);
      }),
    );
  });

  test("keep the codes that storage holds", () => {
    expect(reasons.map((reason) => encodeMissing({ utilizationPct: reason }))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ]);
    expect(encodeMissing({ memoryReservedMib: "not_reported" })).toBe(16 ** 11);
  });

  test("a code of a later version is an error, not nothing", () => {
    expect(decodeMissing(15)).toEqual({ utilizationPct: "error" });
    expect(decodeMissing(null)).toEqual({});
  });
});
