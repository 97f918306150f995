import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { DEFAULT_PACK } from "@/lib/domain/alerts/default-pack";
import { PROMETHEUS_2_42 } from "@/lib/domain/alerts/semantics";
import { trackOf } from "@/lib/domain/alerts/track";
import { type ExportedRule, exportRules } from "./export";
import { readRuleFiles } from "./rule-file";
import { RuleRun } from "./rule-tests";
import { parseSeriesNotation } from "./series-notation";

const MINUTE = 60_000;
const RULE: ExportedRule = {
  name: "Hot",
  kind: "gpu_metric",
  metric: "temperatureC",
  severity: "warning",
  selector: {},
  aggregate: "last",
  windowMs: 0,
  comparison: "at_least",
  threshold: 83,
  clearThreshold: null,
  forMs: 2 * MINUTE,
  keepFiringMs: MINUTE,
  intervalMs: MINUTE,
  noData: "unknown",
  params: {},
  labels: { team: "ml" },
  reason: "It is hot.",
  action: "Look.",
};
const exported = (over: Partial<ExportedRule>) => exportRules([{ ...RULE, ...over }]);
const expr = (over: Partial<ExportedRule>) => exported(over).file.groups[0]?.rules[0]?.expr;

const PROMTOOL = [process.env.PROMTOOL, ".data/bench/peers/usr/bin/promtool", "/usr/bin/promtool"].find(
  (file) => file !== undefined && existsSync(file),
);
const skipped = PROMTOOL === undefined ? " (skipped: promtool is not installed)" : "";

test("thresholds are in the unit of the series, selectors are matchers, windows are functions", () => {
  expect(expr({})).toBe("hopperdeck_gpu_temperature_celsius >= 83");
  expect(expr({ metric: "utilizationPct", comparison: "above", threshold: 90 })).toBe(
    "hopperdeck_gpu_utilization_ratio > 0.9",
  );
  expect(expr({ selector: { instance: ["gh-1", "gh.2"] } })).toBe(
    'hopperdeck_gpu_temperature_celsius{instance_name=~"gh-1|gh\\\\.2"} >= 83',
  );
  expect(expr({ aggregate: "p95", windowMs: 10 * MINUTE })).toBe(
    "quantile_over_time(0.95, hopperdeck_gpu_temperature_celsius[10m]) >= 83",
  );
});

test("what PromQL cannot say is left out with its reason", () => {
  const why = (over: Partial<ExportedRule>) => exported(over).left[0]?.why;
  expect(why({ selector: { workload: ["training"] } })).toBe("its series do not carry the workload that it asks for");
  expect(why({ params: { critical: 90 } })).toBe("one alert of two levels has no words in PromQL");
  expect(why({ metric: "effectiveUtilizationPct" })).toBe("its metric is in no series of the metrics page");
  expect(why({ noData: "alert" })).toMatch(/silence/);
  const { file, left } = exportRules(DEFAULT_PACK);
  expect(file.groups.flatMap(({ rules }) => rules).length + left.length).toBe(DEFAULT_PACK.length);
});

const RULES: ExportedRule[] = [
  RULE,
  { ...RULE, name: "Held", clearThreshold: 80, forMs: MINUTE },
  { ...RULE, name: "Mean", aggregate: "mean", windowMs: 3 * MINUTE, comparison: "above", threshold: 82 },
  { ...RULE, name: "Peak", aggregate: "p95", windowMs: 4 * MINUTE, keepFiringMs: 0, forMs: 0 },
  { ...RULE, name: "Cold", comparison: "below", threshold: 40, forMs: 0, selector: { instance: ["gh-1"] } },
];
const SERIES = [
  {
    series: 'hopperdeck_gpu_temperature_celsius{instance_name="gh-1",gpu="0"}',
    values: "70 83x4 82x2 79 85 84 81x3 90x5 _x3 30x2 95x4",
  },
  {
    series: 'hopperdeck_gpu_temperature_celsius{instance_name="gh-2",gpu="0"}',
    values: "84x3 60 84x9 20x3 stale 84x9",
  },
];

test("an exported file is taken back as the same rules", () => {
  const { taken, left } = readRuleFiles([exportRules(RULES).file]);
  expect(left).toEqual([]);
  expect(
    taken.map(({ alert, forMs, keepFiringMs, expr: { threshold, clearThreshold, comparison, over } }) => ({
      name: alert,
      forMs,
      keepFiringMs,
      threshold,
      clearThreshold,
      comparison,
      windowMs: over.windowMs,
    })),
  ).toEqual(
    RULES.map(({ name, forMs, keepFiringMs, threshold, clearThreshold, comparison, windowMs }) => ({
      name,
      forMs,
      keepFiringMs,
      threshold,
      clearThreshold,
      comparison,
      windowMs,
    })),
  );
});

test.skipIf(skipped !== "")(`promtool judges exported rules on the same series the same way${skipped}`, () => {
  const { file } = exportRules(RULES);
  const { taken } = readRuleFiles([file]);
  const tracks = SERIES.map(({ series, values }) => {
    const { samples, ...rest } = parseSeriesNotation(series, values, MINUTE);
    return { ...rest, track: trackOf(samples) };
  });
  const runs = taken.map((rule) => new RuleRun(rule, tracks, PROMETHEUS_2_42(), MINUTE, {}, ""));
  let fired = 0;
  const alert_rule_test = Array.from({ length: 30 }, (_, i) => {
    for (const run of runs) run.step(i * MINUTE);
    return runs.map((run) => ({
      eval_time: `${i}m`,
      alertname: run.rule.alert,
      exp_alerts: run.firing().map((alert) => {
        fired++;
        const { alertname: _, ...labels } = alert?.labels ?? {};
        return { exp_labels: labels, exp_annotations: alert?.annotations };
      }),
    }));
  }).flat();
  expect(fired).toBeGreaterThan(40);
  const folder = mkdtempSync(path.join(tmpdir(), "hopperdeck-export-"));
  try {
    writeFileSync(path.join(folder, "rules.yml"), stringify(file));
    const tests = {
      rule_files: ["rules.yml"],
      evaluation_interval: "1m",
      tests: [{ interval: "1m", input_series: SERIES, alert_rule_test }],
    };
    writeFileSync(path.join(folder, "tests.yml"), stringify(tests));
    const told = execFileSync(PROMTOOL ?? "", ["test", "rules", path.join(folder, "tests.yml")], { encoding: "utf8" });
    expect(told).toMatch(/SUCCESS/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
