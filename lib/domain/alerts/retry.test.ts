import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Attempt, afterAttempt } from "./retry";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const attempt = (over: Partial<Attempt>): Attempt => ({
  firstAt: 0,
  now: 0,
  attempts: 1,
  statusCode: 503,
  retryAfterMs: null,
  random: 0.5,
  ...over,
});

describe("B41 retry", () => {
  test.each([200, 202, 204])("%d is delivered", (statusCode) => {
    expect(afterAttempt(attempt({ statusCode }))).toEqual({ kind: "done" });
  });

  test.each([302, 400, 401, 403, 404, 410, 413])("%d is final", (statusCode) => {
    expect(afterAttempt(attempt({ statusCode }))).toEqual({
      kind: "dead",
      reason: `The receiver refused it (HTTP ${statusCode})`,
    });
  });

  test.each([408, 425, 429, 500, 502, 503, null])("%s is tried again", (statusCode) => {
    expect(afterAttempt(attempt({ statusCode })).kind).toBe("retry");
  });

  test.each([
    [1, 2_000],
    [2, 4_000],
    [5, 32_000],
    [8, 256_000],
    [9, 300_000],
    [50, 300_000],
    [10_000, 300_000],
  ])("after attempt %d the wait is anything up to %d ms", (attempts, ceiling) => {
    expect(afterAttempt(attempt({ attempts, random: 0 }))).toEqual({ kind: "retry", at: 0 });
    expect(afterAttempt(attempt({ attempts, random: 0.5 }))).toEqual({ kind: "retry", at: ceiling / 2 });
  });

  test("after the first hour it is every 15 minutes", () => {
    expect(afterAttempt(attempt({ now: HOUR - 1, attempts: 20 }))).toEqual({ kind: "retry", at: HOUR - 1 + 150_000 });
    expect(afterAttempt(attempt({ now: HOUR, attempts: 20 }))).toEqual({ kind: "retry", at: HOUR + 15 * MINUTE });
  });

  test("after 24 hours it is given up", () => {
    const late = attempt({ now: 24 * HOUR - 15 * MINUTE, attempts: 100 });
    expect(afterAttempt(late)).toEqual({ kind: "retry", at: 24 * HOUR });
    expect(afterAttempt({ ...late, now: late.now + 1 })).toEqual({
      kind: "dead",
      reason: "Not delivered within 24 hours",
    });
  });

  test("Retry-After is honoured, up to 15 minutes", () => {
    expect(afterAttempt(attempt({ statusCode: 429, retryAfterMs: 30_000 }))).toEqual({ kind: "retry", at: 30_000 });
    expect(afterAttempt(attempt({ statusCode: 429, retryAfterMs: 100 }))).toEqual({ kind: "retry", at: 1_000 });
    expect(afterAttempt(attempt({ retryAfterMs: 5 * HOUR }))).toEqual({ kind: "retry", at: 15 * MINUTE });
  });

  test("property: the next attempt never lies in the past nor beyond 24 hours", () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.nat(30 * HOUR), fc.integer({ min: 1, max: 200 }), random, (now, attempts, r) => {
        const next = afterAttempt(attempt({ now, attempts, random: r }));
        if (next.kind === "retry") expect(next.at >= now && next.at <= 24 * HOUR).toBe(true);
        else expect(now).toBeGreaterThan(24 * HOUR - 15 * MINUTE);
      }),
    );
  });
});
