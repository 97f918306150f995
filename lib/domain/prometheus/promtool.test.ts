import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { PROMETHEUS_2_42 } from "@/lib/domain/alerts/semantics";
import { trackOf } from "@/lib/domain/alerts/track";
import { readRuleFiles } from "./rule-file";
import { type NamedTrack, RuleRun } from "./rule-tests";
import { parseSeriesNotation } from "./series-notation";

const PROMTOOL = [process.env.PROMTOOL, ".data/bench/peers/usr/bin/promtool", "/usr/bin/promtool"].find(
  (file) => file !== undefined && existsSync(file),
);
const skipped = PROMTOOL === undefined ? " (skipped: promtool is not installed)" : "";

const MINUTE = 60_000;
const STEPS = 30;

/** A generator of its own, so that a difference can be found again. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

const EXPRESSIONS = [
  "m > 85",
  "m >= 85",
  "85 < m",
  "m <= 1e2",
  "m == 90",
  "m != 90",
  'm{gpu=~"[01]"} > 0x50',
  'm{gpu!="1",host=""} > 85',
  "absent(m)",
  'absent(m{gpu="0"})',
  'absent_over_time(m{gpu="1"}[3m])',
  "avg_over_time(m[5m]) > 85",
  "min_over_time(m[3m]) > 85",
  "max_over_time(m[3m]) < 90",
  "sum_over_time(m[4m]) > 300",
  "count_over_time(m[5m]) < 4",
  "last_over_time(m[10m]) > 85",
  "quantile_over_time(0.95, m[5m]) > 89",
  "stddev_over_time(m[5m]) > 3",
  "rate(m[5m]) > 0.02",
  "increase(m[7m]) > 100",
  "delta(m[5m]) > 4.9",
  "changes(m[6m]) >= 3",
  "resets(m[6m]) > 0",
  'm > 85 or (m > 80 and ignoring(alertname, alertstate, severity, card) ALERTS{alertname="NAME", alertstate="firing"})',
];
const TIMES = [
  ["0s", "0s"],
  ["1m", "0s"],
  ["30s", "2m"],
  ["3m", "1m"],
] as const;
const TEMPLATES = [
  "{{ $value }}",
  '{{ $labels.gpu }} is {{ $value | humanize }} of {{ .Value | printf "%.2f" }}',
  "plain",
];

const RULES = EXPRESSIONS.flatMap((expr, e) =>
  TIMES.map(([forText, keep], t) => {
    const alert = `R${e}_${t}`;
    return {
      alert,
      expr: expr.replace("NAME", alert),
      for: forText,
      keep_firing_for: keep,
      labels: { severity: "warning", card: "{{ $labels.gpu }}" },
      annotations: { text: TEMPLATES[(e + t) % TEMPLATES.length] ?? "" },
    };
  }),
);

function randomValues(random: () => number): string {
  const words = [
    "80",
    "85",
    "86",
    "90",
    "90",
    "90",
    "100.5",
    "82",
    "_",
    "stale",
    "NaN",
    "Inf",
    "-Inf",
    "1234567",
    "0.00001",
  ];
  const pick = () => words[Math.floor(random() * (random() < 0.6 ? 8 : words.length))] ?? "_";
  const items: string[] = [];
  for (let n = 0; n < STEPS; ) {
    const shape = random();
    const count = 1 + Math.floor(random() * 5);
    if (shape < 0.15) items.push(`_x${count}`);
    else if (shape < 0.3) items.push(`80+0.1x${count}`);
    else if (shape < 0.4) items.push(`90-3x${count}`);
    else if (shape < 0.6) items.push(`90x${count}`);
    else items.push(pick());
    n += shape < 0.15 ? count : shape < 0.6 ? count + 1 : 1;
  }
  return items.join(" ");
}

test.skipIf(skipped !== "")(`promtool 2.42 judges random series as this evaluator does${skipped}`, () => {
  const random = seeded(Number(process.env.PROMTOOL_SEED ?? 20_261_121));
  const { taken, left } = readRuleFiles([{ groups: [{ name: "g", rules: RULES }] }]);
  expect(left).toEqual([]);
  const tests = Array.from({ length: 5 }, () => {
    const inputs = [
      { series: 'm{gpu="0"}', values: randomValues(random) },
      { series: 'm{gpu="1"}', values: randomValues(random) },
      { series: "other", values: "1x40" },
    ];
    const series: NamedTrack[] = inputs.map(({ series: name, values }) => {
      const { samples, ...rest } = parseSeriesNotation(name, values, MINUTE);
      return { ...rest, track: trackOf(samples) };
    });
    const runs = taken.map((rule) => new RuleRun(rule, series, PROMETHEUS_2_42(), MINUTE, {}, ""));
    const alert_rule_test = Array.from({ length: STEPS + 8 }, (_, i) => {
      for (const run of runs) run.step(i * MINUTE);
      return runs.map((run) => ({
        eval_time: `${i}m`,
        alertname: run.rule.alert,
        exp_alerts: run.firing().map((alert) => {
          if (alert === null) throw new Error(`${run.rule.alert} cannot be written`);
          const { alertname: _, ...labels } = alert.labels;
          return { exp_labels: labels, exp_annotations: alert.annotations };
        }),
      }));
    }).flat();
    return { interval: "1m", input_series: inputs, alert_rule_test };
  });
  expect(tests.flatMap((one) => one.alert_rule_test).filter((one) => one.exp_alerts.length > 0).length).toBeGreaterThan(
    500,
  );

  const folder = mkdtempSync(path.join(tmpdir(), "hopperdeck-promtool-"));
  try {
    // JSON is YAML.
    writeFileSync(path.join(folder, "rules.yml"), JSON.stringify({ groups: [{ name: "g", rules: RULES }] }));
    const file = path.join(folder, "tests.yml");
    writeFileSync(file, JSON.stringify({ rule_files: ["rules.yml"], evaluation_interval: "1m", tests }));
    expect(promtool(file)).toMatch(/SUCCESS/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function promtool(file: string): string {
  try {
    return execFileSync(PROMTOOL ?? "", ["test", "rules", file], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: 1e9,
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}${stderr}`.slice(0, 4_000);
  }
}
