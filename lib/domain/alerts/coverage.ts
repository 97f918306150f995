import type { RuleKind } from "./rules";
import { type Selector, type SelectorTarget, selects } from "./selector";

/** What can go wrong with a GPU, and the metrics of rules that would see it. */
export const RISKS = [
  { key: "silent", label: "Falls silent", sees: ["telemetry.silentMs", "telemetry.overdueMs"] },
  {
    key: "idle",
    label: "Idle and paid",
    sees: ["money.emptyMs", "money.heldMs", "gpu_metric.effectiveUtilizationPct"],
  },
  {
    key: "heat",
    label: "Heat",
    sees: ["gpu_metric.slowdownMarginC", "gpu_metric.temperatureC", "gpu_metric.thermalThrottled"],
  },
  { key: "throttle", label: "Slowed down", sees: ["gpu_metric.hardwareThrottled", "gpu_metric.thermalThrottled"] },
  {
    key: "memory",
    label: "Broken memory",
    sees: ["event.hardwareFaults", "event.xidCount", "gpu_metric.eccUncorrected", "gpu_metric.remapFailed"],
  },
  { key: "lost", label: "Falls off the bus", sees: ["event.hardwareFaults", "telemetry.missingGpus"] },
  { key: "full", label: "Memory full", sees: ["gpu_metric.memoryUsedPct", "gpu_metric.memoryUsedMib"] },
  {
    key: "load",
    label: "Wrong load",
    sees: ["gpu_metric.utilizationPct", "gpu_metric.effectiveUtilizationPct", "workload_metric.latencyP95Ms"],
  },
] as const satisfies readonly { key: string; label: string; sees: readonly string[] }[];
export type RiskKey = (typeof RISKS)[number]["key"];

export type CoveringRule = { name: string; kind: RuleKind; metric: string; selector: Selector; enabled: boolean };

/** The rules that would see each risk of one target; none: nobody watches for it. */
export function coverageOf(rules: readonly CoveringRule[], target: SelectorTarget): Record<RiskKey, string[]> {
  const own = rules.filter(({ enabled, selector }) => enabled && selects(selector, target));
  const entries = RISKS.map(({ key, sees }) => {
    const seen: readonly string[] = sees;
    return [key, own.filter(({ kind, metric }) => seen.includes(`${kind}.${metric}`)).map(({ name }) => name)];
  });
  return Object.fromEntries(entries) as Record<RiskKey, string[]>;
}

export type CoverageRow = {
  /** GPUs that are watched alike. */
  instances: { id: string; name: string }[];
  gpus: number;
  model: string;
  workload: string;
  /** Per risk the rules that would see it. */
  rules: Record<RiskKey, string[]>;
};

export type CoverageAnswer = {
  now: number;
  rows: CoverageRow[];
  /** Rules whose alerts would be told to nobody, of some machines or of all. */
  unheard: { ruleId: string; name: string; severity: string; of: string }[];
  /** Routes that lead nowhere, and why. */
  deadRoutes: { name: string; why: string }[];
};
