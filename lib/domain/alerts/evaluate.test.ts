import { describe, expect, test } from "vitest";
import { isBeyond } from "./condition";
import { PRODUCT_SEMANTICS, PROMETHEUS_2_42, readingAt, slotAt } from "./semantics";
import { above85, events, judgeAt, MINUTE, statuses, trace } from "./trace.testing";
import type { Comparison } from "./types";

const NO_KEEP = { condition: above85({ forMs: 3 * MINUTE }) };

describe("thresholds and time", () => {
  test("B01 time of a slot: the grid is the floor of the instant, so all workers see the same", () => {
    expect(slotAt(125_999, 30_000)).toBe(120_000);
    expect(slotAt(120_000, 30_000)).toBe(120_000);
  });

  test("B02 time used in rules: transitions carry the slot", () => {
    const judged = trace([90, 90, 90, 90], NO_KEEP);
    expect(judged.flatMap(({ transitions }) => transitions.map(({ slot }) => slot))).toEqual([0, 3 * MINUTE]);
  });

  test("B03 boundary of for: exactly for after the first true slot it fires", () => {
    expect(statuses(trace([80, 90, 90, 90, 90], NO_KEEP))).toEqual([
      "inactive",
      "pending",
      "pending",
      "pending",
      "firing",
    ]);
  });

  test("B04 for = 0: it fires in the first true slot, in one transition", () => {
    expect(events(trace([80, 90]))).toEqual(["1 fired"]);
  });

  test("B05 for shorter than the interval: it fires at the second true slot", () => {
    expect(events(trace([80, 90, 90], { condition: above85({ forMs: 30_000 }) }))).toEqual(["1 pending", "2 fired"]);
  });

  test("B06 one false slot in the window: for starts from zero, and the pending spell leaves nothing behind", () => {
    const judged = trace([90, 90, 84, 90, 90, 90, 90], NO_KEEP);
    expect(events(judged)).toEqual(["0 pending", "3 pending", "6 fired"]);
    expect(judged[2]?.episodeEnds?.reason).toBe("never_fired");
  });

  test("B07 keep firing: it recovers while false, goes back to the same episode when true, ends when keep has passed", () => {
    const judged = trace([90, 90, 80, 80, 90, 80, 80, 80, 80, 80], {
      condition: above85({ forMs: MINUTE, keepFiringMs: 3 * MINUTE }),
    });
    expect(statuses(judged).slice(1, 9)).toEqual([
      "firing",
      "recovering",
      "recovering",
      "firing",
      "recovering",
      "recovering",
      "recovering",
      "inactive",
    ]);
    expect(events(judged)).toEqual(["0 pending", "1 fired", "2 recovering", "4 resumed", "5 recovering", "8 resolved"]);
  });

  test("B08 threshold hysteresis: it rises above the high number and clears at or below the low one", () => {
    const judged = trace([82, 86, 82, 81, 80, 82, 86], { condition: above85({ clearThreshold: 80 }) });
    expect(events(judged)).toEqual(["1 fired", "4 resolved", "6 fired"]);
  });

  test("B08 threshold hysteresis: a pending alert is judged by the high number, a recovering one by the low", () => {
    const condition = above85({ clearThreshold: 80, forMs: MINUTE, keepFiringMs: 5 * MINUTE });
    expect(statuses(trace([86, 82], { condition }))).toEqual(["pending", "inactive"]);
    expect(statuses(trace([86, 86, 80, 82], { condition }))).toEqual(["pending", "firing", "recovering", "firing"]);
  });

  test.each<[Comparison, number, number, boolean]>([
    ["above", 85, 85, false],
    ["above", 85.00000000000001, 85, true],
    ["at_least", 85, 85, true],
    ["at_least", 84.99999999999999, 85, false],
    ["below", 85, 85, false],
    ["below", 84.99999999999999, 85, true],
    ["at_most", 85, 85, true],
    ["at_most", 85.00000000000001, 85, false],
    ["above", -0, 0, false],
    ["at_least", -0, 0, true],
    ["below", -0, 0, false],
    ["above", Number.MIN_VALUE, 0, true],
  ])("B09 equality and one ulp either side: %s, %d against %d", (comparison, value, threshold, expected) => {
    expect(isBeyond(comparison, value, threshold)).toBe(expected);
  });

  test.each<Comparison>(["above", "at_least", "below", "at_most"])("B10 NaN: it is never %s anything", (comparison) => {
    expect(isBeyond(comparison, Number.NaN, 0)).toBe(false);
  });

  test("B10 NaN: no sample for the product, neither firing nor resolving; under Prometheus it resolves", () => {
    const values = [Number.NaN, 90, Number.NaN, Number.NaN, 90];
    expect(statuses(trace(values))).toEqual(["inactive", "firing", "firing", "unknown", "firing"]);
    const prometheus = { semantics: PROMETHEUS_2_42() };
    expect(statuses(trace(values, prometheus))).toEqual(["inactive", "firing", "inactive", "inactive", "firing"]);
  });

  test("B11 infinities compare as numbers, and are kept as they are", () => {
    const judged = trace([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
    expect(events(judged)).toEqual(["0 fired", "1 resolved"]);
    expect(judged[0]?.state?.peakValue).toBe(Number.POSITIVE_INFINITY);
    expect(judged[0]?.transitions[0]?.note).toBe("infinite is above 85");
  });

  test("B12 value used: the newest sample younger than the lookback, never a future one", () => {
    const product = PRODUCT_SEMANTICS(10_000);
    expect(product.lookbackMs).toBe(90_000);
    expect(PRODUCT_SEMANTICS(60_000).lookbackMs).toBe(180_000);
    const samples = [
      { at: 0, value: 1 },
      { at: 50_000, value: 2 },
      { at: 200_000, value: 3 },
    ];
    expect(readingAt(samples, 139_999, product)).toEqual({ value: 2, at: 50_000 });
    expect(readingAt(samples, 140_000, product)).toEqual({ value: null, at: 50_000, reason: "too_old" });
    expect(readingAt(samples, 140_000, { ...product, lookbackEdge: "closed" })).toEqual({ value: 2, at: 50_000 });
    expect(readingAt(samples, -1, product)).toEqual({ value: null, at: null, reason: "no_sample" });
  });

  test("B12 value used: a mark that the series ended ends it for Prometheus, and is no sample for the product", () => {
    const samples = [
      { at: 0, value: 90 },
      { at: 60_000, value: null },
    ];
    expect(readingAt(samples, 60_000, PROMETHEUS_2_42())).toEqual({ value: null, at: 60_000, reason: "series_ended" });
    expect(readingAt(samples, 60_000, PRODUCT_SEMANTICS(10_000))).toEqual({ value: 90, at: 0 });
  });

  test("B18 late sample within 10 min: later slots use it, past slots stay as they were judged", () => {
    const late = { at: 20_000, value: 95 };
    const samples = [{ at: 0, value: 80 }, late];
    expect(readingAt(samples, 60_000, PRODUCT_SEMANTICS(10_000)).value).toBe(95);
    const again = judgeAt(MINUTE, 95, { previousSlot: MINUTE });
    expect(again).toMatchObject({ refused: "slot_not_newer", state: null, transitions: [] });
  });

  test("B19 older than 10 min: a sample marked late is never judged", () => {
    const slow = PRODUCT_SEMANTICS(10 * MINUTE);
    expect(readingAt([{ at: 0, value: 95, isLate: true }], 15 * MINUTE, slow).value).toBeNull();
    expect(readingAt([{ at: 0, value: 95 }], 15 * MINUTE, slow).value).toBe(95);
  });

  test("values: first, last and the one furthest beyond the threshold are kept with the episode", () => {
    const [, , up] = trace([90, 97, 88]);
    expect(up?.state).toMatchObject({ firstValue: 90, lastValue: 88, peakValue: 97 });
    const [, , down] = trace([70, 40, 60], { condition: above85({ comparison: "below", threshold: 80 }) });
    expect(down?.state).toMatchObject({ firstValue: 70, lastValue: 60, peakValue: 40 });
  });

  test("one resolve per episode, and after it the alert fires again as another", () => {
    const judged = trace([90, 80, 80, 90, 80]);
    expect(events(judged)).toEqual(["0 fired", "1 resolved", "3 fired", "4 resolved"]);
    expect(judged[1]?.episodeEnds).toMatchObject({ reason: "recovered", at: MINUTE, last: { lastValue: 80 } });
  });
});
