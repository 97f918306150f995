import { z } from "zod";
import { isTrue } from "@/lib/domain/alerts/condition";
import { type Evaluation, evaluate } from "@/lib/domain/alerts/evaluate";
import { PROMETHEUS_2_42 } from "@/lib/domain/alerts/semantics";
import { countUntil, readTrack, type Track, trackOf } from "@/lib/domain/alerts/track";
import { type AlertCondition, type AlertState, NO_FLAPS, type Semantics } from "@/lib/domain/alerts/types";
import { isSelected, type Labels, labelsKey } from "./matchers";
import type { ReadRules, TakenRule } from "./rule-file";
import { parseSeriesNotation } from "./series-notation";
import { duration, maybe, text, texts } from "./shapes";
import { renderTemplate, type TemplateData } from "./template";

const NOTHING = { exp_labels: {}, exp_annotations: {} };
const Assertion = z.object({
  eval_time: duration,
  alertname: text,
  exp_alerts: maybe(z.array(maybe(z.object({ exp_labels: texts, exp_annotations: texts }), NOTHING)), []),
});

/** A file of promtool's unit tests for rules. */
export const RuleTestFile = z.object({
  rule_files: maybe(z.array(text), []),
  evaluation_interval: maybe(duration, "1m"),
  group_eval_order: maybe(z.array(text), []),
  tests: maybe(
    z.array(
      z.object({
        name: maybe(text, ""),
        interval: maybe(duration, "1m"),
        input_series: maybe(z.array(z.object({ series: text, values: maybe(text, "") })), []),
        external_labels: texts,
        external_url: maybe(text, ""),
        alert_rule_test: maybe(z.array(Assertion), []),
        promql_expr_test: maybe(z.array(z.unknown()), []),
      }),
    ),
    [],
  ),
});
export type RuleTestFile = z.output<typeof RuleTestFile>;
type RuleTest = RuleTestFile["tests"][number];

export type AssertionResult = {
  test: string;
  alert: string;
  /** Milliseconds after the test's beginning. */
  at: number;
  result: "passed" | "failed" | "not_run";
  /** Why it failed or was not run. */
  why: string | null;
};

/** Runs the tests of a file against the product's own evaluator. `semantics`: of promtool 2.42 where nothing else is asked. */
export function runRuleTests(
  file: RuleTestFile,
  rules: ReadRules,
  semantics: Semantics = PROMETHEUS_2_42(),
): AssertionResult[] {
  return file.tests.flatMap((test, i) => runTest(test, test.name || `test ${i + 1}`, file, rules, semantics));
}

function runTest(
  test: RuleTest,
  name: string,
  file: RuleTestFile,
  rules: ReadRules,
  semantics: Semantics,
): AssertionResult[] {
  const stepMs = file.evaluation_interval;
  const series = test.input_series.map(({ series: noted, values }) => {
    const { samples, ...rest } = parseSeriesNotation(noted, values, test.interval);
    return { ...rest, track: trackOf(samples) };
  });
  const wanted = new Set(test.alert_rule_test.map(({ alertname }) => alertname));
  const own = rules.taken.filter(({ alert }) => wanted.has(alert));
  const runs = own.map((rule) => new RuleRun(rule, series, semantics, stepMs, test.external_labels, test.external_url));
  const results: AssertionResult[] = [];
  const pending = [...test.alert_rule_test].sort((a, b) => a.eval_time - b.eval_time);
  const end = Math.max(0, ...pending.map(({ eval_time }) => eval_time));
  for (let slot = 0; slot <= end; slot += stepMs) {
    for (const run of runs) run.step(slot);
    // An assertion between two evaluations is about the earlier one.
    for (let next = pending[0]; next && next.eval_time < slot + stepMs; next = pending[0]) {
      pending.shift();
      results.push({ test: name, alert: next.alertname, at: next.eval_time, ...judge(next, runs, rules) });
    }
  }
  const unread = test.promql_expr_test.map(() => ({
    test: name,
    alert: "promql_expr_test",
    at: 0,
    result: "not_run" as const,
    why: "values of expressions are not tested here, only alerts",
  }));
  return [...results, ...unread];
}

function judge(
  assertion: RuleTest["alert_rule_test"][number],
  runs: readonly RuleRun[],
  rules: ReadRules,
): Pick<AssertionResult, "result" | "why"> {
  const { alertname } = assertion;
  const left = rules.left.find((rule) => rule.isAlert && rule.name === alertname);
  if (left) return { result: "not_run", why: `the rule was not taken: ${left.why}` };
  const own = runs.filter(({ rule }) => rule.alert === alertname);
  const broken = own.find(({ error }) => error !== null);
  if (broken) return { result: "failed", why: broken.error };
  const firing = own.flatMap((run) => run.firing());
  if (firing.some((alert) => alert === null))
    return { result: "not_run", why: "its labels or annotations use templates that are not read here" };
  const shown = (alert: { labels: Labels; annotations: Labels }) =>
    `${labelsKey(alert.labels)} ${labelsKey(alert.annotations)}`;
  const actual = firing.flatMap((alert) => (alert ? [shown(alert)] : [])).sort();
  const expected = assertion.exp_alerts
    .map(({ exp_labels, exp_annotations }) =>
      shown({ labels: { ...exp_labels, alertname }, annotations: exp_annotations }),
    )
    .sort();
  if (JSON.stringify(actual) === JSON.stringify(expected)) return { result: "passed", why: null };
  return { result: "failed", why: `expected [${expected.join("; ")}], got [${actual.join("; ")}]` };
}

