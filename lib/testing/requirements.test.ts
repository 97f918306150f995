import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { hoursCost } from "@/lib/domain/cost/commitment";
import { decimalText, parseDecimal, signedPct } from "@/lib/domain/cost/decimal";
import { storageMicros } from "@/lib/domain/cost/storage";
import { estimateOf } from "@/lib/domain/cost/units";
import { formatUsd } from "@/lib/domain/format";
import { BENCHMARKS, costOf, REQUESTS } from "@/lib/domain/plan/benchmarks";
import { BUNDLED_QUOTES } from "@/lib/domain/plan/catalogue";
import { earlyLines } from "@/lib/domain/plan/early-stop";
import { PLAN_GPUS } from "@/lib/domain/plan/gpus";
import { bookOn, perGpu, usdText } from "@/lib/domain/plan/quotes";
import { environmentCosts, moveReturn } from "@/lib/domain/plan/scenario";
import { earlyStopPct, scheduleSavedPct } from "@/lib/domain/plan/simulate";
import { gpuOf, offersFor } from "@/lib/domain/plan/sizing";
import { SETTLED } from "./requirements";

const file = resolve(process.env.SHARED_DIR ?? "../shared", "reference/requirements-checklist.csv");
const skipped = existsSync(file) ? "" : " (skipped: the requirements' checklist is not here, see SHARED_DIR)";

type Row = { id: string; product_feature: string; computed_or_right_value: string; stated: string; item: string };
const rows: Row[] = existsSync(file) ? parse(readFileSync(file, "utf8"), { columns: true }) : [];

describe("the requirements' checklist", () => {
  test.skipIf(skipped !== "")(`each row that asks for something is settled, and no other${skipped}`, () => {
    const asked = rows.filter(({ product_feature }) => product_feature !== "-").map(({ id }) => id);
    expect(asked).toHaveLength(100);
    expect(Object.keys(SETTLED).sort()).toEqual(asked.sort());
  });

  test.each(Object.entries(SETTLED))("%s: what settles it stands where it is said to", (id, places) => {
    expect(places.length, id).toBeGreaterThan(0);
    for (const [path, words] of places) {
      expect(existsSync(path), `${id}: ${path}`).toBe(true);
      expect(readFileSync(path, "utf8").includes(words), `${id}: “${words}” in ${path}`).toBe(true);
    }
  });
});

const d = parseDecimal;
const usd = (hours: string, price: string, machines = 1n) =>
  formatUsd(hoursCost(d(hours), BigInt(Math.round(Number(price) * 1e6))) * machines);
const pct = (part: number, whole: number) =>
  `${decimalText(BigInt(Math.round(part * 1e6)) * 100n, BigInt(Math.round(whole * 1e6)), 1)} %`;
const month = (count: string, price: string, hours: string) =>
  environmentCosts({ one: { count: d(count), usdPerHour: d(price), hours: d(hours) } }).totalMicros;
const fitting = (gpu: string) => PLAN_GPUS.find(({ key }) => key === gpu);
/** What Lambda asked for a GPU-hour of a type on a day of the catalogue. */
const lambda = (typeName: string, day: string) => {
  const found = bookOn(BUNDLED_QUOTES, day).find((quote) => quote.provider === "lambda" && quote.typeName === typeName);
  if (!found) throw new Error(`${typeName} on ${day}`);
  return perGpu(found).numerator / perGpu(found).denominator;
};

