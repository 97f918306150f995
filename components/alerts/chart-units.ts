import type { Unit } from "@/components/charts/types";
import type { Unit as MetricUnit } from "@/lib/domain/telemetry/catalogue";

/** How a chart calls the unit of a metric. */
export const CHART_UNITS: Record<MetricUnit, Unit> = {
  percent: "percent",
  mebibytes: "mib",
  celsius: "celsius",
  watts: "watts",
  megahertz: "megahertz",
  count: "count",
  bits: "count",
};
