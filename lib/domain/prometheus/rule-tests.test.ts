import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { PRODUCT_SEMANTICS } from "@/lib/domain/alerts/semantics";
import { readRuleFiles } from "./rule-file";
import { RuleTestFile, runRuleTests } from "./rule-tests";

const folder = path.join(process.env.SHARED_DIR ?? "../shared", "cases/alerts");
const skipped = existsSync(folder) ? "" : ` (skipped: ${folder} is absent)`;
const yaml = (text: string): unknown => parse(text, { schema: "failsafe" });

const RULES = yaml(`
groups:
- name: g
  rules:
  - record: job:up:sum
    expr: sum(up)
  - alert: Down
    expr: up{job=~"a|b"} == 0
    for: 2m
    labels: {severity: critical}
    annotations: {summary: "{{ $labels.instance }} is {{ $value }}"}
  - alert: Gone
    expr: absent(up{job="c", zone="z"})
  - alert: Recorded
    expr: job:up:sum < 1
  - alert: Moving
    expr: up > 0
    labels: {level: "{{ $value }}"}
  - alert: Asks
    expr: up > 0
    annotations: {text: '{{ query "up" }}'}
`);
const rules = readRuleFiles([RULES]);

const results = (text: string, semantics?: Parameters<typeof runRuleTests>[2]) =>
  runRuleTests(RuleTestFile.parse(yaml(text)), rules, semantics).map(
    ({ alert, at, result, why }) => `${alert} ${at / 60_000} ${result}${why === null ? "" : `: ${why}`}`,
  );

test("what is left out is named with its reason", () => {
  expect(rules.left.map(({ name, why }) => `${name}: ${why}`)).toEqual([
    "job:up:sum: it records a series and raises no alert",
    "Recorded: it looks at a series that another rule records",
    "Moving: its labels change with the value, and with them the alert",
  ]);
});

test("labels and annotations count; alerts between two evaluations are those of the earlier one", () => {
  const file = (expected: string) => `
tests:
- interval: 1m
  input_series:
  - {series: 'up{job="a",instance="x"}', values: '0x9'}
  - {series: 'up{job="other"}', values: '0x9'}
  alert_rule_test:
  - {eval_time: 119s, alertname: Down}
  - eval_time: 2m30s
    alertname: Down
    exp_alerts:
    - exp_labels: {severity: critical, job: a, instance: x}
      exp_annotations: {summary: ${expected}}
  - {eval_time: 1m, alertname: Gone, exp_alerts: [{exp_labels: {job: c, zone: z}}]}
`;
  expect(results(file('"x is 0"'))).toEqual(["Gone 1 passed", "Down 1.9833333333333334 passed", "Down 2.5 passed"]);
  expect(results(file('"x is 1"'))[2]).toMatch(/^Down 2.5 failed: expected .*x is 1.* got .*x is 0/);
});

test("an assertion on a rule that was left out, on a template that is not read, or on an expression is not run", () => {
  const told = results(`
tests:
- input_series: [{series: up, values: 1x5}]
  alert_rule_test:
  - {eval_time: 1m, alertname: Recorded}
  - {eval_time: 1m, alertname: Asks, exp_alerts: [{}]}
  promql_expr_test: [{expr: up, eval_time: 1m}]
`);
  expect(told.map((one) => one.replace(/:.*/, ""))).toEqual([
    "Recorded 1 not_run",
    "Asks 1 not_run",
    "promql_expr_test 0 not_run",
  ]);
});

test("two series that make one alert are an error, as in Prometheus", () => {
  const told = results(`
tests:
- input_series: [{series: 'up{job="a"}', values: 0x5}, {series: '{__name__="up",job="a"}', values: 0x5}]
  alert_rule_test: [{eval_time: 1m, alertname: Down}]
`);
  expect(told[0]).toMatch(/^Down 1 failed: two series make alerts of the same labels/);
});

test("under the product's semantics a machine that falls silent keeps its alert", () => {
  const file = `
tests:
- input_series: [{series: 'up{job="a"}', values: '0x3 _x20'}]
  alert_rule_test: [{eval_time: 20m, alertname: Down, exp_alerts: [{exp_labels: {job: a, severity: critical}, exp_annotations: {summary: " is 0"}}]}]
`;
  expect(results(file, PRODUCT_SEMANTICS(60_000))).toEqual(["Down 20 passed"]);
  expect(results(file)[0]).toMatch(/^Down 20 failed/);
});

test("what is no such file is refused", () => {
  expect(() => RuleTestFile.parse(yaml("tests: [{alert_rule_test: [{eval_time: soon, alertname: A}]}]"))).toThrow(
    "is no duration",
  );
  expect(() => readRuleFiles([yaml("groups: [{name: g, rules: [{alert: A}]}]")])).toThrow("must be a text");
});

test.skipIf(skipped !== "")(`the recorded edge cases pass for every rule that is taken${skipped}`, () => {
  const read = (file: string) => yaml(readFileSync(path.join(folder, file), "utf8"));
  const tests = RuleTestFile.parse(read("edge-tests.yml"));
  const edge = readRuleFiles(tests.rule_files.map(read));
  const told = runRuleTests(tests, edge);
  expect(told.filter(({ result }) => result === "failed")).toEqual([]);
  expect(told.filter(({ result }) => result === "passed").length).toBeGreaterThanOrEqual(44);
  expect(edge.left.map(({ name }) => name)).toEqual(["StaleExporter"]);
});