/** By the product's own functions: the row, what is computed, what is right, and the words of the row that say so. */
const FIGURES: readonly (readonly [id: string, computed: () => string, right: string, inRow: string])[] = [
  ["S0-04", () => String(3 * (fitting("gh200")?.nominalGb ?? 0)), "288", "288"],
  ["S0-06", () => usd("720", "1.49"), "$1,072.80", "$1,072.80"],
  ["S0-07", () => usd("720", "1.49", 3n), "$3,218.40", "$3,218.40"],
  ["S0-07", () => usd("730", "1.49", 3n), "$3,263.10", "$3,263.10"],
  ["S0-07", () => usd("744", "1.49", 3n), "$3,325.68", "$3,325.68"],
  ["S0-08", () => usd("720", "2.49"), "$1,792.80", "$1,792.80"],
  ["S0-09", () => usd("720", "1.00", 3n), "$2,160.00", "$2,160.00"],
  ["S0-10", () => signedPct(-100n, 249n, 2) ?? "", "-40.16", "40.16"],
  ["S0-10", () => signedPct(-20n, 249n, 2) ?? "", "-8.03", "8.03"],
  [
    "S0-11",
    () => pct((fitting("h200")?.nominalGb ?? 0) - (fitting("gh200")?.nominalGb ?? 0), fitting("h200")?.nominalGb ?? 1),
    "31.9 %",
    "31.9 %",
  ],
  ["S0-14", () => ((fitting("gh200")?.nominalGb ?? 0) / (fitting("a10")?.nominalGb ?? 1)).toFixed(1), "4.0", "4.0 x"],
  ["S1-01", () => usd("12", "1.29"), "$15.48", "15.48"],
  [
    "S1-12",
    () =>
      earlyLines()
        .map(({ figure }) => figure.value)
        .slice(0, 3)
        .join(" "),
    "$10.84 $7.74 $7.59",
    "($10.84)",
  ],
  ["S1-13", () => Object.values(earlyStopPct(10, 5, 2)).join(".."), "50..80", "50..80"],
  ["S1-16", () => usdText(storageMicros(50n * 2n ** 30n * 12n, 200_000n)), "$0.166667", "$0.1667"],
  ["S1-17", () => formatUsd(storageMicros(50n * 2n ** 30n * 720n, 200_000n)), "$10.00", "$10.00"],
  [
    "S1-18",
    () => [13_932_000n, 17_028_000n, 17_030_000n].map((cost) => estimateOf(15_480_000n, cost)?.isGood).join(),
    "true,true,false",
    "13.932 .. 17.028",
  ],
  [
    "S2-04",
    () =>
      usdText(
        offersFor(gpuOf("h100-sxm"), 1, bookOn(BUNDLED_QUOTES, "2026-05-30"), "2026-05-30")
          .filter(({ provider }) => provider === "lambda")
          .map(({ hourMicros }) => BigInt(hourMicros))[0] ?? 0n,
      ),
    "$4.29",
    "4.29",
  ],
  [
    "S2-10",
    () => {
      const move = moveReturn({
        monthlyUsd: d("15000"),
        machineUsdPerHour: d("32.77"),
        gpusPerMachine: d("8"),
        speedup: d("1.64"),
        targetUsdPerGpuHour: d("2.99"),
        setupHours: d("8"),
        setupUsdPerHour: d("200"),
        migrationUsd: null,
      });
      return [move?.targetMonthlyMicros ?? 0n, move?.monthlySavingMicros ?? 0n, move?.annualSavingMicros ?? 0n]
        .map(formatUsd)
        .join(" ");
    },
    "$6,676.24 $9,923.76 $119,085.08",
    "$119,085.08",
  ],
  [
    "S2-11",
    () => usdText(lambda("gpu_1x_h100_sxm5", "2026-05-30") - lambda("gpu_1x_a100_sxm4", "2026-05-30")),
    "$2.30",
    "+2.30",
  ],
  ["S4-12", () => formatUsd(month("2", "0.526", "176")), "$185.15", "$185.15"],
  ["S4-13", () => formatUsd(month("1", "3.060", "88")), "$269.28", "$269.28"],
  ["S4-14", () => formatUsd(month("3", "0.752", "720")), "$1,624.32", "$1,624.32"],
  ["S4-15", () => formatUsd(month("1", "32.770", "96")), "$3,145.92", "$3,145.92"],
  [
    "S4-16",
    () =>
      usdText(
        month("2", "0.526", "176") +
          month("1", "3.060", "88") +
          month("3", "0.752", "720") +
          month("1", "32.770", "96"),
      ),
    "$5224.672",
    "$5,224.672",
  ],
  [
    "S4-18",
    () => `${scheduleSavedPct(176, 720).toFixed(1)} ${scheduleSavedPct(88, 720).toFixed(1)}`,
    "75.6 87.8",
    "75.6 %",
  ],
  [
    "S4-20",
    () =>
      BENCHMARKS.slice(0, 4)
        .map(({ tokensPerSecond, usdPerHour }) => formatUsd(costOf(100_000_000, tokensPerSecond, usdPerHour)))
        .join(" "),
    "$5.84 $70.83 $127.53 $170.05",
    "5.84 / 70.83 / 127.53 / 170.05",
  ],
  ["S4-25", () => usdText(costOf(REQUESTS, 150, "0.526")), "$0.974074", "C51"],
  ["S4-29", () => `${usd("24", "2.29", 3n)} ${Math.ceil(1000 / (2.29 * 24))}`, "$164.88 19", "$164.88"],
  [
    "S4-33",
    () =>
      ["t4", "v100-16", "a100-40", "h100-sxm"]
        .map((key) => `${fitting(key)?.cudaCores}/${fitting(key)?.tensorCores}`)
        .join(" "),
    "2560/320 5120/640 6912/432 16896/528",
    "16,896/528",
  ],
];

describe("figures of the requirements, computed", () => {
  test.each(FIGURES.map(([id, computed, right, inRow]) => ({ id, computed, right, inRow })))(
    "$id is $right",
    ({ id, computed, right, inRow }) => {
      expect(computed()).toBe(right);
      const row = rows.find((one) => one.id === id);
      if (row)
        expect(`${row.computed_or_right_value} ${row.stated} ${row.item} ${row.product_feature}`).toContain(inRow);
    },
  );
});
