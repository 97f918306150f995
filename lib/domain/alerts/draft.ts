import { metricOf, RULE_METRICS, type RuleKind, type Selector } from "./rules";
import { SELECTOR_KEYS, type SelectorKey } from "./selector";
import type { Aggregate, Comparison, NoData, RuleParams, Severity } from "./types";

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
  aggregate: Aggregate;
  windowMinutes: string;
  lookbackMinutes: string;
  /** The second level, in the threshold's unit; empty: there is none. */
  critical: string;
  /** What this metric can set beside its threshold. */
  params: Record<string, string>;
  labels: string;
  budgetId: string;
  workload: string[];
  reason: string;
  action: string;
  runbook: string;
} & Record<WrittenSelector, string>;

/** Selectors that are written as words with commas. */
export const WRITTEN_SELECTORS = SELECTOR_KEYS.filter((key) => key !== "workload");
export type WrittenSelector = Exclude<SelectorKey, "workload">;

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
  aggregate: Aggregate;
  windowMs: number;
  lookbackMs: number | null;
  params: RuleParams;
  labels: Readonly<Record<string, string>>;
  budgetId: string | null;
  selector: Selector;
  reason: string;
  action: string;
  runbook: string;
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
  aggregate: "last",
  windowMinutes: "0",
  lookbackMinutes: "",
  critical: "",
  params: {},
  labels: "",
  budgetId: "",
  workload: [],
  ...writtenSelectors({}),
  reason: "",
  action: "",
  runbook: "",
};

function writtenSelectors(selector: Selector): Record<WrittenSelector, string> {
  const written = WRITTEN_SELECTORS.map((key) => [key, (selector[key] ?? []).join(", ")]);
  return Object.fromEntries(written) as Record<WrittenSelector, string>;
}

export function draftOf(rule: DraftedRule): RuleDraft {
  const { name, kind, metric, severity, enabled, comparison, noData, aggregate, selector, reason, action, runbook } =
    rule;
  const { critical, ...params } = rule.params;
  const shown = (value: number | null) =>
    value === null ? "" : String(metricOf(kind, metric)?.unit === "ms" ? value / MINUTE_MS : value);
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
    runbook,
    aggregate,
    windowMinutes: String(rule.windowMs / MINUTE_MS),
    lookbackMinutes: rule.lookbackMs === null ? "" : String(rule.lookbackMs / MINUTE_MS),
    critical: shown(typeof critical === "number" ? critical : null),
    params: Object.fromEntries(Object.entries(params).map(([key, value]) => [key, String(value)])),
    labels: Object.entries(rule.labels)
      .map(([label, value]) => `${label}=${value}`)
      .join(", "),
    budgetId: rule.budgetId ?? "",
    threshold: shown(rule.threshold),
    clearThreshold: shown(rule.clearThreshold),
    forMinutes: String(rule.forMs / MINUTE_MS),
    keepFiringMinutes: String(rule.keepFiringMs / MINUTE_MS),
    intervalSeconds: String(rule.intervalMs / 1_000),
    workload: [...(selector.workload ?? [])],
    ...writtenSelectors(selector),
  };
}

/** The draft as the verbs take it. What is no number stays as it was typed, so that the refusal is about what was typed. */
export function inputOf(draft: RuleDraft) {
  const { workload, threshold, clearThreshold, critical, params, budgetId, ...own } = draft;
  const selector = Object.fromEntries(WRITTEN_SELECTORS.map((key) => [key, draft[key]])) as Record<
    WrittenSelector,
    string
  >;
  const rest = withoutSelectors(own);
  const isDuration = metricOf(draft.kind, draft.metric)?.unit === "ms";
  const stored = (text: string) => {
    const value = Number(text.replace("−", "-"));
    return isDuration && text.trim() !== "" && Number.isFinite(value) ? String(Math.round(value * MINUTE_MS)) : text;
  };
  return {
    ...rest,
    threshold: stored(threshold),
    clearThreshold: stored(clearThreshold),
    params: { ...params, critical: stored(critical) },
    budgetId: budgetId === "" ? null : budgetId,
    selector: { ...selector, workload: workload.join(",") },
  };
}

function withoutSelectors<T extends Record<WrittenSelector, string>>(draft: T): Omit<T, WrittenSelector> {
  const { team, project, environment, type, instance, region, model, gpu, tag, run, ...rest } = draft;
  return rest;
}

/** What the draft watches, as far as it can be read; for the look at real history beside the form. */
export function selectorOf(draft: RuleDraft): Record<string, string[]> {
  const list = (text: string) =>
    text
      .split(",")
      .map((word) => word.trim())
      .filter((word) => word !== "");
  return { workload: draft.workload, ...Object.fromEntries(WRITTEN_SELECTORS.map((key) => [key, list(draft[key])])) };
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
    critical: fits ? draft.critical : "",
    params: Object.fromEntries(
      Object.keys(entry?.params ?? {}).flatMap((name) => {
        const value = draft.params[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    ...(!entry?.isSeries && { aggregate: "last" as const, windowMinutes: "0" }),
    threshold: fits ? draft.threshold : "",
    clearThreshold: fits ? draft.clearThreshold : "",
  };
}

/** Every metric that a rule may look at, by kind, in the form's order. */
export const METRIC_CHOICES = (Object.keys(RULE_METRICS) as RuleKind[]).map((kind) => ({
  kind,
  metrics: Object.entries(RULE_METRICS[kind]).map(([metric, { label }]) => ({ metric, label })),
}));
