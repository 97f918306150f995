import type { RuleKind, Selector } from "./rules";
import type { Comparison, NoData, Severity } from "./types";

/** A rule as it is first written: columns of `alert_rule`. */
export type PackRule = {
  packKey: string;
  name: string;
  kind: RuleKind;
  severity: Severity;
  selector: Selector;
  metric: string;
  comparison: Comparison;
  threshold: number;
  clearThreshold: number | null;
  forMs: number;
  keepFiringMs: number;
  intervalMs: number;
  noData: NoData;
  /** Why the threshold is what it is. */
  reason: string;
  /** What the reader should do. */
  action: string;
};

const MINUTE = 60_000;

const BASE = {
  clearThreshold: null,
  forMs: 0,
  keepFiringMs: 0,
  intervalMs: 30_000,
  noData: "unknown",
  selector: {},
} satisfies Partial<PackRule>;

/** Inference servers allocate their memory in advance, so full VRAM says nothing there (decisions: VRAM defaults). */
const NOT_INFERENCE: Selector = { workload: ["training", "batch", "dev", "unknown"] };

const VRAM = {
  ...BASE,
  kind: "gpu_metric",
  selector: NOT_INFERENCE,
  metric: "memoryUsedPct",
  comparison: "above",
  forMs: 5 * MINUTE,
} satisfies Partial<PackRule>;

const HEAT = {
  ...BASE,
  kind: "gpu_metric",
  metric: "temperatureC",
  comparison: "at_least",
} satisfies Partial<PackRule>;

const SILENCE = { ...BASE, kind: "telemetry", metric: "overdueMs", comparison: "at_least" } satisfies Partial<PackRule>;

/** The rules that a new installation starts with. Thresholds are those of the requirements (S3-01, S3-02, S4-26, S4-27, S4-29). */
export const DEFAULT_PACK: readonly PackRule[] = [
  {
    ...BASE,
    packKey: "gpu-saturated",
    name: "Inference GPU saturated",
    kind: "gpu_metric",
    severity: "warning",
    selector: { workload: ["inference"] },
    metric: "utilizationPct",
    comparison: "above",
    threshold: 90,
    forMs: 10 * MINUTE,
    reason: "An inference server above 90 % for 10 minutes has no room for a peak: requests begin to queue.",
    action:
      "Scale up: add an instance behind the load balancer, or move to a larger type. Look at latency first; if it is fine, raise the threshold.",
  },
  {
    ...BASE,
    packKey: "training-starved",
    name: "Training GPU under-used",
    kind: "gpu_metric",
    severity: "warning",
    selector: { workload: ["training"] },
    metric: "utilizationPct",
    comparison: "below",
    threshold: 80,
    forMs: 10 * MINUTE,
    reason:
      "A training run should keep its GPU above 80 %. Below that, the GPU waits for data, for another GPU, or the run has stopped.",
    action:
      "Check that the run is alive. If it is, look at data loading, CPU and disk, then at the batch size. If it is over, terminate the instance.",
  },
  {
    ...VRAM,
    packKey: "vram-high",
    name: "VRAM nearly full",
    severity: "warning",
    threshold: 85,
    reason: "Above 85 % of what the GPU reports, one longer sequence or larger batch may not fit any more.",
    action: "Reduce the batch size, or plan a type with more memory before the next run.",
  },
  {
    ...VRAM,
    packKey: "vram-full",
    name: "VRAM full",
    severity: "critical",
    threshold: 90,
    reason: "Above 90 % of what the GPU reports, the next allocation may end the job with an out-of-memory error.",
    action: "Save a checkpoint now. Then reduce the batch size, or scale up to a type with more memory.",
  },
  {
    ...HEAT,
    packKey: "gpu-hot",
    name: "GPU hot",
    severity: "warning",
    threshold: 83,
    clearThreshold: 81,
    forMs: 5 * MINUTE,
    reason: "From 83 °C data-centre GPUs come close to the temperature at which they slow themselves down.",
    action:
      "Look at clocks and throttle reasons. If clocks fall, the job is slower than what you pay for: move it and report the machine to Lambda.",
  },
  {
    ...HEAT,
    packKey: "gpu-overheating",
    name: "GPU overheating",
    severity: "critical",
    threshold: 90,
    clearThreshold: 88,
    forMs: MINUTE,
    reason: "At 90 °C the GPU slows down to protect itself, and may switch off.",
    action:
      "Save a checkpoint, stop the job and launch it elsewhere. Then report the machine to Lambda and terminate it.",
  },
  {
    ...SILENCE,
    packKey: "telemetry-lost",
    name: "Telemetry lost while billing",
    severity: "warning",
    threshold: 0,
    reason:
      "No report for three intervals, and at least 90 seconds. The instance still costs money, and nobody can say what it does.",
    action: "Open the instance. If it answers by SSH, restart the agent. If it does not, look at its state at Lambda.",
  },
  {
    ...SILENCE,
    packKey: "telemetry-lost-long",
    name: "Telemetry lost for minutes while billing",
    severity: "critical",
    threshold: 5 * MINUTE,
    reason:
      "Five minutes after telemetry was lost the instance still bills: the machine may be dead, and the meter runs.",
    action:
      "Try SSH. If the machine is dead, restart it; if nobody needs it, terminate it. Until then it costs its full price.",
  },
  {
    ...BASE,
    packKey: "instance-unhealthy",
    name: "Instance unhealthy",
    kind: "inventory",
    severity: "critical",
    metric: "unhealthy",
    comparison: "at_least",
    threshold: 1,
    reason: "Lambda itself reports the instance as unhealthy. One that was active before is billed all the same.",
    action: "Restart it once. If it stays unhealthy, terminate it and launch another; ask Lambda for a credit.",
  },
  {
    ...BASE,
    packKey: "stuck-booting",
    name: "Stuck booting",
    kind: "inventory",
    severity: "warning",
    metric: "bootingMs",
    comparison: "above",
    threshold: 15 * MINUTE,
    reason:
      "Most machines are active within 6 minutes, eight-GPU machines within 15. Booting is free, but nobody gets work done.",
    action: "Terminate it and launch again, in another region if one has capacity.",
  },
  {
    ...BASE,
    packKey: "lambda-stale",
    name: "Lambda is not answering",
    kind: "inventory",
    severity: "warning",
    metric: "staleMs",
    comparison: "at_least",
    threshold: 3 * MINUTE,
    reason: "No good answer from Lambda for 3 minutes: what is running, and what it costs, is what we last saw.",
    action:
      "Check the connection in Settings: a refused key needs a new one; an outage at Lambda passes. Trust no “gone” until it answers.",
  },
  {
    ...BASE,
    packKey: "spend-per-day",
    name: "Spend today over the limit",
    kind: "money",
    severity: "warning",
    metric: "spendTodayUsd",
    comparison: "above",
    threshold: 1_000,
    reason: "More than $1,000 in one accounting day. Set the limit to what a full day of your own fleet costs.",
    action: "Open Cost for today: look for machines that nobody uses, and for launches that nobody expected.",
  },
];
