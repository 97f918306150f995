import { formatDuration } from "@/lib/domain/format-time";
import { COMPARISON_WORDS, isUpward } from "./condition";
import { quantity } from "./message";
import { metricOf, type RuleKind, type Selector } from "./rules";
import { SELECTOR_KEYS } from "./selector";
import type { Comparison } from "./types";

/** What of a rule is said of it in one line. */
export type RuleText = {
  kind: RuleKind;
  metric: string;
  comparison: Comparison;
  threshold: number;
  forMs: number;
};

/** "Utilisation above 90 % for 10 min", "Booting for more than 15 min". */
export function conditionText(rule: RuleText): string {
  const isOwn = isUpward(rule.comparison) !== rule.metric in DOWNWARD;
  const condition = isOwn ? (PLAIN[rule.metric]?.condition(rule.threshold) ?? null) : null;
  return `${condition ?? generic(rule)}${rule.forMs > 0 ? ` for ${formatDuration(rule.forMs)}` : ""}`;
}

/** "above 90 %", for the flag on a chart's threshold. */
export function limitText({ kind, metric, comparison, threshold }: RuleText): string {
  return `${COMPARISON_WORDS[comparison]} ${quantity(threshold, metricOf(kind, metric)?.unit ?? "")}`;
}

/** What was measured, with its unit: "87.7 %", "booting for 17 min". Null: nothing was. */
export function valueText(
  { kind, metric, threshold }: Pick<RuleText, "kind" | "metric" | "threshold">,
  value: number | null,
): string | null {
  if (value === null) return null;
  return PLAIN[metric]?.value(value) ?? quantity(rounded(value, threshold), metricOf(kind, metric)?.unit ?? "");
}

function generic(rule: RuleText): string {
  return `${metricOf(rule.kind, rule.metric)?.label ?? rule.metric} ${limitText(rule)}`;
}

/** One decimal; two where one would set it on the threshold that it is beyond. */
function rounded(value: number, threshold: number): number {
  if (!Number.isFinite(value)) return value;
  const tenths = Math.round(value * 10) / 10;
  return tenths === threshold && value !== threshold ? Math.round(value * 100) / 100 : tenths;
}

const held = (what: string) => ({
  condition: (limit: number) => `${what} for ${formatDuration(limit)}`,
  value: (value: number) => (value <= 0 ? "in use" : `${what.toLowerCase()} for ${formatDuration(value)}`),
});
const yes = (condition: string, value: string, otherwise: string) => ({
  condition: () => condition,
  value: (found: number) => (found >= 1 ? value : otherwise),
});

/** Metrics of which low values are the bad ones. */
const DOWNWARD: Readonly<Record<string, true>> = {
  slowdownMarginC: true,
  successBudgetLeftPct: true,
  latencyBudgetLeftPct: true,
  availabilityBudgetLeftPct: true,
  leaseLeftMs: true,
};

