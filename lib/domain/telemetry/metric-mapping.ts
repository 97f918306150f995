import { z } from "zod";
import { isWorkloadMetric } from "@/lib/domain/workload/catalogue";
import { isMetric, METRICS } from "./catalogue";

/** What a series of another exporter can be mapped to, beside the metrics of the catalogue. */
const ATTRIBUTES = ["memoryTotalMib", "powerLimitW"] as const;
export type MappedAttribute = (typeof ATTRIBUTES)[number];

export function isMappedAttribute(name: string): name is MappedAttribute {
  return ATTRIBUTES.some((one) => one === name);
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]{0,199}$/;
const MOST_ENTRIES = 100;

const MappingEntry = z.strictObject({
  from: z.string().regex(NAME, "is no name of a metric, such as gpu_utilization"),
  to: z.string().refine(isTarget, {
    error: "is not known here; take a metric such as utilizationPct, memoryUsedMib, powerW or tokens_total",
  }),
  /** What the value is multiplied by to come into our unit. */
  scale: z
    .number("is no number")
    .refine((scale) => scale !== 0, "must not be 0")
    .default(1),
  /** Only series with exactly these labels among theirs. */
  labels: z.record(z.string().regex(NAME), z.string().max(200)).optional(),
});

/** Which metrics of a page mean what, beyond those that are known. */
export const MetricMapping = z
  .array(MappingEntry, 'is no list such as [{"from": "gpu_busy", "to": "utilizationPct"}]')
  .max(MOST_ENTRIES, `more than ${MOST_ENTRIES} entries`);
export type MetricMapping = z.output<typeof MetricMapping>;

function isTarget(name: string): boolean {
  return (isMetric(name) && METRICS[name].kind !== "derived") || isMappedAttribute(name) || isWorkloadMetric(name);
}
