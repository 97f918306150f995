import { METRICS, WIDE_METRICS, type WideMetric } from "@/lib/domain/telemetry/catalogue";

/** SQL names of the wide metrics, in catalogue order. They come from the catalogue alone, never from a request. */
export const WIDE_COLUMNS: readonly string[] = WIDE_METRICS.map((metric) => METRICS[metric].column);

export function columnOf(metric: WideMetric): string {
  return METRICS[metric].column;
}

/** One stored sample. */
export type SampleRow = {
  gpuId: number;
  at: number;
  values: Record<WideMetric, number | null>;
  throttleReasons: number | null;
  eccUncorrected: number | null;
  missing: number | null;
  quality: number | null;
};