/** Metrics whose numbers are no numbers to a person. */
const PLAIN: Record<string, { condition: (threshold: number) => string; value: (value: number) => string }> = {
  overdueMs: {
    condition: (threshold) =>
      threshold <= 0
        ? "No report for three intervals while billing"
        : `No report for three intervals and ${formatDuration(threshold)} more, while billing`,
    value: (value) => (value < 0 ? "reports in time" : `overdue for ${formatDuration(value)}`),
  },
  silentMs: {
    condition: (threshold) => `No report for ${formatDuration(threshold)} while billing`,
    value: (value) => (value <= 0 ? "reports" : `silent for ${formatDuration(value)}`),
  },
  unhealthy: {
    condition: () => "Lambda reports the instance as unhealthy",
    value: (value) => (value >= 1 ? "unhealthy" : "not unhealthy"),
  },
  bootingMs: {
    condition: (threshold) => `Booting for more than ${formatDuration(threshold)}`,
    value: (value) => (value <= 0 ? "not booting" : `booting for ${formatDuration(value)}`),
  },
  leaseLeftMs: {
    condition: (threshold) => `Lease ends within ${formatDuration(threshold)}`,
    value: (value) => (value >= 7 * 24 * 3_600_000 ? "does not end soon" : `ends in ${formatDuration(value)}`),
  },
  leaseOverMs: {
    condition: (threshold) => `Lease over for more than ${formatDuration(threshold)}, and still billing`,
    value: (value) => (value <= 0 ? "not over" : `over for ${formatDuration(value)}`),
  },
  endAnnounced: yes("A policy has announced its end", "end announced", "not announced"),
  policyActs: {
    condition: (threshold) =>
      threshold <= 1 ? "A policy acted within the hour" : `A policy acted ${threshold} times within the hour`,
    value: (value) => (value <= 0 ? "did nothing" : value === 1 ? "acted once" : `acted ${value} times`),
  },
  capacityFound: yes("What a watch waits for can be had", "can be had", "old news"),
  staleMs: {
    condition: (threshold) => `Lambda has not answered for ${formatDuration(threshold)}`,
    value: (value) => `no answer for ${formatDuration(value)}`,
  },
  slowdownMarginC: {
    condition: (threshold) =>
      threshold <= 0 ? "At its own slowdown limit" : `Within ${quantity(threshold, "°C")} of its own slowdown limit`,
    value: (value) =>
      value < 0 ? `${quantity(-value, "°C")} above its limit` : `${quantity(value, "°C")} below its limit`,
  },
  priceChangePct: {
    condition: (threshold) =>
      threshold <= 0 ? "A price has changed" : `A price changed by more than ${quantity(threshold, "%")} in a day`,
    value: (value) => (value <= 0 ? "unchanged of late" : `changed by ${quantity(value, "%")}`),
  },
  priceRisePct: {
    condition: (threshold) => `A price rose by more than ${quantity(threshold, "%")} in a day`,
    value: (value) => (value <= 0 ? "not risen of late" : `risen by ${quantity(value, "%")}`),
  },
  strayMark: yes("Carries the mark of a launch that is not known here", "unknown mark", "no unknown mark"),
  launchUnanswered: yes("A launch was not answered", "not answered", "answered"),
  glassAccount: yes("The break-glass account was used", "used", "not used of late"),
  glassBroken: yes("Sent without a second person", "sent alone", "old news"),
  endingMs: {
    condition: (threshold) => `Its end was asked for ${formatDuration(threshold)} ago, and it is still listed`,
    value: (value) => (value <= 0 ? "no end asked for" : `asked to end ${formatDuration(value)} ago`),
  },
  changesFrozenMs: {
    condition: (threshold) => `Lambda has refused the key for changes for ${formatDuration(threshold)}`,
    value: (value) => (value <= 0 ? "accepts the key" : `refuses it for ${formatDuration(value)}`),
  },
  listedAgain: yes("Gone, and listed again", "listed again, and bills", "not listed again"),
  verificationFailed: yes("A machine fails its checks after boot", "fails its checks", "passes its checks"),
  hardwareThrottled: yes("Slowed down by its hardware", "slowed down", "not slowed down"),
  thermalThrottled: yes("Slowed down by heat", "slowed down", "not slowed down"),
  powerCapped: yes("At its power cap", "at its cap", "below its cap"),
  remapFailed: yes("Row remapping failed", "failed", "not failed"),
  remapPending: yes("Row remapping waits for a reset", "waits", "does not wait"),
  senderFailing: yes("nvidia-smi fails on the machine", "fails", "works"),
  hardwareFaults: {
    condition: () => "A fault of the hardware in the kernel log",
    value: (value) => (value <= 0 ? "no fault of late" : value === 1 ? "one fault" : `${value} faults`),
  },
  missingGpus: {
    condition: (threshold) => `At least ${threshold} of its GPUs ${threshold === 1 ? "does" : "do"} not report`,
    value: (value) => (value <= 0 ? "all report" : `${value} missing`),
  },
  emptyMs: held("Idle and empty"),
  heldMs: held("Idle with memory held"),
  runMs: {
    condition: (threshold) => `A run takes longer than ${formatDuration(threshold)}`,
    value: (value) => `runs for ${formatDuration(value)}`,
  },
  runOverMs: {
    condition: (threshold) =>
      threshold <= 0 ? "A run is past its plan" : `A run is ${formatDuration(threshold)} past its plan`,
    value: (value) => (value <= 0 ? "within its plan" : `${formatDuration(value)} past its plan`),
  },
  orphanedMs: {
    condition: (threshold) => `Mounted by nothing for ${formatDuration(threshold)}`,
    value: (value) => `unused for ${formatDuration(value)}`,
  },
  findings: {
    condition: (threshold) =>
      threshold <= 1
        ? "Not as declared, in two polls"
        : `At least ${threshold} facts are not as declared, in two polls`,
    value: (value) => (value <= 0 ? "as declared" : value === 1 ? "one finding" : `${value} findings`),
  },
  criticalFindings: {
    condition: (threshold) =>
      threshold <= 1 ? "Gravely not as declared, in two polls" : `At least ${threshold} critical findings`,
    value: (value) =>
      value <= 0 ? "nothing critical" : value === 1 ? "one critical finding" : `${value} critical findings`,
  },
  spendTodayUsd: {
    condition: (threshold) => `Spend today above ${quantity(threshold, "USD")}`,
    value: (value) => `${quantity(value, "USD")} today`,
  },
};

/** Which targets a rule watches: "training or batch; team research". */
export function selectorText(selector: Selector): string {
  const parts = SELECTOR_KEYS.flatMap((key) => {
    const values = selector[key] ?? [];
    if (values.length === 0) return [];
    const words = values.length === 1 ? values[0] : `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;
    return [key === "workload" ? `${words}` : `${key} ${words}`];
  });
  return parts.join("; ");
}
