import { SELECTOR_KEYS, type Selector } from "@/lib/domain/alerts/selector";
import type { Aggregate, Comparison, NoData, RuleParams, Severity } from "@/lib/domain/alerts/types";
import { formatPrometheusDuration } from "./duration";
import { gpuSeriesOf, type Series } from "./series-of";

/** What of a rule its export needs. */
export type ExportedRule = {
  name: string;
  kind: string;
  metric: string;
  severity: Severity;
  selector: Selector;
  aggregate: Aggregate;
  windowMs: number;
  comparison: Comparison;
  threshold: number;
  clearThreshold: number | null;
  forMs: number;
  keepFiringMs: number;
  intervalMs: number;
  noData: NoData;
  params: RuleParams;
  labels: Readonly<Record<string, string>>;
  reason: string;
  action: string;
};

type AlertingRule = {
  alert: string;
  expr: string;
  for?: string;
  keep_firing_for?: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
};
export type PrometheusFile = { groups: { name: string; interval: string; rules: AlertingRule[] }[] };

const OPERATORS: Record<Comparison, string> = {
  above: ">",
  at_least: ">=",
  below: "<",
  at_most: "<=",
  equal: "==",
  not_equal: "!=",
};

const FUNCTIONS: Partial<Record<Aggregate, string>> = {
  mean: "avg_over_time",
  min: "min_over_time",
  max: "max_over_time",
  rate: "rate",
  count: "count_over_time",
};

/** Rules as a rule file of Prometheus over the series of our own metrics page, and of those that it cannot say why not. */
export function exportRules(rules: readonly ExportedRule[]): {
  file: PrometheusFile;
  left: { name: string; why: string }[];
} {
  const groups = new Map<number, AlertingRule[]>();
  const left: { name: string; why: string }[] = [];
  const names = new Set<string>();
  for (const rule of rules) {
    const series = rule.kind === "gpu_metric" ? gpuSeriesOf(rule.metric) : null;
    const why = series === null ? "its metric is in no series of the metrics page" : whyNot(rule, names);
    if (series === null || why !== null) {
      left.push({ name: rule.name, why: why ?? "" });
      continue;
    }
    names.add(rule.name);
    groups.set(rule.intervalMs, [...(groups.get(rule.intervalMs) ?? []), alerting(rule, series)]);
  }
  const file = [...groups].map(([intervalMs, own]) => ({
    name: `hopperdeck-${formatPrometheusDuration(intervalMs)}`,
    interval: formatPrometheusDuration(intervalMs),
    rules: own,
  }));
  return { file: { groups: file }, left };
}

/** Labels that the series of the metrics page carry. */
const CARRIED: Partial<Record<keyof Selector, string>> = { instance: "instance_name", gpu: "gpu_uuid" };

function whyNot(rule: ExportedRule, names: ReadonlySet<string>): string | null {
  const asked = SELECTOR_KEYS.find((key) => (rule.selector[key] ?? []).length > 0 && !(key in CARRIED));
  if (asked !== undefined) return `its series do not carry the ${asked} that it asks for`;
  if (names.has(rule.name)) return "another rule of the file has its name";
  if (rule.params.critical !== undefined) return "one alert of two levels has no words in PromQL";
  if (rule.noData !== "unknown") return "what it takes silence for has no words beside a threshold";
  if (rule.aggregate === "change")
    return "PromQL draws a change on to the ends of its window, which this rule does not";
  return null;
}

function alerting(rule: ExportedRule, series: Series): AlertingRule {
  const labels = { ...rule.labels, severity: rule.severity };
  return {
    alert: rule.name,
    expr: expression(rule, series, Object.keys(labels)),
    ...(rule.forMs > 0 && { for: formatPrometheusDuration(rule.forMs) }),
    ...(rule.keepFiringMs > 0 && { keep_firing_for: formatPrometheusDuration(rule.keepFiringMs) }),
    labels,
    annotations: Object.fromEntries(
      [
        ["summary", rule.reason],
        ["action", rule.action],
      ].filter(([, text]) => text !== ""),
    ),
  };
}

function expression(rule: ExportedRule, series: Series, labels: readonly string[]): string {
  const value = comparedOf(rule, `${series.name}${matchersOf(rule.selector)}`);
  // A count of samples is in no unit.
  const factor = rule.aggregate === "count" && rule.windowMs > 0 ? 1 : series.factor;
  const beyond = (limit: number) => `${value} ${OPERATORS[rule.comparison]} ${numeral(limit * factor)}`;
  if (rule.clearThreshold === null) return beyond(rule.threshold);
  const ignored = ["alertname", "alertstate", ...labels].join(", ");
  const own = `ALERTS{alertname=${JSON.stringify(rule.name)},alertstate="firing"}`;
  return `${beyond(rule.threshold)} or (${beyond(rule.clearThreshold)} and ignoring(${ignored}) ${own})`;
}

function comparedOf({ aggregate, windowMs }: ExportedRule, selection: string): string {
  if (windowMs === 0) return selection;
  const range = `${selection}[${formatPrometheusDuration(windowMs)}]`;
  if (aggregate === "p95") return `quantile_over_time(0.95, ${range})`;
  return `${FUNCTIONS[aggregate] ?? "last_over_time"}(${range})`;
}

/** Selectors become matchers on the labels under which the metrics page exposes them. */
function matchersOf(selector: Selector): string {
  const matchers = SELECTOR_KEYS.flatMap((key) => {
    const values: readonly string[] = selector[key] ?? [];
    const label = CARRIED[key];
    if (values.length === 0 || label === undefined) return [];
    if (values.length === 1) return [`${label}=${JSON.stringify(values[0])}`];
    return [`${label}=~${JSON.stringify(values.map(escaped).join("|"))}`];
  });
  return matchers.length === 0 ? "" : `{${matchers.join(",")}}`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function numeral(value: number): string {
  if (Number.isFinite(value)) return String(Number(value.toPrecision(12)));
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}
