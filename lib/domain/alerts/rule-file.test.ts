import { describe, expect, it, test } from "vitest";
import { parse, stringify } from "yaml";
import { readRuleFiles } from "@/lib/domain/prometheus/rule-file";
import { coverageOf, RISKS } from "./coverage";
import { DEFAULT_PACK } from "./default-pack";
import { type Existing, entryOfPrometheus, planRules, RulesFile, ruleEntry } from "./rule-file";
import { NewAlertRule } from "./rule-input";

const house: Existing[] = DEFAULT_PACK.map(({ packKey, selector, ...rule }) => {
  const lists = Object.fromEntries(Object.entries(selector).map(([key, values]) => [key, [...(values ?? [])]]));
  return { ...rule, selector: lists, enabled: true, id: packKey };
});

describe("rules as a file", () => {
  const file = stringify({ version: 1, rules: house.map((rule) => ruleEntry(rule)) });
  const entries = () => RulesFile.parse(parse(file)).rules;

  test("what was written is taken back as it was: nothing changes", () => {
    const { diff, planned } = planRules(entries(), house);
    expect(planned).toEqual([]);
    expect(new Set(diff.changes.map(({ kind }) => kind))).toEqual(new Set(["same"]));
    expect(diff.untouched).toEqual([]);
  });

  test("a change names its fields with what they were and will be; a new rule is new; others stay", () => {
    const [first] = entries();
    const changed = { ...first, threshold: 77, forMinutes: 1 };
    const added = { ...first, name: "Mine" };
    const { diff, planned } = planRules([changed, added], house);
    expect(diff.changes).toEqual([
      { of: "rule", name: first?.name, kind: "changed", details: ["threshold: 90 → 77", "forMinutes: 10 → 1"] },
      { of: "rule", name: "Mine", kind: "new", details: [] },
    ]);
    expect(planned.map(({ id, input }) => [id, input.threshold])).toEqual([
      [house[0]?.id, 77],
      [null, 90],
    ]);
    expect(diff.untouched).toHaveLength(house.length - 1);
  });

  test("what cannot be a rule, what comes twice and what becomes another kind is refused", () => {
    const [first] = entries();
    const { diff, planned } = planRules(
      [
        { ...first, threshold: 900 },
        first ?? {},
        {
          name: house[1]?.name,
          kind: "money",
          metric: "spendTodayUsd",
          severity: "info",
          comparison: "above",
          threshold: 5,
        },
      ],
      house,
    );
    expect(diff.changes.map(({ kind, details }) => `${kind} ${details[0] ?? ""}`)).toEqual([
      "refused threshold: GPU utilisation lies between 0 % and 100 %",
      "same ",
      "refused kind: is gpu_metric, and what a rule looks at stays",
    ]);
    expect(planned).toEqual([]);
  });
});

describe("rules of Prometheus", () => {
  const entry = (expr: string, more: Record<string, unknown> = {}) => {
    const { taken } = readRuleFiles([{ groups: [{ name: "g", rules: [{ alert: "A", expr, ...more }] }] }]);
    const [rule] = taken;
    if (!rule) throw new Error("not taken");
    return entryOfPrometheus(rule);
  };
  const rule = (expr: string, more?: Record<string, unknown>) => {
    const made = entry(expr, more);
    if ("why" in made) throw new Error(made.why);
    return NewAlertRule.parse(made.entry);
  };

  test("one over our own metrics page becomes a rule about GPUs, in our units", () => {
    const made = rule('avg_over_time(hopperdeck_gpu_utilization_ratio{instance_name="gh-1"}[10m]) < 0.05', {
      for: "30m",
      labels: { severity: "critical", team: "ml" },
    });
    expect(made).toMatchObject({
      kind: "gpu_metric",
      metric: "utilizationPct",
      aggregate: "mean",
      windowMs: 600_000,
      threshold: 5,
      comparison: "below",
      forMs: 1_800_000,
      severity: "critical",
      labels: { team: "ml" },
    });
    expect(made.selector.instance).toEqual(["gh-1"]);
  });

  test("any other becomes a rule about a series by its name", () => {
    expect(rule('queue{job="a"} > 10')).toMatchObject({
      kind: "workload_metric",
      metric: "series",
      params: { name: "queue", labels: "job=a" },
      threshold: 10,
      severity: "warning",
    });
  });

  it.each([
    ["absent(m)", "absence is no rule of its own here"],
    ['m{a=~"b"} > 1', "only labels that are equal"],
    ['{__name__=~"m"} > 1', "it names no series"],
    ["stddev_over_time(m[5m]) > 1", "a window's stddev"],
  ])("%s is left out", (expr, why) => {
    const made = entry(expr);
    expect("why" in made && made.why).toContain(why);
  });
});

describe("coverage", () => {
  const rules = DEFAULT_PACK.map((one) => ({ ...one, enabled: true }));

  test("with the default rules no GPU of any workload is without a rule for silence, heat or broken parts", () => {
    for (const workload of ["training", "inference", "batch", "dev", "unknown"]) {
      const covered = coverageOf(rules, { workload });
      for (const key of ["silent", "heat", "throttle", "memory", "lost"] as const)
        expect(covered[key].length, `${workload} ${key}`).toBeGreaterThan(0);
    }
  });

  test("an inference server has no rule for full memory or idleness by default, and it is said", () => {
    const covered = coverageOf(rules, { workload: "inference" });
    expect(covered.full).toEqual([]);
    expect(covered.idle).toEqual([]);
    expect(covered.load).toContain("Inference GPU saturated");
  });

  test("a rule that is off, or looks elsewhere, covers nothing", () => {
    const off = rules.map((one) => ({ ...one, enabled: false }));
    expect(RISKS.every(({ key }) => coverageOf(off, { workload: "training" })[key].length === 0)).toBe(true);
    const far = rules.map((one) => ({ ...one, selector: { instance: ["another"] } }));
    expect(coverageOf(far, { instance: "this" }).silent).toEqual([]);
  });
});
