import { METRICS, WIDE_METRICS, type WideMetric } from "@/lib/domain/telemetry/catalogue";

/** SQL names of the wide metrics, in catalogue order. They come from the catalogue alone, never from a request. */
export const WIDE_COLUMNS: readonly string[] = WIDE_METRICS.map((metric) => METRICS[metric].column);

export function columnOf(metric: WideMetric): string {
  return METRICS[metric].column;
}

/** A column of a sample beside its GPU and instant: a wide metric, or one of these. */
export type SampleColumn = WideMetric | "throttleReasons" | "eccUncorrected" | "missing" | "quality";

const OTHER_COLUMNS = {
  throttleReasons: { name: "throttle_reasons", type: "int4" },
  eccUncorrected: { name: "ecc_uncorrected", type: "int4" },
  missing: { name: "missing", type: "int8" },
  quality: { name: "quality", type: "int2" },
} as const;

/** All of them, in the order in which a chunk keeps them. */
export const SAMPLE_COLUMNS: readonly SampleColumn[] = [
  ...WIDE_METRICS,
  "throttleReasons",
  "eccUncorrected",
  "missing",
  "quality",
];

/** How a column is called and stored; `real` columns hold 32-bit floats, the others whole numbers. */
export function storageOf(column: SampleColumn): { name: string; type: "real" | "int2" | "int4" | "int8" } {
  return column in OTHER_COLUMNS
    ? OTHER_COLUMNS[column as keyof typeof OTHER_COLUMNS]
    : { name: columnOf(column as WideMetric), type: "real" };
}
