import { METRICS, UNITS } from "@/lib/domain/telemetry/catalogue";

export const RULE_KINDS = [
  "gpu_metric",
  "event",
  "telemetry",
  "inventory",
  "workload_metric",
  "money",
  "drift",
] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

/** What an alert of the rule is about. `rule` is another rule: who watches the watchers. */
export type TargetKind = "gpu" | "instance" | "run" | "connection" | "fleet" | "budget" | "storage" | "price" | "rule";

/** One thing a rule may look at. A threshold outside [min, max] could never, or would always, be crossed. */
export type RuleMetric = {
  label: string;
  unit: string;
  target: TargetKind;
  min: number;
  max: number;
  /** It is a series of samples, so that a window of it can be summed up. */
  isSeries?: boolean;
  /** It only grows, and begins anew after a restart: what is asked of it is its rate or its change. */
  isCounter?: boolean;
  /** What a rule may set beside its threshold, and what holds where it does not. */
  params?: Readonly<Record<string, number | string | null>>;
};

const WEEK_MS = 7 * 24 * 3_600_000;
const MOST_USD = 10_000_000;

const duration = (label: string, target: TargetKind): RuleMetric => ({
  label,
  unit: "ms",
  target,
  min: 0,
  max: WEEK_MS,
});
const yesNo = (label: string, target: TargetKind): RuleMetric => ({ label, unit: "0 or 1", target, min: 0, max: 1 });
const percent = (label: string, target: TargetKind, max = 100): RuleMetric => ({
  label,
  unit: "%",
  target,
  min: 0,
  max,
});
const count = (label: string, target: TargetKind): RuleMetric => ({
  label,
  unit: "",
  target,
  min: 0,
  max: 1_000_000_000,
});
const usd = (label: string, target: TargetKind): RuleMetric => ({
  label,
  unit: "USD",
  target,
  min: 0,
  max: MOST_USD,
});

/** Everything measured that the catalogue knows. */
const MEASURED: Record<string, RuleMetric> = Object.fromEntries(
  Object.entries(METRICS)
    .filter(([, { kind }]) => kind !== "count")
    .map(([key, { label, unit, min, max }]) => [
      key,
      { label, unit: UNITS[unit].short, target: "gpu", min, max, isSeries: true },
    ]),
);

const gpuSeries = (metric: RuleMetric): RuleMetric => ({ ...metric, isSeries: true });

/** Over which workload figures are taken where a rule does not say. */
const WORKLOAD_WINDOW = { windowMinutes: 5 };
const SLO = { targetPct: 99, windowDays: 30, latencyMs: 1_000 };

