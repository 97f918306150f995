import { KNOWN_NAMES } from "@/lib/domain/telemetry/metric-names";
import { recogniseWorkloadMetric } from "@/lib/domain/workload/catalogue";

/**
 * Servers of models, and our own. A Prometheus sends everything it has: a name such as `http_request_duration_seconds`, which
 * means a workload where somebody pushes it, is any web server's there.
 */
const WORKLOADS = /^(?:hopperdeck_|vllm:|sglang:|tgi_|nv_)/;

/** Whether a series of remote write is of use here, by its name. */
export function isWantedSeries(name: string): boolean {
  return KNOWN_NAMES.has(name) || (WORKLOADS.test(name) && recogniseWorkloadMetric(name) !== null);
}
