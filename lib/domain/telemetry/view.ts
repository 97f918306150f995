import { z } from "zod";
import { WindowQuestion } from "@/lib/domain/fleet/view";
import { isMetric, type Metric } from "./catalogue";

const MetricName = z.string().refine(isMetric, "is not a metric of the catalogue");

export const InstanceSeriesQuestion = WindowQuestion.extend({ instanceId: z.uuid(), metric: MetricName });
export type InstanceSeriesQuestion = z.output<typeof InstanceSeriesQuestion>;

export const FleetSeriesQuestion = WindowQuestion.extend({ metric: z.enum(["utilizationPct", "memoryUsedPct"]) });
export type FleetSeriesQuestion = z.output<typeof FleetSeriesQuestion>;

export type Columns = { mean: (number | null)[]; min: (number | null)[]; max: (number | null)[] };

export type SeriesAnswer = {
  metric: Metric;
  from: number;
  to: number;
  stepMs: number;
  at: number[];
  /** All GPUs of the machine together. */
  all: Columns;
  /** One line per GPU where there are several. */
  gpus: { id: number; position: number; mean: (number | null)[] }[];
};

export type FleetSeriesAnswer = {
  metric: Metric;
  from: number;
  to: number;
  stepMs: number;
  at: number[];
  mean: (number | null)[];
  min: (number | null)[];
  p95: (number | null)[];
  lines: { id: string; name: string; mean: (number | null)[] }[];
  /** Machines beyond those drawn. */
  hidden: number;
};
