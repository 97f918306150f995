import { describe, expect, test } from "vitest";
import { failure } from "@/lib/errors";
import { NewAlertRule } from "./rule-input";
import { hysteresisProblem, metricOf, overdueMs, RULE_METRICS, type Selector, selects } from "./rules";

const form = {
  name: "  Hot  GPU ",
  kind: "gpu_metric",
  severity: "warning",
  metric: "temperatureC",
  comparison: "at_least",
  threshold: "83",
  clearThreshold: "81",
  forMinutes: "5",
  keepFiringMinutes: "",
};

function problems(over: Record<string, unknown>): Record<string, string> {
  const result = NewAlertRule.safeParse({ ...form, ...over });
  return result.success ? {} : failure(result.error).fields;
}

describe("a new rule", () => {
  test("a form becomes a rule: names cleaned, minutes in milliseconds, what is not said by default", () => {
    const selector = { workload: "training, batch", team: ["research"], type: "" };
    expect(NewAlertRule.parse({ ...form, keepFiringMinutes: "1.5", selector })).toEqual({
      name: "Hot GPU",
      kind: "gpu_metric",
      severity: "warning",
      enabled: true,
      selector: { workload: ["training", "batch"], team: ["research"], type: [] },
      metric: "temperatureC",
      comparison: "at_least",
      threshold: 83,
      clearThreshold: 81,
      forMs: 300_000,
      keepFiringMs: 90_000,
      intervalMs: 30_000,
      noData: "unknown",
      aggregate: "last",
      windowMs: 0,
      lookbackMs: null,
      params: {},
      labels: {},
      budgetId: null,
      reason: "",
      action: "",
      runbook: "",
    });
  });

  test("a field left empty says nothing", () => {
    const rule = NewAlertRule.parse({ ...form, clearThreshold: "", forMinutes: "", intervalSeconds: "" });
    expect(rule).toMatchObject({ clearThreshold: null, forMs: 0, keepFiringMs: 0, intervalMs: 30_000 });
  });

  test.each([
    [{ threshold: "" }, "threshold", "Give a number"],
    [{ threshold: "0x53" }, "threshold", "Give a number"],
    [{ threshold: "Infinity" }, "threshold", "Give a number"],
    [{ threshold: Number.NaN }, "threshold", "Give a number"],
    [{ threshold: 151 }, "threshold", "GPU temperature lies between -20 °C and 150 °C"],
    [
      { clearThreshold: 84 },
      "clearThreshold",
      "It fires at or above 83 °C, so it must clear at 83 °C or lower; 84 °C is higher",
    ],
    [{ metric: "spendTodayUsd" }, "metric", "is not something this kind of rule can look at"],
    [{ metric: "constructor" }, "metric", "is not something this kind of rule can look at"],
    [{ name: " \u200b " }, "name", "Give the rule a name"],
    [{ forMinutes: -1 }, "forMinutes", "Cannot be negative"],
    [{ forMinutes: 1441 }, "forMinutes", "Use at most 1440 minutes"],
    [{ intervalSeconds: 5 }, "intervalSeconds", "Use at least 10 seconds"],
    [{ comparison: "over" }, "comparison", "Choose a comparison"],
    [{ selector: { workload: "gaming" } }, "selector.workload.0", "is not a workload"],
  ])("%j is refused with a word of help", (over, field, message) => {
    expect(problems(over)[field]).toBe(message);
  });

  test.each([
    ["above", 85, 85, null],
    ["above", 85, 80, null],
    ["above", 85, 86, "It fires above 85, so it must clear at 85 or lower; 86 is higher"],
    ["at_most", 10, 12, null],
    ["at_most", 10, 9, "It fires at or below 10, so it must clear at 10 or higher; 9 is lower"],
    ["below", 10, null, null],
  ] as const)("B08 hysteresis direction: %s %d, clear %s", (comparison, threshold, clear, expected) => {
    expect(hysteresisProblem(comparison, threshold, clear)).toBe(expected);
  });

  test("every metric says what it is, of what and within which bounds", () => {
    for (const metrics of Object.values(RULE_METRICS)) {
      for (const metric of Object.values(metrics)) {
        expect(metric.label).not.toBe("");
        expect(metric.max).toBeGreaterThan(metric.min);
      }
    }
    expect(metricOf("gpu_metric", "memoryUsedPct")?.unit).toBe("%");
    expect(metricOf("gpu_metric", "effectiveUtilizationPct")?.target).toBe("gpu");
    expect(metricOf("gpu_metric", "throttleReasons")).toBeNull();
    expect(metricOf("inventory", "staleMs")?.target).toBe("connection");
    expect(metricOf("money", "spendTodayUsd")?.target).toBe("fleet");
  });
});

describe("selectors", () => {
  const target = { workload: "training", team: "research", type: "gpu_1x_gh200", instance: "i1", region: "us-east-3" };

  test.each<[string, Selector, boolean]>([
    ["nothing asked selects all", {}, true],
    ["an empty list asks nothing", { team: [] }, true],
    ["values are alternatives", { workload: ["batch", "training"] }, true],
    ["keys must all hold", { workload: ["training"], team: ["serving"] }, false],
    ["another region is not meant", { region: ["us-west-1"] }, false],
    ["one instance by its id", { instance: ["i1"] }, true],
  ])("%s", (_name, selector, expected) => {
    expect(selects(selector, target)).toBe(expected);
  });

  test("a target without the property is not selected by it", () => {
    expect(selects({ region: ["us-east-3"] }, { ...target, region: null })).toBe(false);
  });
});

test("silence is overdue from max(3 × interval, 90 s) on", () => {
  expect(overdueMs(89_999, 10_000)).toBeLessThan(0);
  expect(overdueMs(90_000, 10_000)).toBe(0);
  expect(overdueMs(180_000, 60_000)).toBe(0);
});