/** What a rule of each kind may look at. */
export const RULE_METRICS: Record<RuleKind, Readonly<Record<string, RuleMetric>>> = {
  gpu_metric: {
    ...MEASURED,
    effectiveUtilizationPct: gpuSeries(percent("Effective utilisation", "gpu")),
    slowdownMarginC: {
      ...gpuSeries({ label: "Degrees below its own slowdown limit", unit: "°C", target: "gpu", min: -50, max: 150 }),
      // Of cards that do not name their limit.
      params: { fallbackC: 88 },
    },
    powerOfLimitPct: gpuSeries(percent("Power draw of its limit", "gpu", 200)),
    hardwareThrottled: gpuSeries(yesNo("Slowed down by the hardware", "gpu")),
    thermalThrottled: gpuSeries(yesNo("Slowed down by heat", "gpu")),
    powerCapped: gpuSeries(yesNo("At its power cap", "gpu")),
    eccUncorrected: { ...gpuSeries(count("Uncorrected memory errors", "gpu")), isCounter: true },
    remapFailed: yesNo("Row remapping failed", "gpu"),
    remapPending: yesNo("Row remapping waits for a reset", "gpu"),
    remappedUncorrectable: count("Rows remapped for uncorrectable errors", "gpu"),
  },
  event: {
    hardwareFaults: { ...count("Faults of the hardware in the kernel log", "instance"), params: { minutes: 15 } },
    xidCount: { ...count("Xid errors of a GPU", "gpu"), params: { codes: "", minutes: 60 } },
  },
  telemetry: {
    silentMs: duration("Silence while billing", "instance"),
    overdueMs: duration("Silence beyond the reporting interval's allowance, while billing", "instance"),
    clockSkewMs: duration("Clock of the sender is off by", "instance"),
    senderFailing: yesNo("nvidia-smi fails on the machine", "instance"),
    missingGpus: count("GPUs that do not report", "instance"),
    ruleErrors: count("Slots in a row that could not be judged", "rule"),
    ruleWithoutData: count("Slots in a row without any data", "rule"),
    ruleMissedInARow: count("Slots missed in a row", "rule"),
    ruleTimePct: percent("Time it takes of its interval", "rule", 10_000),
  },
  inventory: {
    unhealthy: yesNo("Instance unhealthy", "instance"),
    bootingMs: duration("Time spent booting", "instance"),
    verificationFailed: yesNo("Not what was ordered", "instance"),
    listedAgain: yesNo("Listed again after it was gone", "instance"),
    leaseLeftMs: duration("Lease ends in", "instance"),
    leaseOverMs: duration("Lease has been over for", "instance"),
    endAnnounced: yesNo("A policy will end it", "instance"),
    policyActs: count("Acts of a policy within the hour", "fleet"),
    capacityFound: yesNo("Capacity that was waited for", "fleet"),
    staleMs: duration("Lambda has not answered for", "connection"),
    changesFrozenMs: duration("Lambda refuses the key for changes", "connection"),
    endingMs: duration("Termination asked for and not true for", "instance"),
    strayMark: yesNo("Carries the mark of an unknown launch", "instance"),
    launchUnanswered: yesNo("Launch without an answer", "fleet"),
    glassBroken: yesNo("Sent without a second person", "fleet"),
    glassAccount: yesNo("Break-glass account used", "fleet"),
  },
  workload_metric: {
    latencyP95Ms: {
      label: "Latency, p95",
      unit: "milliseconds",
      target: "run",
      min: 0,
      max: 86_400_000,
      params: WORKLOAD_WINDOW,
    },
    firstTokenP95Ms: {
      label: "Time to first token, p95",
      unit: "milliseconds",
      target: "run",
      min: 0,
      max: 86_400_000,
      params: WORKLOAD_WINDOW,
    },
    successPct: { ...percent("Tasks that succeed", "run"), params: WORKLOAD_WINDOW },
    tasksPerSecond: { ...count("Tasks per second", "run"), params: WORKLOAD_WINDOW },
    samplesPerSecond: { ...count("Samples per second", "run"), params: WORKLOAD_WINDOW },
    tokensPerSecond: { ...count("Tokens per second", "run"), params: WORKLOAD_WINDOW },
    queueDepth: { ...count("Waiting in the queue", "run"), params: WORKLOAD_WINDOW },
    series: {
      ...count("A series by its name", "instance"),
      min: -1e15,
      max: 1e15,
      isSeries: true,
      params: { name: "", labels: "" },
    },
    runMs: duration("Time that a run has taken", "run"),
    runOverMs: duration("Time that a run has taken beyond its plan", "run"),
    successBudgetLeftPct: { ...percent("Error budget left, success", "fleet"), min: -100_000, params: SLO },
    latencyBudgetLeftPct: { ...percent("Error budget left, latency", "fleet"), min: -100_000, params: SLO },
    availabilityBudgetLeftPct: { ...percent("Error budget left, availability", "fleet"), min: -100_000, params: SLO },
  },
  money: {
    spendTodayUsd: usd("Spend today", "fleet"),
    burnUsdPerHour: usd("Burn rate per hour", "fleet"),
    budgetSpentPct: percent("Budget spent", "budget", 100_000),
    budgetForecastPct: percent("Forecast of the budget", "budget", 100_000),
    budgetBurnPct: percent("Budget at today's rate", "budget", 100_000),
    idleUsdToday: usd("Idle money today", "instance"),
    emptyMs: { ...duration("Empty: nothing runs, nothing held, while billing", "instance") },
    heldMs: { ...duration("Idle with memory held, while billing", "instance") },
    anomalyUsd: usd("Spend beyond what was expected of the day", "fleet"),
    priceChangePct: percent("Price changed by", "price", 100_000),
    priceRisePct: percent("Price risen by", "price", 100_000),
    orphanedMs: { ...duration("Storage that nothing has mounted for", "storage"), max: 366 * 24 * 3_600_000 },
  },
  drift: {
    findings: count("Findings against what was declared", "instance"),
    criticalFindings: count("Critical findings against what was declared", "instance"),
  },
};

/** Kinds that no part of the product feeds yet: rules of them can be written, and say that they are judged by nothing. */
export const UNFED_KINDS: ReadonlySet<RuleKind> = new Set();

export function metricOf(kind: RuleKind, metric: string): RuleMetric | null {
  const metrics = RULE_METRICS[kind];
  return Object.hasOwn(metrics, metric) ? (metrics[metric] ?? null) : null;
}

/** What a rule sets beside its threshold, as it is read; what it leaves out holds by default. */
export function paramOf(
  rule: { kind: RuleKind; metric: string; params: Readonly<Record<string, unknown>> },
  name: string,
): number | string | null {
  const own = rule.params[name];
  if (typeof own === "number" || typeof own === "string") return own;
  return metricOf(rule.kind, rule.metric)?.params?.[name] ?? null;
}

export function numberParam(rule: Parameters<typeof paramOf>[0], name: string): number {
  const value = paramOf(rule, name);
  return typeof value === "number" ? value : 0;
}
