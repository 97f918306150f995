import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DISTRIBUTED_METRICS, isMetric, METRICS, memoryUsedPct, WIDE_METRICS } from "./catalogue";

const migration = readdirSync("prisma/migrations").find((name) => name.endsWith("_first"));
const sql = readFileSync(`prisma/migrations/${migration}/migration.sql`, "utf8");
const reference = join(process.env.SHARED_DIR ?? "../shared", "reference/dcgm-metrics.md");
const skipped = existsSync(reference) ? "" : ` (skipped: ${reference} is absent)`;

function realColumns(table: string): string[] {
  const body = new RegExp(`CREATE TABLE ${table} \\(([\\s\\S]*?)\\n\\)`).exec(sql)?.[1] ?? "";
  return [...body.matchAll(/^ {2}(\w+) real/gm)].map((match) => match[1] ?? "");
}

describe("the metric catalogue", () => {
  test.each(["gpu_sample"])("its wide metrics are the columns of %s, in their order", (table) => {
    expect(WIDE_METRICS.map((metric) => METRICS[metric].column)).toEqual(realColumns(table));
  });

  test("gpu_hour has a sum, a count and both ends of each", () => {
    for (const metric of WIDE_METRICS) {
      for (const part of ["sum", "min", "max", "n"]) expect(sql).toContain(`  ${METRICS[metric].column}_${part} `);
    }
  });

  test("no two entries share a column or a distribution", () => {
    const columns = Object.values(METRICS).map((entry) => entry.column);
    expect(new Set(columns).size).toBe(columns.length);
    // The numbers are what storage keeps: none may change or be used again.
    const ids = DISTRIBUTED_METRICS.map((metric) => [METRICS[metric].distribution?.id, metric]);
    expect(ids.sort()).toEqual([
      [0, "utilizationPct"],
      [1, "memoryUsedPct"],
      [2, "memoryBusyPct"],
      [3, "temperatureC"],
      [4, "memoryTemperatureC"],
      [5, "powerW"],
      [6, "smActivePct"],
      [7, "tensorActivePct"],
      [8, "dramActivePct"],
    ]);
  });

  test("every bin of a distribution lies within the range of its metric", () => {
    for (const { distribution: spec, min, max } of Object.values(METRICS)) {
      if (spec === null) continue;
      expect(spec.lower).toBe(min);
      expect(spec.lower + (spec.count - 1) * spec.width).toBe(max);
    }
  });

  test.skipIf(skipped !== "")(`its DCGM names are names of DCGM${skipped}`, () => {
    const known = readFileSync(reference, "utf8");
    for (const { dcgm } of Object.values(METRICS)) {
      for (const { field } of dcgm) expect(known).toContain(field);
    }
  });

  test("only its own names are metrics", () => {
    expect(["powerW", "memoryUsedPct", "toString", "__proto__", ""].map(isMetric)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test.each([
    [19_818, 81_559, 24.299],
    [0, 97_871, 0],
    [97_872, 97_871, 100],
    [null, 97_871, null],
    [5, null, null],
    [5, 0, null],
  ])("%s of %s MiB is %s %%", (used, total, pct) => {
    const actual = memoryUsedPct(used, total);
    if (pct === null) expect(actual).toBeNull();
    else expect(actual).toBeCloseTo(pct, 3);
  });
});
