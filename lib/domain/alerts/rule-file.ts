import { z } from "zod";
import type { TakenRule } from "@/lib/domain/prometheus/rule-file";
import { gpuMetricOf } from "@/lib/domain/prometheus/series-of";
import { NewAlertRule } from "./rule-input";
import type { RuleRow } from "./rule-view";
import type { Aggregate, Severity } from "./types";
import type { WindowFunction } from "./window";

/** Rules as one file: times in minutes and seconds, what holds by default left out. */
export const RulesFile = z.object({
  version: z.literal(1),
  rules: z.array(z.record(z.string(), z.unknown())).max(2_000),
});

/** What of a stored rule its entry in the file is made of. */
export type FiledRule = Omit<NewAlertRule, "params" | "labels"> & Pick<RuleRow, "params" | "labels">;

const MINUTE = 60_000;

/** A rule as the file has it, and as `NewAlertRule` reads it back. */
export function ruleEntry(rule: FiledRule): Record<string, unknown> {
  const { forMs, keepFiringMs, intervalMs, windowMs, lookbackMs, selector, ...rest } = rule;
  const entry: Record<string, unknown> = {
    ...rest,
    selector: Object.fromEntries(Object.entries(selector).filter(([, values]) => (values?.length ?? 0) > 0)),
    forMinutes: forMs / MINUTE,
    keepFiringMinutes: keepFiringMs / MINUTE,
    intervalSeconds: intervalMs / 1_000,
    windowMinutes: windowMs / MINUTE,
    lookbackMinutes: lookbackMs === null ? null : lookbackMs / MINUTE,
  };
  return Object.fromEntries(ORDER.flatMap((key) => (isDefault(key, entry[key]) ? [] : [[key, entry[key]]])));
}

const ORDER = [
  "name",
  "kind",
  "metric",
  "severity",
  "enabled",
  "selector",
  "aggregate",
  "windowMinutes",
  "comparison",
  "threshold",
  "clearThreshold",
  "forMinutes",
  "keepFiringMinutes",
  "intervalSeconds",
  "lookbackMinutes",
  "noData",
  "params",
  "labels",
  "budgetId",
  "reason",
  "action",
  "runbook",
];

const DEFAULTS: Readonly<Record<string, unknown>> = {
  enabled: true,
  aggregate: "last",
  windowMinutes: 0,
  clearThreshold: null,
  forMinutes: 0,
  keepFiringMinutes: 0,
  intervalSeconds: 30,
  lookbackMinutes: null,
  noData: "unknown",
  budgetId: null,
  reason: "",
  action: "",
  runbook: "",
};

function isDefault(key: string, value: unknown): boolean {
  if (key in DEFAULTS) return value === DEFAULTS[key];
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

export type FileChange = {
  name: string;
  kind: "new" | "changed" | "same" | "refused" | "left_out";
  /** Of a change: which fields, and what they were and will be. Of a refusal: what is wrong. */
  details: string[];
};

export type FileDiff = {
  changes: FileChange[];
  /** Rules that the file does not name; they stay as they are. */
  untouched: string[];
};

export type Existing = FiledRule & { id: string };
export type Planned = { name: string; id: string | null; input: NewAlertRule };

/** What a file would change. A rule is known by its name; what is not in the file stays. */
export function planRules(
  entries: readonly Record<string, unknown>[],
  existing: readonly Existing[],
): { diff: FileDiff; planned: Planned[] } {
  const byName = new Map(existing.map((rule) => [rule.name, rule]));
  const seen = new Set<string>();
  const changes: FileChange[] = [];
  const planned: Planned[] = [];
  for (const entry of entries) {
    const name = String(entry.name ?? "");
    const parsed = NewAlertRule.safeParse(entry);
    const refuse = (...details: string[]) => changes.push({ name, kind: "refused", details });
    if (!parsed.success) {
      refuse(...parsed.error.issues.map(({ path, message }) => `${path.join(".") || "rule"}: ${message}`));
      continue;
    }
    const input = parsed.data;
    const before = byName.get(input.name);
    if (seen.has(input.name)) refuse("name: another rule of the file has it");
    else if (before && before.kind !== input.kind) refuse(`kind: is ${before.kind}, and what a rule looks at stays`);
    else {
      const details = before ? differences(ruleEntry(before), ruleEntry(input)) : [];
      const kind = before ? (details.length === 0 ? "same" : "changed") : "new";
      changes.push({ name: input.name, kind, details });
      if (kind !== "same") planned.push({ name: input.name, id: before?.id ?? null, input });
    }
    seen.add(input.name);
  }
  const untouched = existing.map(({ name }) => name).filter((name) => !seen.has(name));
  return { diff: { changes, untouched }, planned };
}

function differences(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const text = (value: unknown) => (value === undefined ? "default" : JSON.stringify(value));
  return ORDER.filter((key) => text(before[key]) !== text(after[key])).map((key) =>
    key === "runbook" ? "runbook" : `${key}: ${text(before[key])} → ${text(after[key])}`,
  );
}

const AGGREGATES: Partial<Record<WindowFunction, Aggregate>> = {
  last: "last",
  mean: "mean",
  min: "min",
  max: "max",
  rate: "rate",
  count: "count",
};

/** A rule of Prometheus as an entry of the file, or why there is none. */
export function entryOfPrometheus(rule: TakenRule): { entry: Record<string, unknown> } | { why: string } {
  const { select, over, on, comparison, threshold, clearThreshold } = rule.expr;
  if (on === "absence")
    return { why: "absence is no rule of its own here: a rule without data raises an alert by itself" };
  if (select.name === null) return { why: "it names no series" };
  if (select.matchers.some(({ op }) => op !== "=")) return { why: "only labels that are equal to a text are taken" };
  const isP95 = over.of === "quantile" && over.quantile === 0.95;
  const aggregate = isP95 ? "p95" : AGGREGATES[over.of];
  if (aggregate === undefined) return { why: `a window's ${over.of} is not among what rules compare` };
  const { severity, ...labels } = rule.labels;
  const own = gpuMetricOf(select.name);
  const matched = Object.fromEntries(select.matchers.map(({ label, value }) => [label, value]));
  const divided = (value: number | null) =>
    value === null || !own || over.of === "count" ? value : Number((value / own.factor).toPrecision(12));
  return {
    entry: {
      name: rule.alert,
      severity: severityOf(severity),
      comparison,
      aggregate,
      windowMinutes: over.windowMs / MINUTE,
      threshold: divided(threshold),
      clearThreshold: divided(clearThreshold),
      forMinutes: rule.forMs / MINUTE,
      keepFiringMinutes: rule.keepFiringMs / MINUTE,
      ...(rule.intervalMs !== null && { intervalSeconds: Math.max(10, rule.intervalMs / 1_000) }),
      labels,
      reason: rule.annotations.summary ?? rule.annotations.description ?? "",
      action: rule.annotations.action ?? "",
      runbook: rule.annotations.runbook_url ?? rule.annotations.runbook ?? "",
      ...(own
        ? {
            kind: "gpu_metric",
            metric: own.metric,
            selector: { instance: matched.instance_name ?? "", gpu: matched.gpu_uuid ?? "" },
          }
        : {
            kind: "workload_metric",
            metric: "series",
            params: {
              name: select.name,
              labels: Object.entries(matched)
                .map(([label, value]) => `${label}=${value}`)
                .join(", "),
            },
          }),
    },
  };
}

function severityOf(label: string | undefined): Severity {
  if (label === "critical" || label === "page") return "critical";
  return label === "info" || label === "none" ? "info" : "warning";
}
