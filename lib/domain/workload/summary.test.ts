import { describe, expect, test } from "vitest";
import { type Aggregate, chartsOf, summarise } from "./summary";

const row = (name: string, part: Partial<Aggregate> = {}): Aggregate => ({
  name,
  le: null,
  outcome: null,
  stepAt: 0,
  sumOfMeans: 0,
  meanOfMeans: 0,
  highest: 0,
  increase: null,
  ratePerSecond: null,
  ...part,
});
const gauge = (name: string, value: number, stepAt = 0) =>
  row(name, { sumOfMeans: value, meanOfMeans: value, highest: value, stepAt });

describe("summary", () => {
  test("nothing said is nothing known", () => {
    expect(Object.values(summarise([])).every((value) => value === null)).toBe(true);
  });

  test("latency from buckets, its mean from sum and count", () => {
    const bucket = (le: string, increase: number) => row("task_latency_seconds_bucket", { le, increase });
    const { latency } = summarise([
      bucket("0.1", 50),
      bucket("0.5", 90),
      bucket("1", 100),
      bucket("+Inf", 100),
      row("task_latency_seconds_sum", { increase: 25 }),
      row("task_latency_seconds_count", { increase: 100 }),
    ]);
    expect(latency?.p95Ms).toBeCloseTo(750);
    expect(latency?.p50Ms).toBeCloseTo(100);
    expect(latency).toMatchObject({ meanMs: 250, isAtLeast: false });
  });

  test("where there are only sums, the mean is of the tasks that ended", () => {
    const { latency } = summarise([
      row("task_latency_seconds_sum", { increase: 12 }),
      row("tasks_total", { outcome: "success", increase: 30, ratePerSecond: 1 }),
      row("tasks_total", { outcome: "failure", increase: 10, ratePerSecond: 0.5 }),
    ]);
    expect(latency).toEqual({ p50Ms: null, p95Ms: null, meanMs: 300, isAtLeast: false });
  });

  test("throughput counts all tasks, success only those that ended one way or the other", () => {
    const found = summarise([
      row("tasks_total", { outcome: "stop", increase: 95, ratePerSecond: 9.5 }),
      row("tasks_total", { outcome: "error", increase: 5, ratePerSecond: 0.5 }),
      row("tasks_total", { outcome: "abort", increase: 20, ratePerSecond: 2 }),
    ]);
    expect(found.tasks).toEqual({ count: 120, perSecond: 12 });
    expect(found.successRatio).toBe(0.95);
  });

  test("a counter goes before a gauge of the same, and a gauge stands in", () => {
    const both = [row("tokens_total", { increase: 600, ratePerSecond: 10 }), gauge("tokens_per_second", 99)];
    expect(summarise(both).tokens).toEqual({ count: 600, perSecond: 10 });
    expect(summarise([gauge("samples_per_second", 42)]).samples).toEqual({ count: null, perSecond: 42 });
    expect(summarise([gauge("task_success_ratio", 0.97)]).successRatio).toBe(0.97);
    expect(summarise([gauge("task_latency_p95_seconds", 0.4)]).latency).toMatchObject({ p95Ms: 400 });
  });

  test("epochs and exports", () => {
    expect(summarise([gauge("epoch", 7), gauge("epochs_planned", 30)]).epoch).toEqual({ reached: 7, planned: 30 });
    expect(summarise([row("exports_total", { outcome: "failure", increase: 1 })]).exports).toEqual({
      succeeded: 0,
      failed: 1,
    });
  });
});

test("charts have an entry per step, gaps as gaps, and nothing of which nothing is known", () => {
  const charts = chartsOf([gauge("epoch", 1, 0), gauge("epoch", 3, 20)], [0, 10, 20]);
  expect(charts).toEqual([{ id: "epoch", lines: [{ label: "Epoch", values: [1, null, 3] }] }]);
});
