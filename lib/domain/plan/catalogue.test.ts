import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { parseDecimal } from "@/lib/domain/cost/decimal";
import { BUNDLED_QUOTES, CATALOGUE_DAY, CATALOGUE_SOURCES } from "./catalogue";
import { compareNeed, type Need } from "./comparison";
import { dealsOf } from "./deals";
import { likeOffer } from "./elsewhere";
import { gpuKind } from "./gpu-kind";
import { PLAN_GPUS } from "./gpus";
import { bookOn, multipleDoubts, type QuoteTier, skuKey, stateOf, usdText } from "./quotes";
import { offersFor } from "./sizing";
import { measuredDiscounts } from "./spot";
import { priceRanges } from "./workload-view";

function needOf(model: string, memoryGb: number, firmness: Need["firmness"]): Need {
  const none = parseDecimal("0");
  return {
    model,
    memoryGb,
    board: null,
    gpus: 1,
    hours: parseDecimal("1"),
    firmness,
    storageGib: none,
    egressGb: none,
    storageMicrosPerGibMonth: null,
    egressMicrosPerGb: null,
    lambdaStorageMicros: null,
  };
}

const COLUMN_OF: Partial<Record<QuoteTier, string>> = {
  spot: "spot_usd_h",
  reserved_1y: "reserved_1y_usd_h",
  reserved_3y: "reserved_3y_usd_h",
};

const file = resolve(process.env.SHARED_DIR ?? "../shared", "reference/price-catalog.csv");

