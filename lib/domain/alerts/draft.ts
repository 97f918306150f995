import { metricOf, RULE_METRICS, type RuleKind, type Selector } from "./rules";
import type { Comparison, NoData, Severity } from "./types";

/** A rule while somebody writes it: text as typed, in the units that the form shows. */
export type RuleDraft = {
  name: string;
  kind: RuleKind;
  metric: string;
  severity: Severity;
  enabled: boolean;
  comparison: Comparison;
  threshold: string;
  clearThreshold: string;
  forMinutes: string;
  keepFiringMinutes: string;
  intervalSeconds: string;
  noData: NoData;
  workload: string[];
  team: string;
  type: string;
  instance: string;
  region: string;
  reason: string;
  action: string;
};

/** What of a stored rule the form shows. */
export type DraftedRule = {
  name: string;
  kind: RuleKind;
  metric: string;
  severity: Severity;
  enabled: boolean;
  comparison: Comparison;
  threshold: number;
  clearThreshold: number | null;
  forMs: number;
  keepFiringMs: number;
  intervalMs: number;
  noData: NoData;
  selector: Selector;
  reason: string;
  action: string;
};

const MINUTE_MS = 60_000;

/** The unit of the form's threshold: nobody writes milliseconds. */
export function draftUnit(kind: RuleKind, metric: string): string {
  const unit = metricOf(kind, metric)?.unit ?? "";
  return unit === "ms" ? "min" : unit;
}

export const NEW_DRAFT: RuleDraft = {
  name: "",
  kind: "gpu_metric",
  metric: "utilizationPct",
  severity: "warning",
  enabled: true,
  comparison: "above",
  threshold: "90",
  clearThreshold: "",
  forMinutes: "5",
  keepFiringMinutes: "0",
  intervalSeconds: "30",
  noData: "unknown",
  workload: [],
  team: "",
  type: "",
  instance: "",
  region: "",
  reason: "",
  action: "",
};

export function draftOf(rule: DraftedRule): RuleDraft {
  const { name, kind, metric, severity, enabled, comparison, noData, selector, reason, action } = rule;
  const shown = (value: number | null) =>
    value === null ? "" : String(metricOf(kind, metric)?.unit === "ms" ? value / MINUTE_MS : value);
  const words = (values: readonly string[] | undefined) => (values ?? []).join(", ");
  return {
    name,
    kind,
    metric,
    severity,
    enabled,
    comparison,
    noData,
    reason,
    action,
    threshold: shown(rule.threshold),
    clearThreshold: shown(rule.clearThreshold),
    forMinutes: String(rule.forMs / MINUTE_MS),
    keepFiringMinutes: String(rule.keepFiringMs / MINUTE_MS),
    intervalSeconds: String(rule.intervalMs / 1_000),
    workload: [...(selector.workload ?? [])],
    team: words(selector.team),
    type: words(selector.type),
    instance: words(selector.instance),
    region: words(selector.region),
  };
}

/** The draft as the verbs take it. What is no number stays as it was typed, so that the refusal is about what was typed. */
export function inputOf(draft: RuleDraft) {
  const { workload, team, type, instance, region, threshold, clearThreshold, ...rest } = draft;
  const isDuration = metricOf(draft.kind, draft.metric)?.unit === "ms";
  const stored = (text: string) => {
    const value = Number(text.replace("−", "-"));
    return isDuration && text.trim() !== "" && Number.isFinite(value) ? String(Math.round(value * MINUTE_MS)) : text;
  };
  return {
    ...rest,
    threshold: stored(threshold),
    clearThreshold: stored(clearThreshold),
    selector: { workload: workload.join(","), team, type, instance, region },
  };
}

/** What the draft watches, as far as it can be read; for the look at real history beside the form. */
export function selectorOf({ workload, team, type, instance, region }: RuleDraft): Record<string, string[]> {
  const list = (text: string) =>
    text
      .split(",")
      .map((word) => word.trim())
      .filter((word) => word !== "");
  return { workload, team: list(team), type: list(type), instance: list(instance), region: list(region) };
}

/** The threshold in the metric's own unit; null while it is no number. */
export function thresholdOf({ kind, metric }: RuleDraft, text: string): number | null {
  const value = Number(text.replace("−", "-"));
  if (text.trim() === "" || !Number.isFinite(value)) return null;
  return metricOf(kind, metric)?.unit === "ms" ? value * MINUTE_MS : value;
}

/** The draft after another metric was chosen: a threshold that cannot hold there is not carried over. */
export function withMetric(draft: RuleDraft, kind: RuleKind, metric: string): RuleDraft {
  const entry = metricOf(kind, metric);
  const kept = thresholdOf({ ...draft, kind, metric }, draft.threshold);
  const isSame = draftUnit(kind, metric) === draftUnit(draft.kind, draft.metric);
  const fits = isSame && entry !== null && kept !== null && kept >= entry.min && kept <= entry.max;
  return {
    ...draft,
    kind,
    metric,
    threshold: fits ? draft.threshold : "",
    clearThreshold: fits ? draft.clearThreshold : "",
  };
}

/** Every metric that a rule may look at, by kind, in the form's order. */
export const METRIC_CHOICES = (Object.keys(RULE_METRICS) as RuleKind[]).map((kind) => ({
  kind,
  metrics: Object.entries(RULE_METRICS[kind]).map(([metric, { label }]) => ({ metric, label })),
}));
