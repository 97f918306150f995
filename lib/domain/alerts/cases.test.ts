import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkTraces } from "./cases";

const file = join(process.env.SHARED_DIR ?? "../shared", "cases/alerts/random-cases.json");
const skipped = existsSync(file) ? "" : ` (skipped: ${file} is absent)`;

describe("recorded traces", () => {
  test.skipIf(skipped !== "")(`every state of every recorded trace is as promtool 2.42 has it${skipped}`, () => {
    const { states, differences } = checkTraces(JSON.parse(readFileSync(file, "utf8")));
    expect(differences).toEqual([]);
    expect(states).toBeGreaterThanOrEqual(36_000);
  });

  const traces = (expected: string[]) => ({
    step_seconds: 60,
    lookback_seconds: 300,
    expr: "m > 85",
    rules: [{ name: "r", for: 60, keep_firing_for: 0 }],
    cases: [{ trace: ["90", "90", "80"], states: { r: expected } }],
  });

  test("windows, absence and thresholds either way round are judged as well", () => {
    const judged = (expr: string, states: string[]) => checkTraces({ ...traces(states), expr }).differences;
    expect(judged("85 < m", ["pending", "firing", "inactive"])).toEqual([]);
    expect(judged("min_over_time(m[1m]) > 85", ["pending", "firing", "inactive"])).toEqual([]);
    expect(judged("absent(m)", ["inactive", "inactive", "inactive"])).toEqual([]);
  });

  test("under the product's own semantics missing data resolve nothing", () => {
    const file = {
      ...traces(["firing", "firing", "firing", "firing", "firing"]),
      rules: [{ name: "r", for: 0, keep_firing_for: 0 }],
      cases: [{ trace: ["90", "NaN", "_", "_", "_"], states: { r: Array(5).fill("firing") } }],
    };
    expect(checkTraces(file, "product").differences).toEqual([]);
    expect(checkTraces(file).differences).toHaveLength(4);
  });

  test("a wrong state is named with its case, rule and step", () => {
    expect(checkTraces(traces(["pending", "firing", "inactive"])).differences).toEqual([]);
    expect(checkTraces(traces(["pending", "pending", "inactive"])).differences).toEqual([
      { case: 0, rule: "r", step: 1, expected: "pending", actual: "firing" },
    ]);
  });

  test("a state that is expected beyond the trace, or missing within it, is a difference", () => {
    expect(checkTraces(traces(["pending", "firing", "inactive", "inactive"])).differences).toHaveLength(1);
    expect(checkTraces(traces(["pending", "firing"])).differences).toHaveLength(1);
  });

  test("what is not such a file is refused", () => {
    expect(() => checkTraces({ cases: [] })).toThrow();
    expect(() => checkTraces({ ...traces([]), expr: "sum(m) > 1" })).toThrow("Not a plain threshold");
  });
});
