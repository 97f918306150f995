import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bucketise, pointsOf, resolveRange, STEPS_MS } from "./series";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const start = Date.UTC(2026, 10, 21);

describe("the step of a chart", () => {
  test.each([
    [15 * MINUTE, 10_000],
    [HOUR, 10_000],
    [6 * HOUR, MINUTE],
    [DAY, 3 * MINUTE],
    [7 * DAY, 30 * MINUTE],
    [30 * DAY, 3 * HOUR],
    [365 * DAY, DAY],
    [5 * 365 * DAY, 4 * DAY],
  ])("a window of %d ms has steps of %d ms", (windowMs, stepMs) => {
    expect(resolveRange(start, start + windowMs).stepMs).toBe(stepMs);
  });

  test("samples that come faster may have finer steps", () => {
    expect(resolveRange(start, start + 5 * MINUTE, 600, 1000).stepMs).toBe(1000);
    expect(resolveRange(start, start + 5 * MINUTE, 600, 60_000).stepMs).toBe(60_000);
  });

  test("whoever asks within one step asks the same", () => {
    expect(resolveRange(start + 1, start + DAY - 1)).toEqual(resolveRange(start + 999, start + DAY - 179_999));
  });

  test("every window is covered, in whole steps, by at most the points asked for", () => {
    const anywhere = fc.integer({ min: -DAY * 10_000, max: DAY * 30_000 });
    fc.assert(
      fc.property(
        anywhere,
        fc.integer({ min: 0, max: DAY * 8000 }),
        fc.integer({ min: 2, max: 2000 }),
        (from, ms, most) => {
          const range = resolveRange(from, from + ms, most);
          expect(range.from).toBeLessThanOrEqual(from);
          expect(range.to).toBeGreaterThanOrEqual(from + ms);
          expect(Math.abs(range.from % range.stepMs)).toBe(0);
          expect(pointsOf(range)).toBeGreaterThanOrEqual(1);
          expect(pointsOf(range)).toBeLessThanOrEqual(most);
          expect(STEPS_MS.includes(range.stepMs) || range.stepMs % DAY === 0).toBe(true);
        },
      ),
    );
  });
});

describe("points in steps", () => {
  const range = { stepMs: 10_000, from: start, to: start + 50_000 };

  test("a step without a value is a gap, never zero", () => {
    const columns = bucketise(
      [
        { at: start + 31_000, value: 5 },
        { at: start, value: 10 },
        { at: start + 9999, value: 20 },
        { at: start + 10_000, value: null },
        { at: start + 50_000, value: 99 },
        { at: start - 1, value: 99 },
        { at: start + 20_000, value: Number.NaN },
      ],
      range,
    );
    expect(columns).toEqual({
      at: [0, 10, 20, 30, 40].map((seconds) => start + seconds * 1000),
      mean: [15, null, null, 5, null],
      min: [10, null, null, 5, null],
      max: [20, null, null, 5, null],
      n: [2, 0, 0, 1, 0],
    });
  });

  test("rows that are added up already count by their number", () => {
    const columns = bucketise(
      [
        { at: start, n: 3, sum: 30, min: 5, max: 20 },
        { at: start + 5000, value: 50 },
        { at: start + 5000, n: 0, sum: 0, min: 0, max: 0 },
      ],
      range,
    );
    expect([columns.mean[0], columns.min[0], columns.max[0], columns.n[0]]).toEqual([20, 5, 50, 4]);
  });
});
