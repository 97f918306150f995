import { gpuSeries } from "@/lib/domain/metrics/families";
import { type CountMetric, isMetric, METRICS, type WideMetric } from "@/lib/domain/telemetry/catalogue";

export type Series = { name: string; factor: number };

/** The series of our own metrics page in which a metric of GPUs is exposed; null: it is in none. */
export function gpuSeriesOf(metric: string): Series | null {
  if (!isMetric(metric) || METRICS[metric].kind === "derived") return null;
  return gpuSeries(metric as WideMetric | CountMetric);
}

/** The metric of such a series; null: it is not one of ours. */
export function gpuMetricOf(series: string): { metric: string; factor: number } | null {
  for (const metric of Object.keys(METRICS)) {
    const found = gpuSeriesOf(metric);
    if (found?.name === series && metric !== "throttleReasons") return { metric, factor: found.factor };
  }
  return null;
}
