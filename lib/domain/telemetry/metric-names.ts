import { isWorkloadMetric, type WorkloadMetric } from "@/lib/domain/workload/catalogue";
import { ATTRIBUTES } from "./attributes";
import { type CountMetric, isMetric, METRICS, type Source, type Unit, type WideMetric } from "./catalogue";
import { isMappedAttribute, type MetricMapping } from "./metric-mapping";
import { THROTTLE_REASONS } from "./throttle";

export type Attribute = keyof typeof ATTRIBUTES | "memoryFreeMib";

/** What a series of a metrics page or of remote write says about a GPU, or beside it. */
export type Meaning = (
  | { kind: "metric"; metric: WideMetric | CountMetric; isZeroMissing: boolean; mayBeRatio: boolean }
  | { kind: "attribute"; attribute: Attribute }
  | { kind: "throttle"; bit: number }
  /** Only its labels count. */
  | { kind: "info" }
  | { kind: "xidGauge" }
  | { kind: "xidCount" }
  | { kind: "process" }
  | { kind: "processesAnswered" }
  | { kind: "workload"; metric: WorkloadMetric }
) & {
  multiply: number;
  divide: number;
  /** Of several names for one thing the lowest counts. */
  rank: number;
  /** Labels that the series must have. */
  where: readonly (readonly [string, string])[];
};

/** By the name of the series; several where labels tell them apart. */
export type Meanings = ReadonlyMap<string, readonly Meaning[]>;

type Kind = Meaning extends infer M
  ? M extends Meaning
    ? Omit<M, "multiply" | "divide" | "rank" | "where">
    : never
  : never;

class Names {
  readonly map = new Map<string, Meaning[]>();

  add(name: string, kind: Kind, rank = 0, multiply = 1, divide = 1, where: Meaning["where"] = []): void {
    // The spread of a union is not seen as a member of it.
    const meaning = { ...kind, multiply, divide, rank, where } as Meaning;
    const before = this.map.get(name);
    if (before) before.push(meaning);
    else this.map.set(name, [meaning]);
  }
}

/** How nvidia_gpu_exporter writes a unit into a name, and what it divides by to come into ours. */
const EXPORTER_UNITS: Readonly<Record<Unit, { suffix: string; multiply: number; divide: number }>> = {
  percent: { suffix: "_ratio", multiply: 100, divide: 1 },
  mebibytes: { suffix: "_bytes", multiply: 1, divide: 1_048_576 },
  megahertz: { suffix: "_clock_hz", multiply: 1, divide: 1_000_000 },
  watts: { suffix: "_watts", multiply: 1, divide: 1 },
  celsius: { suffix: "", multiply: 1, divide: 1 },
  count: { suffix: "", multiply: 1, divide: 1 },
  bits: { suffix: "", multiply: 1, divide: 1 },
};

const ATTRIBUTE_UNITS: Partial<Record<Attribute, Unit>> = { memoryTotalMib: "mebibytes", powerLimitW: "watts" };
/** The only ones that a number can say. */
const NUMERIC: readonly Attribute[] = [
  "index",
  "memoryTotalMib",
  "powerLimitW",
  "pstate",
  "migMode",
  "remappedCorrectable",
  "remappedUncorrectable",
  "remappedPending",
  "remappedFailure",
  "slowdownTemperatureC",
];

/** The fields of dcgm-exporter, the columns of nvidia_gpu_exporter and of Telegraf's nvidia_smi, and what nvidia_gpu_prometheus_exporter calls them. */
export const KNOWN_NAMES: Meanings = knownNames();