export type NamedTrack = { metric: string; labels: Labels; track: Track };
type Target = { labels: Labels; named: Labels; track: Track | null };
type Live = { state: AlertState | null; value: number };

/** One rule over the series of one test. Each set of labels has its own alert. */
export class RuleRun {
  error: string | null = null;
  private readonly targets: Target[];
  private readonly tracks: Track[];
  private readonly live = new Map<number, Live>();
  private previous: number | null = null;

  constructor(
    readonly rule: TakenRule,
    series: readonly NamedTrack[],
    private readonly semantics: Semantics,
    private readonly stepMs: number,
    private readonly externalLabels: Labels,
    private readonly externalUrl: string,
  ) {
    const own = series.filter(({ metric, labels: given }) => isSelected(rule.expr.select, metric, given));
    this.tracks = own.map(({ track }) => track);
    this.targets =
      rule.expr.on === "absence"
        ? [{ labels: absentLabels(rule), named: absentLabels(rule), track: null }]
        : own.map(({ metric, labels: given, track }) => ({
            labels: given,
            // A function drops the name, a comparison alone keeps it.
            named:
              rule.expr.over.windowMs === 0 || rule.expr.over.of === "last" ? { ...given, __name__: metric } : given,
            track,
          }));
  }

  step(slot: number): void {
    const { expr } = this.rule;
    const readings = this.targets.map(({ track }) =>
      track === null ? this.absence(slot) : readTrack(track, countUntil(track, slot), slot, this.semantics, expr.over),
    );
    const doubled = this.twins(readings.map(({ value }) => value));
    this.error = doubled;
    if (doubled !== null) return;
    for (const [i, reading] of readings.entries()) {
      const before = this.live.get(i);
      const { state } = evaluate({ ...this.base(slot), state: before?.state ?? null, reading });
      // What an alert says is of the last slot at which its condition held.
      const isTold = reading.value !== null && (state?.status === "pending" || state?.status === "firing");
      const value = isTold ? (reading.value ?? Number.NaN) : (before?.value ?? Number.NaN);
      this.live.set(i, { state, value });
    }
    this.previous = slot;
  }

  /** Alerts that fire; null: one that cannot be written down. */
  firing(): ({ labels: Labels; annotations: Labels } | null)[] {
    return [...this.live].flatMap(([i, { state, value }]) => {
      const target = this.targets[i];
      return state !== null && state.status !== "pending" && target ? [this.written(target, value)] : [];
    });
  }

  private base(slot: number): Omit<Evaluation, "state" | "reading"> {
    return {
      condition: this.condition(),
      ruleVersion: 1,
      semantics: this.semantics,
      history: NO_FLAPS,
      slot,
      previousSlot: this.previous,
      isGone: false,
    };
  }

  private condition(): AlertCondition {
    const { expr, forMs, keepFiringMs } = this.rule;
    return {
      comparison: expr.comparison,
      threshold: expr.threshold,
      clearThreshold: expr.clearThreshold,
      forMs,
      keepFiringMs,
      intervalMs: this.stepMs,
      noData: "unknown",
      silenceToleranceMs: 0,
    };
  }

  private absence(slot: number) {
    const { over } = this.rule.expr;
    const isThere = this.tracks.some(
      (track) => readTrack(track, countUntil(track, slot), slot, this.semantics, over).value !== null,
    );
    return isThere ? { value: null, at: slot, reason: "series_ended" as const } : { value: 1, at: slot };
  }

  /** Two results of one set of labels are an error, and nothing of the slot counts. */
  private twins(values: readonly (number | null)[]): string | null {
    const seen = new Set<string>();
    for (const [i, value] of values.entries()) {
      const target = this.targets[i];
      if (value === null || !target || !this.holds(value, i)) continue;
      const written = this.written(target, value);
      const key = labelsKey(written?.labels ?? target.labels);
      if (seen.has(key)) return `two series make alerts of the same labels: ${key}`;
      seen.add(key);
    }
    return null;
  }

  private holds(value: number, i: number): boolean {
    const status = this.live.get(i)?.state?.status;
    return isTrue(this.condition(), value, status !== undefined && status !== "pending");
  }

  private written(target: Target, value: number): { labels: Labels; annotations: Labels } | null {
    const data: TemplateData = {
      labels: target.named,
      value,
      externalLabels: this.externalLabels,
      externalUrl: this.externalUrl,
    };
    const own = this.texts(this.rule.templates.labels, data);
    const annotations = this.texts(this.rule.templates.annotations, data);
    if (own === null || annotations === null) return null;
    const { __name__: _, ...rest } = target.labels;
    const all = { ...rest, ...own, alertname: this.rule.alert };
    return { labels: Object.fromEntries(Object.entries(all).filter(([, label]) => label !== "")), annotations };
  }

  private texts(templates: TakenRule["templates"]["labels"], data: TemplateData): Record<string, string> | null {
    const texts: Record<string, string> = {};
    for (const [name, template] of Object.entries(templates)) {
      const found = renderTemplate(template, data);
      if (found === null) return null;
      texts[name] = found;
    }
    return texts;
  }
}

/** What absence is said of: the labels that the selector names plainly, each once. */
function absentLabels({ expr }: TakenRule): Labels {
  const found: Record<string, string> = {};
  const seen = new Set<string>();
  for (const { label, op, value } of expr.select.matchers) {
    if (label === "__name__") continue;
    if (op === "=" && !seen.has(label)) {
      found[label] = value;
      seen.add(label);
    } else delete found[label];
  }
  return found;
}
