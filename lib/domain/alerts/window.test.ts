import { describe, expect, it, test } from "vitest";
import { PRODUCT_SEMANTICS, PROMETHEUS_2_42, readingAt } from "./semantics";
import { MINUTE } from "./trace.testing";
import type { Sample } from "./types";
import { type WindowFunction, windowValue } from "./window";

const at = (values: readonly (number | null)[]): Sample[] => values.map((value, i) => ({ at: i * MINUTE, value }));
const over = (of: WindowFunction, minutes: number) => ({ of, windowMs: minutes * MINUTE });
const product = PRODUCT_SEMANTICS(MINUTE);

describe("windows", () => {
  it.each<[WindowFunction, number | null]>([
    ["last", 40],
    ["mean", 25],
    ["min", 10],
    ["max", 40],
    ["sum", 100],
    ["count", 4],
    ["p95", 38.5],
    ["change", 30],
    ["changes", 3],
  ])("%s of 10, 20, 30, 40", (of, value) => {
    expect(readingAt(at([10, 20, 30, 40]), 3 * MINUTE, product, over(of, 4)).value).toBeCloseTo(value ?? 0, 9);
  });

  test("the window is open at its far end for the product, closed for Prometheus 2.42", () => {
    expect(readingAt(at([10, 20, 30]), 2 * MINUTE, product, over("count", 2)).value).toBe(2);
    expect(readingAt(at([10, 20, 30]), 2 * MINUTE, PROMETHEUS_2_42(), over("count", 2)).value).toBe(3);
  });

  test("B10 NaN: it is no sample of a window either; Prometheus takes it", () => {
    const values = at([10, Number.NaN, 30]);
    expect(readingAt(values, 2 * MINUTE, product, over("mean", 5)).value).toBe(20);
    expect(readingAt(values, 2 * MINUTE, PROMETHEUS_2_42(), over("mean", 5)).value).toBeNaN();
  });

  test("B13 series missing: a long window of a silent machine says nothing, however full it is", () => {
    const values = at([90, 90, 90, 90]);
    expect(readingAt(values, 5 * MINUTE, product, over("mean", 60)).value).toBe(90);
    expect(readingAt(values, 6 * MINUTE, product, over("mean", 60))).toEqual({
      value: null,
      at: 3 * MINUTE,
      reason: "too_old",
    });
    expect(readingAt(values, 60 * MINUTE, PROMETHEUS_2_42(), over("mean", 60)).value).toBe(90);
  });

  test("B18 late sample within 10 min: a window takes it; B19 one marked late it does not", () => {
    const values: Sample[] = [
      { at: 0, value: 10 },
      { at: MINUTE, value: 90, isLate: true },
      { at: 2 * MINUTE, value: 20 },
    ];
    expect(readingAt(values, 2 * MINUTE, product, over("max", 5)).value).toBe(20);
    expect(
      readingAt(
        values.map(({ isLate: _, ...one }) => one),
        2 * MINUTE,
        product,
        over("max", 5),
      ).value,
    ).toBe(90);
  });
});

describe("rates", () => {
  const rate = (values: number[], of: WindowFunction = "rate") =>
    windowValue(of, {
      at: values.map((_, i) => i * MINUTE),
      values,
      from: 0,
      to: (values.length - 1) * MINUTE,
    });

  test("B23 counter reset: a drop is a restart from zero, and no rate is negative", () => {
    expect(rate([0, 60, 120])).toBe(1);
    expect(rate([100, 160, 10, 70])).toBeCloseTo(130 / 180, 9);
    expect(rate([100, 50, 20, 10])).toBeGreaterThan(0);
    expect(rate([5, 5, 5])).toBe(0);
  });

  test("one sample has no rate and no change", () => {
    expect(rate([5])).toBeNull();
    expect(rate([5], "change")).toBeNull();
    expect(rate([5], "increase")).toBeNull();
  });

  test("a gauge may fall: its change is negative", () => {
    expect(rate([10, 4], "change")).toBe(-6);
    expect(rate([10, 4], "delta")).toBe(-6);
  });
});

test("sums are compensated: a large number does not swallow small ones", () => {
  const values = [1e100, 1, -1e100];
  const window = { at: [0, 1, 2], values, from: 0, to: 2 };
  expect(windowValue("sum", window)).toBe(1);
  expect(windowValue("mean", { ...window, values: [Infinity, 1] })).toBe(Infinity);
  expect(windowValue("mean", { ...window, values: [Infinity, -Infinity] })).toBeNaN();
});
