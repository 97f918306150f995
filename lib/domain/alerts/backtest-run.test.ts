import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runHistory } from "./backtest-run";
import { NO_FACTS } from "./gpu-values";
import { historyTrack } from "./history";
import { replay } from "./replay";
import { PRODUCT_SEMANTICS } from "./semantics";
import { above85, MINUTE } from "./trace.testing";
import type { Over } from "./track";
import type { AlertCondition } from "./types";

const SECOND = 1_000;

type Point = { step: number; value: number; isLate: boolean };

const value = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(60, 80, 82, 84.9, 85, 85.1, 86, 90, 95.3) },
  { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 85.00001) },
);
/** Runs of one value, as hardware has them, with holes of up to half an hour in between. */
const points: fc.Arbitrary<Point[]> = fc
  .array(
    fc.record({
      step: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(0, 10 * SECOND, 15 * SECOND, MINUTE) },
        { weight: 1, arbitrary: fc.constantFrom(3 * MINUTE, 30 * MINUTE, 90 * MINUTE) },
      ),
      value,
      times: fc.integer({ min: 1, max: 12 }),
      late: fc.integer({ min: 0, max: 20 }),
    }),
    { maxLength: 40 },
  )
  .map((list) =>
    list.flatMap(({ step, value: one, times, late }) =>
      Array.from({ length: times }, (_, i) => ({ step: i === 0 ? step : 10 * SECOND, value: one, isLate: late === i })),
    ),
  );

const condition: fc.Arbitrary<AlertCondition> = fc
  .record({
    comparison: fc.constantFrom("above", "at_least", "below", "at_most", "equal", "not_equal" as const),
    clear: fc.boolean(),
    forMs: fc.constantFrom(0, 30 * SECOND, 3 * MINUTE),
    keepFiringMs: fc.constantFrom(0, 2 * MINUTE),
    intervalMs: fc.constantFrom(10 * SECOND, 30 * SECOND, MINUTE),
    noData: fc.constantFrom("unknown", "unknown", "alert", "ok" as const),
    silenceToleranceMs: fc.constantFrom(0, 5 * MINUTE),
    isTwoLevel: fc.boolean(),
  })
  .map(({ comparison, clear, isTwoLevel, ...rest }) => {
    const isUp = comparison === "above" || comparison === "at_least";
    const hasLevels = comparison !== "equal" && comparison !== "not_equal";
    return above85({
      ...rest,
      comparison,
      clearThreshold: clear && hasLevels ? (isUp ? 82 : 88) : null,
      criticalThreshold: isTwoLevel && hasLevels ? (isUp ? 90 : 80) : null,
    });
  });

const over: fc.Arbitrary<Over> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Over>({ of: "last", windowMs: 0 }) },
  {
    weight: 2,
    arbitrary: fc.record({
      of: fc.constantFrom("last", "mean", "min", "max", "p95", "rate", "change", "count" as const),
      windowMs: fc.constantFrom(MINUTE, 5 * MINUTE),
    }),
  },
);

function series(list: readonly Point[]) {
  let at = 0;
  const instants = Float64Array.from(list, ({ step }) => (at += step));
  const temperatureC = Float64Array.from(list, (point) => Math.fround(point.value));
  const quality = Float64Array.from(list, ({ isLate }) => (isLate ? 1 : 0));
  const samples = list.map((point, i) => ({ at: instants[i] ?? 0, value: point.value, isLate: point.isLate }));
  return { samples, track: historyTrack("temperatureC", 88, NO_FACTS, instants, { temperatureC, quality }), end: at };
}

describe("a run over history", () => {
  test("property: it says what the live evaluator says slot by slot, on series with holes, NaN and late samples", () => {
    fc.assert(
      fc.property(points, condition, over, fc.constantFrom(null, 20 * MINUTE), (list, rule, of, goneAt) => {
        const { samples, track, end } = series(list);
        const semantics = PRODUCT_SEMANTICS(10 * SECOND);
        const window = { condition: rule, semantics, over: of, from: 5 * SECOND, to: end + 10 * MINUTE, goneAt };
        const wanted = replay({ ...window, samples });
        const found = runHistory({ ...window, track });
        expect(found.episodes).toEqual(wanted.episodes);
        expect(found.neverFired).toBe(wanted.neverFired);
      }),
      { numRuns: 1_000 },
    );
  });

  test("a value that flickers about the limit: each episode that was over too soon is counted", () => {
    const flicker = [86, 85, 86, 86, 85.00001, 86, 85, 86, 86, 86, 86, 86, 84.9, 86, 85, 86, Number.NaN, 86, 60];
    const list = Array.from({ length: 40 }, () => flicker).flat();
    const { samples, track, end } = series(list.map((one) => ({ step: 10 * SECOND, value: one, isLate: false })));
    const rule = above85({ forMs: 40 * SECOND, intervalMs: 10 * SECOND });
    const semantics = PRODUCT_SEMANTICS(10 * SECOND);
    const over: Over = { of: "last", windowMs: 0 };
    const window = { condition: rule, semantics, over, from: 0, to: end, goneAt: null };
    const wanted = replay({ ...window, samples });
    const found = runHistory({ ...window, track });
    expect(wanted.neverFired).toBeGreaterThan(100);
    expect(found.neverFired).toBe(wanted.neverFired);
    expect(found.episodes).toEqual(wanted.episodes);
  });

  test("quiet, firing and silent stretches are passed over", () => {
    const long = (one: number) =>
      Array.from({ length: 1_000 }, () => ({ step: 10 * SECOND, value: one, isLate: false }));
    const { track, end } = series([
      ...long(60),
      ...long(95),
      { step: 600 * MINUTE, value: 95, isLate: false },
      ...long(60),
    ]);
    const { episodes, judgedSlots } = runHistory({
      condition: above85({ forMs: 5 * MINUTE, intervalMs: 10 * SECOND }),
      semantics: PRODUCT_SEMANTICS(10 * SECOND),
      track,
      over: { of: "last", windowMs: 0 },
      from: 0,
      to: end,
      goneAt: null,
    });
    expect(episodes.map(({ transitions }) => transitions.map(({ kind }) => kind))).toEqual([
      ["pending", "fired", "unknown", "resumed", "resolved"],
    ]);
    expect(judgedSlots).toBeLessThan(20);
  });
});
