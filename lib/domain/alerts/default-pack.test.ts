import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { DEFAULT_PACK, type PackRule } from "./default-pack";
import { NewAlertRule } from "./rule-input";
import { hysteresisProblem, metricOf, selects } from "./rules";

const file = join(process.env.SHARED_DIR ?? "../shared", "reference/requirements-checklist.csv");
const skipped = existsSync(file) ? "" : ` (skipped: ${file} is absent)`;

function rule(packKey: string): PackRule {
  const found = DEFAULT_PACK.find((one) => one.packKey === packKey);
  if (!found) throw new Error(`no rule ${packKey}`);
  return found;
}

const on = (workload: string) => ({ workload });

describe("default rules", () => {
  test("keys are unique, and every rule is one that a person could have written", () => {
    expect(new Set(DEFAULT_PACK.map(({ packKey }) => packKey)).size).toBe(DEFAULT_PACK.length);
    for (const { packKey, forMs, keepFiringMs, intervalMs, windowMs, lookbackMs, ...columns } of DEFAULT_PACK) {
      const input = {
        ...columns,
        forMinutes: forMs / 60_000,
        keepFiringMinutes: keepFiringMs / 60_000,
        intervalSeconds: intervalMs / 1_000,
        windowMinutes: windowMs / 60_000,
        lookbackMinutes: lookbackMs === null ? "" : lookbackMs / 60_000,
      };
      const parsed = NewAlertRule.parse(input);
      const times = { forMs, keepFiringMs, intervalMs, windowMs, lookbackMs };
      expect({ packKey, ...parsed }).toEqual({ packKey, ...columns, ...times, enabled: true });
      expect(metricOf(columns.kind, columns.metric), packKey).not.toBeNull();
      expect(hysteresisProblem(columns.comparison, columns.threshold, columns.clearThreshold)).toBeNull();
      const { reason, action, runbook } = columns;
      expect(reason.length > 20 && action.length > 20 && runbook.startsWith("1. "), packKey).toBe(true);
    }
  });

  test("what is bad for training is not asked of inference, and the other way round", () => {
    const watches = (key: string, workload: string) => selects(rule(key).selector, on(workload));
    expect(watches("gpu-saturated", "inference")).toBe(true);
    expect(watches("gpu-saturated", "training")).toBe(false);
    expect(watches("training-starved", "training")).toBe(true);
    expect(watches("training-starved", "inference")).toBe(false);
    for (const key of ["vram-high", "vram-full"]) {
      expect(["training", "batch", "dev", "unknown"].every((workload) => watches(key, workload))).toBe(true);
      expect(watches(key, "inference")).toBe(false);
    }
    expect(watches("gpu-hot", "inference")).toBe(true);
  });

  test.skipIf(skipped !== "")(`thresholds are those of the requirements${skipped}`, () => {
    const rows: Record<string, string>[] = parse(readFileSync(file, "utf8"), { columns: true });
    const row = (id: string) => {
      const found = rows.find((one) => one.id === id);
      if (!found) throw new Error(`no row ${id}`);
      return found;
    };
    const minutes = ({ forMs }: PackRule) => forMs / 60_000;

    const saturated = rule("gpu-saturated");
    expect(row("S4-26").item).toContain(`> ${saturated.threshold} % for ${minutes(saturated)} min -> scale up`);
    expect(saturated.action).toMatch(/^Scale up/);
    expect(row("S3-01").computed_or_right_value).toContain(`alert when < ${rule("training-starved").threshold} %`);
    const high = rule("vram-high");
    expect(row("S4-27").item).toContain(`> ${high.threshold} % for ${minutes(high)} min`);
    const levels = `use ${high.threshold} % warning, ${rule("vram-full").threshold} % critical`;
    expect(row("S3-02").computed_or_right_value).toContain(levels);
    expect(row("S4-29").item).toContain(`> $${rule("spend-per-day").threshold}/day`);
    const latency = rule("latency-p95");
    expect(row("S4-28").computed_or_right_value).toContain(
      `${latency.threshold} warning, ${latency.params.critical} critical`,
    );
    expect(row("S3-03").stated).toBe(`> ${rule("task-success").threshold} %`);
    const limit = rule("task-soft-limit");
    const seconds = [Number(limit.params.critical) / 1_000, limit.threshold / 1_000];
    expect(row("S3-09").computed_or_right_value).toBe(seconds.map((one) => one.toLocaleString("en")).join(" / "));
  });
});
