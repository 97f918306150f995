import { z } from "zod";
import type { TakenRule } from "@/lib/domain/prometheus/rule-file";
import { gpuMetricOf } from "@/lib/domain/prometheus/series-of";
import { entryIn, type FileEntry, type Plan, planSection } from "./file-plan";
import { NewAlertRule } from "./rule-input";
import type { RuleRow } from "./rule-view";
import type { Aggregate, Severity } from "./types";
import type { WindowFunction } from "./window";

const entries = z.array(z.record(z.string(), z.unknown())).max(2_000).default([]);

/** Rules, and what stands around them, as one file: times in minutes and seconds, what holds by default left out. */
export const RulesFile = z.strictObject({
  version: z.literal(1),
  budgets: entries,
  rules: entries,
  routes: entries,
  silences: entries,
});
export type RulesFile = z.output<typeof RulesFile>;

/** What of a stored rule its entry in the file is made of. */
export type FiledRule = Omit<NewAlertRule, "params" | "labels"> & Pick<RuleRow, "params" | "labels">;

const MINUTE = 60_000;

/** A rule as the file has it, and as `NewAlertRule` reads it back. */
export function ruleEntry(rule: FiledRule, budget: string | null = rule.budgetId): FileEntry {
  const { forMs, keepFiringMs, intervalMs, windowMs, lookbackMs, selector, budgetId: _, ...rest } = rule;
  const entry: FileEntry = {
    ...rest,
    budget,
    selector: Object.fromEntries(Object.entries(selector).filter(([, values]) => (values?.length ?? 0) > 0)),
    forMinutes: forMs / MINUTE,
    keepFiringMinutes: keepFiringMs / MINUTE,
    intervalSeconds: intervalMs / 1_000,
    windowMinutes: windowMs / MINUTE,
    lookbackMinutes: lookbackMs === null ? null : lookbackMs / MINUTE,
  };
  return entryIn(ORDER, entry, DEFAULTS);
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
  "budget",
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
  budget: null,
  reason: "",
  action: "",
  runbook: "",
};

export type Existing = FiledRule & { id: string };

/** What the rules of a file would change. `budgets`: the names by which a rule of a file names its budget, and their ids. */
export function planRules(
  entries: readonly FileEntry[],
  existing: readonly Existing[],
  budgets: ReadonlyMap<string, string> = new Map(),
): Plan<NewAlertRule> {
  const kinds = new Map(existing.map(({ id, kind }) => [id, kind]));
  const nameOf = new Map([...budgets].map(([name, id]) => [id, name]));
  const filed = (rule: FiledRule) => ruleEntry(rule, rule.budgetId === null ? null : nameOf.get(rule.budgetId));
  return planSection<NewAlertRule>({
    of: "rule",
    entries,
    existing: existing.map((rule) => ({ id: rule.id, name: rule.name, entry: filed(rule) })),
    read: ({ budget, ...entry }) => {
      if (budget === undefined || budget === null) return NewAlertRule.safeParse(entry);
      const budgetId = budgets.get(String(budget));
      if (budgetId !== undefined) return NewAlertRule.safeParse({ ...entry, budgetId });
      return NewAlertRule.refine(() => false, { path: ["budget"], error: `there is none called ${budget}` }).safeParse(
        entry,
      );
    },
    entryOf: filed,
    refuse: (input, id) =>
      id !== null && kinds.get(id) !== input.kind ? `kind: is ${kinds.get(id)}, and what a rule looks at stays` : null,
    long: ["runbook"],
  });
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