describe("the bundled prices", () => {
  test("are some scores of rows with source, unit, tier and status, none after the day of the catalogue", () => {
    expect(BUNDLED_QUOTES.length).toBeGreaterThanOrEqual(60);
    const names = Object.values(CATALOGUE_SOURCES);
    for (const quote of BUNDLED_QUOTES) {
      expect(names).toContain(quote.source);
      expect(quote.micros).toBeGreaterThan(0n);
      expect(quote.gpus).toBeGreaterThan(0);
      expect((quote.asOf ?? "") <= CATALOGUE_DAY).toBe(true);
      expect(quote.asOf === null || !Number.isNaN(Date.parse(quote.asOf))).toBe(true);
    }
  });

  test("say each thing once: one dated price per SKU and source (S1-11)", () => {
    const keys = BUNDLED_QUOTES.map((quote) => `${skuKey(quote)}|${quote.region}|${quote.asOf}|${quote.source}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("have a day wherever their source has one, and are stale or rejected three months on", () => {
    const undated = BUNDLED_QUOTES.filter(({ asOf }) => asOf === null);
    expect([...new Set(undated.map(({ source }) => source))]).toEqual(
      [CATALOGUE_SOURCES.textnlp, CATALOGUE_SOURCES.fullStack].filter((source) =>
        undated.some((quote) => quote.source === source),
      ),
    );
    expect(undated.length).toBeLessThan(20);
    for (const quote of BUNDLED_QUOTES) {
      const isRejected = quote.status === "rejected";
      expect(stateOf(quote, "2026-11-21"), quote.id).toBe(isRejected ? "rejected" : "stale");
      if (quote.asOf !== null && !isRejected) expect(stateOf(quote, quote.asOf)).toBe(quote.status);
    }
  });

  test("a rejected one is in no comparison, no offer, no smaller machine and no discount", () => {
    const rejected = new Set(BUNDLED_QUOTES.filter(({ status }) => status === "rejected").map(({ id }) => id));
    expect(rejected.size).toBeGreaterThan(2);
    for (const day of ["2025-10-30", "2026-11-21"]) {
      const book = bookOn(BUNDLED_QUOTES, day);
      const kinds = new Map(
        BUNDLED_QUOTES.map(({ gpu, gpuMemoryGb }) => [`${gpu} ${gpuMemoryGb}`, { gpu, gpuMemoryGb }]),
      );
      for (const { gpu, gpuMemoryGb } of kinds.values()) {
        if (gpuMemoryGb === null) continue;
        for (const firmness of ["firm", "interruptible"] as const) {
          const { offers, base } = compareNeed(book, needOf(gpuKind(gpu).model, gpuMemoryGb, firmness), day);
          expect(base && rejected.has(base.quote.id)).not.toBe(true);
          for (const { quote, likeness, against } of offers)
            if (rejected.has(quote.id)) expect({ likeness, against }).toEqual({ likeness: "none", against: null });
        }
        expect(rejected.has(likeOffer(book, { gpu, memoryGb: gpuMemoryGb }, null)?.id ?? "")).toBe(false);
      }
      const without = book.filter(({ id }) => !rejected.has(id));
      for (const gpu of PLAN_GPUS) expect(offersFor(gpu, 8, book, day)).toEqual(offersFor(gpu, 8, without, day));
      expect(dealsOf(book, day)).toEqual(dealsOf(without, day));
      expect(priceRanges(book, day)).toEqual(priceRanges(without, day));
      expect(measuredDiscounts(book)).toEqual(measuredDiscounts(without));
    }
  });

  test("name a model for every card, and its processor", () => {
    expect(new Set(BUNDLED_QUOTES.map(({ gpu }) => gpuKind(gpu).model))).toEqual(
      new Set(["A100", "T4", "V100", "GH200", "A10", "A10G", "A6000", "H100", "H200", "B200", "L4", "L40S"]),
    );
    expect(gpuKind("NVIDIA GH200")).toEqual({ model: "GH200", board: null, architecture: "arm64" });
    expect(gpuKind("A100 (40 GB SXM4)")).toEqual({ model: "A100", board: "SXM", architecture: "x86_64" });
    expect(gpuKind("HGX H100")).toMatchObject({ model: "H100", board: "SXM" });
    expect(gpuKind("RTX 6000 Ada")).toMatchObject({ model: "RTX 6000 Ada" });
    expect(gpuKind("Abacus 1")).toMatchObject({ model: "Abacus 1", board: null });
  });

  test("S4-06: a price of 8 GPUs is held against 8 times the price of one, and the wrong one is rejected", () => {
    expect(multipleDoubts(BUNDLED_QUOTES).map(({ typeName, words }) => [typeName, words])).toContainEqual([
      "a2-highgpu-8g",
      "8 × $3.673 = $29.384, not $24.48",
    ]);
    const wrong = BUNDLED_QUOTES.filter(
      ({ typeName, micros }) => typeName === "a2-highgpu-8g" && micros === 24_480_000n,
    );
    expect(wrong.map(({ status }) => status)).toEqual(["rejected"]);
  });

  test("S0-15: the A10 never cost $2.49: it was $0.75 and is $1.29; $2.49 was the H100 PCIe", () => {
    const lambda = (typeName: string) =>
      BUNDLED_QUOTES.filter((quote) => quote.provider === "lambda" && quote.typeName === typeName).map(
        ({ asOf, micros }) => [asOf, usdText(micros)],
      );
    expect(lambda("gpu_1x_a10")).toEqual([
      ["2025-11-22", "$0.75"],
      ["2026-05-08", "$1.29"],
    ]);
    expect(lambda("gpu_1x_h100_pcie")).toContainEqual(["2025-11-22", "$2.49"]);
  });

  test("S0-05: the GH200 was $1.49 and is $2.29", () => {
    const gh200 = BUNDLED_QUOTES.filter(({ typeName }) => typeName === "gpu_1x_gh200");
    expect(gh200.map(({ asOf, micros }) => [asOf, usdText(micros)])).toEqual([
      ["2025-01-07", "$1.49"],
      ["2025-11-22", "$1.49"],
      ["2026-05-08", "$2.29"],
    ]);
  });

  test("S4-05, S4-08: what the documents print for AWS and Azure stands with its source, beside the dated lists", () => {
    const at = (typeName: string) =>
      BUNDLED_QUOTES.filter((quote) => quote.typeName === typeName && quote.tier === "on_demand").map(
        ({ asOf, micros }) => [asOf, usdText(micros)],
      );
    expect(at("g4dn.2xlarge")).toEqual([[null, "$0.752"]]);
    expect(at("p3.8xlarge")).toEqual([[null, "$12.24"]]);
    expect(at("p4d.24xlarge")).toEqual([
      [null, "$32.77"],
      ["2026-06-15", "$21.9576"],
      ["2023-10-30", "$32.77"],
    ]);
    expect(at("NC6s_v3")).toEqual([[null, "$3.168"]]);
    expect(at("Standard_NC24ads_A100_v4").map(([, usd]) => usd)).toEqual(["$3.40", "$3.672", "$3.673", "$3.67"]);
  });
});

/** Where the reference writes the unit of a price otherwise than it is meant, as its own note says. */
const UNIT_SAID_OTHERWISE = new Set(["aws|3.02", "gcp|3.67", "coreweave|2.06", "coreweave|4.76"]);

describe.skipIf(!existsSync(file))("against the reference", () => {
  type Row = Record<string, string>;
  const rows: Row[] = existsSync(file) ? parse(readFileSync(file, "utf8"), { columns: true }) : [];
  const exact = (text: string | undefined) => {
    if (!text) return null;
    const { numerator, denominator } = parseDecimal(text);
    return (numerator * 1_000_000n) / denominator;
  };

  test.each(BUNDLED_QUOTES.map((quote) => [`${quote.provider} ${quote.typeName} ${quote.asOf}`, quote] as const))(
    "%s",
    (_, quote) => {
      const column = COLUMN_OF[quote.tier] ?? "ondemand_usd_h";
      const unit = quote.unit === "gpu_component" ? "gpu component (excludes vCPU/RAM)" : quote.unit;
      const isOtherwise = UNIT_SAID_OTHERWISE.has(`${quote.provider}|${usdText(quote.micros).slice(1)}`);
      const same = rows.filter(
        (row) =>
          row.provider === quote.provider &&
          exact(row[column]) === quote.micros &&
          (row.as_of || null) === quote.asOf &&
          Number(row.gpu_count) === quote.gpus &&
          (row.price_unit === unit || isOtherwise) &&
          (row.gpu_mem_gb === "" || Number(row.gpu_mem_gb) === quote.gpuMemoryGb) &&
          gpuKind(row.gpu ?? "").model === gpuKind(quote.gpu).model,
      );
      expect(same.length).toBeGreaterThan(0);
    },
  );
});
