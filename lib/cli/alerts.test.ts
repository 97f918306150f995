import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hopperdeck-alerts-"));
  writeFileSync(
    join(folder, "rules-a.yml"),
    "groups: [{name: g, rules: [{alert: Hot, expr: m > 85, for: 1m}, {alert: Odd, expr: m + 1 > 2}]}]",
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function hopperdeck(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "hopperdeck.cjs"), "alerts", ...args],
    {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, HOPPERDECK_CWD: folder, DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" },
    },
  );
  return { status, lines: stdout.trimEnd().split("\n"), stderr };
}

const testFile = (time: string) =>
  writeFileSync(
    join(folder, "tests.yml"),
    `rule_files: ["rules-*.yml"]
tests:
- input_series: [{series: m, values: 90x9}]
  alert_rule_test:
  - {eval_time: ${time}, alertname: Hot, exp_alerts: [{}]}
  - {eval_time: 1m, alertname: Odd}
`,
  );

test("rule tests: rule files are found beside the test, what passes and what was left out is counted", () => {
  testFile("1m");
  const { status, lines } = hopperdeck("test", "tests.yml");
  expect(status).toBe(0);
  expect(lines[0]).toBe('not taken: Odd (g): it calculates with "+" before it compares');
  expect(lines.at(-1)).toBe("1 passed, 0 failed, 1 not run");
});

test("rule tests: a failure says what was wanted and what came, and the status says so", () => {
  testFile("0m");
  const { status, lines } = hopperdeck("test", "tests.yml");
  expect(status).toBe(1);
  expect(lines).toContain('FAILED: test 1, Hot at 0 s: expected [[["alertname","Hot"]] []], got []');
  expect(lines.at(-1)).toBe("0 passed, 1 failed, 1 not run");
});

test("traces: the last line counts them, under either semantics", () => {
  const trace = (states: string[]) => ({ trace: ["90", "NaN", "_", "80"], states: { r: states } });
  const file = {
    step_seconds: 60,
    lookback_seconds: 300,
    expr: "m > 85",
    rules: [{ name: "r", for: 0, keep_firing_for: 0 }],
    cases: [trace(["firing", "inactive", "inactive", "inactive"]), trace(["firing", "firing", "firing", "inactive"])],
  };
  writeFileSync(join(folder, "cases.json"), JSON.stringify(file));
  const prometheus = hopperdeck("cases", "cases.json");
  expect([prometheus.status, prometheus.lines[0]]).toEqual([1, "case 1, r, step 1: expected firing, got inactive"]);
  expect(prometheus.lines.at(-1)).toBe("1 passed, 1 failed");
  const product = hopperdeck("cases", "cases.json", "--semantics", "product");
  expect(product.lines.at(-1)).toBe("1 passed, 1 failed");
  expect(product.lines[0]).toBe("case 0, r, step 1: expected inactive, got firing");
});

test.each([
  [["cases", "absent.json"], 1, "absent.json: there is no such file"],
  [["test", "rules-a.yml"], 1, ""],
  [["cases"], 2, "alerts wants test FILE or cases FILE."],
  [["judge", "x"], 2, "There is no command alerts judge."],
  [["cases", "x", "--semantics", "grafana"], 2, "--semantics is prometheus-2.42 or product."],
])("%j ends with %d", (args, status, words) => {
  const told = hopperdeck(...args);
  expect(told.status).toBe(status);
  expect(told.stderr).toContain(words);
});