function knownNames(): Meanings {
  const names = new Names();
  for (const [metric, entry] of Object.entries(METRICS)) {
    if (!isMetric(metric) || !isStored(metric)) continue;
    for (const [rank, { field, scale, isZeroMissing }] of entry.dcgm.entries()) {
      const mayBeRatio = scale === 1 && field.endsWith("_RATIO");
      names.add(field, { kind: "metric", metric, isZeroMissing, mayBeRatio }, rank, scale);
    }
    addColumns(names, entry, entry.unit, { kind: "metric", metric, isZeroMissing: false, mayBeRatio: false });
  }
  for (const attribute of NUMERIC) {
    if (attribute === "memoryFreeMib") continue;
    const source: Source & { dcgm?: readonly string[] } = ATTRIBUTES[attribute];
    for (const [rank, field] of (source.dcgm ?? []).entries()) names.add(field, { kind: "attribute", attribute }, rank);
    addColumns(names, source, ATTRIBUTE_UNITS[attribute] ?? "count", { kind: "attribute", attribute });
  }
  for (const { bit, source } of THROTTLE_REASONS) addColumns(names, source, "count", { kind: "throttle", bit });
  names.add("DCGM_FI_DEV_FB_FREE", { kind: "attribute", attribute: "memoryFreeMib" });
  names.add("nvidia_smi_gpu_info", { kind: "info" });
  names.add("DCGM_FI_DEV_XID_ERRORS", { kind: "xidGauge" });
  names.add("DCGM_FI_DEV_XID_ERROR", { kind: "xidGauge" });
  names.add("DCGM_EXP_XID_ERRORS_COUNT", { kind: "xidCount" });
  names.add("nvidia_smi_compute_app_used_memory_bytes", { kind: "process" }, 0, 1, 1_048_576);
  names.add("nvidia_smi_compute_app_info", { kind: "process" }, 1, 0);
  names.add("nvidia_smi_compute_apps_last_collect_success", { kind: "processesAnswered" });
  addMapping(names, [
    { from: "nvidia_gpu_duty_cycle", to: "utilizationPct", scale: 1 },
    { from: "nvidia_gpu_memory_used_bytes", to: "memoryUsedMib", scale: 2 ** -20 },
    { from: "nvidia_gpu_memory_total_bytes", to: "memoryTotalMib", scale: 2 ** -20 },
    { from: "nvidia_gpu_temperature_celsius", to: "temperatureC", scale: 1 },
    { from: "nvidia_gpu_power_usage_milliwatts", to: "powerW", scale: 0.001 },
  ]);
  return names.map;
}

/** A column of nvidia-smi as a name: with the exporter's unit, and bare with nvidia-smi's own, as Telegraf has it. */
function addColumns(names: Names, { nvidiaSmi }: Source, unit: Unit, kind: Kind): void {
  const { suffix, multiply, divide } = EXPORTER_UNITS[unit];
  for (const [rank, column] of nvidiaSmi.entries()) {
    const name = `nvidia_smi_${column.replaceAll(".", "_")}`;
    if (suffix !== "") names.add(name + suffix, kind, 2 * rank, multiply, divide);
    names.add(name, kind, 2 * rank + 1);
  }
}

function isStored(metric: string): metric is WideMetric | CountMetric {
  return isMetric(metric) && METRICS[metric].kind !== "derived";
}

function addMapping(names: Names, mapping: MetricMapping): void {
  for (const { from, to, scale, labels } of mapping) {
    const kind = targetOf(to);
    // What a person wrote down comes before what we know.
    if (kind) names.add(from, kind, -1, scale, 1, Object.entries(labels ?? {}));
  }
}

function targetOf(to: string): Kind | null {
  if (isStored(to)) return { kind: "metric", metric: to, isZeroMissing: false, mayBeRatio: false };
  if (isMappedAttribute(to)) return { kind: "attribute", attribute: to };
  return isWorkloadMetric(to) ? { kind: "workload", metric: to } : null;
}

/** What is known, and a mapping beside it. */
export function namesWith(mapping: MetricMapping | null): Meanings {
  if (mapping === null || mapping.length === 0) return KNOWN_NAMES;
  const names = new Names();
  addMapping(names, mapping);
  for (const [name, meanings] of KNOWN_NAMES) if (!names.map.has(name)) names.map.set(name, [...meanings]);
  return names.map;
}

/** Whether an exporter of GPUs wrote it: what of that is not known here is left out, and never taken for another metric. */
export function isGpuName(name: string): boolean {
  return name.startsWith("DCGM_") || name.startsWith("nvidia_smi_") || name.startsWith("nvidia_gpu_");
}
