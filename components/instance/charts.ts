import type { InstancePageQuestion } from "@/lib/domain/fleet/view";
import type { Metric } from "@/lib/domain/telemetry/catalogue";
import type { SeriesAsked } from "@/lib/domain/telemetry/view";

/** The metrics an instance's page draws, in its order. */
export const INSTANCE_CHARTS = [
  { metric: "memoryUsedMib", unit: "mib", title: "VRAM", height: 220, isWide: true },
  { metric: "utilizationPct", unit: "percent", title: "Utilisation", height: 118 },
  { metric: "powerW", unit: "watts", title: "Power", height: 118 },
  { metric: "temperatureC", unit: "celsius", title: "Temperature", height: 104 },
  { metric: "smClockMhz", unit: "megahertz", title: "SM clock", height: 104 },
] as const;

/** What a chart of the page asks: the machine, and a line for each of its GPUs. */
export function instanceSeries({ instanceId, ...window }: InstancePageQuestion, metric: Metric): SeriesAsked {
  return { ...window, metric, scope: `instance=${instanceId}`, by: "gpu" };
}
