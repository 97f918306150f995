import { NEWEST, type Over } from "@/lib/domain/alerts/track";
import type { Comparison } from "@/lib/domain/alerts/types";
import type { WindowFunction } from "@/lib/domain/alerts/window";
import { PromqlError } from "./lex";
import { type Expr, parsePromql, type Selection } from "./parse";

/** An expression that the product's own evaluator can judge. */
export type TakenExpr = {
  select: Selection;
  over: Over;
  /** Judged where the series is there, by its value, or where no series is, as one. */
  on: "value" | "absence";
  comparison: Comparison;
  threshold: number;
  /** Hysteresis: an alert that fires stays until it is not beyond this one. */
  clearThreshold: number | null;
};

export type Taking = { taken: TakenExpr } | { why: string };

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  ">": "above",
  ">=": "at_least",
  "<": "below",
  "<=": "at_most",
  "==": "equal",
  "!=": "not_equal",
};

const MIRRORED: Readonly<Record<string, string>> = {
  ">": "<",
  ">=": "<=",
  "<": ">",
  "<=": ">=",
  "==": "==",
  "!=": "!=",
};

const WINDOWS: Readonly<Record<string, WindowFunction>> = {
  avg_over_time: "mean",
  min_over_time: "min",
  max_over_time: "max",
  sum_over_time: "sum",
  count_over_time: "count",
  last_over_time: "last",
  present_over_time: "present",
  stddev_over_time: "stddev",
  stdvar_over_time: "stdvar",
  quantile_over_time: "quantile",
  rate: "rate",
  increase: "increase",
  delta: "delta",
  changes: "changes",
  resets: "resets",
};

/** Of the rule whose expression it is: by its name it may ask whether it fires, and its alerts have its labels too. */
export type OwnRule = { alert: string; forMs: number; labels: readonly string[] };

/** What of an expression is taken, or why nothing is. */
export function takeExpression(text: string, own: OwnRule = { alert: "", forMs: 0, labels: [] }): Taking {
  try {
    return take(parsePromql(text), own);
  } catch (error) {
    if (error instanceof PromqlError) return { why: `the expression cannot be read: ${error.message}` };
    throw error;
  }
}

function take(expr: Expr, own: OwnRule): Taking {
  if (expr.kind === "binary" && expr.op === "or") return takeHysteresis(expr, own);
  if (expr.kind !== "binary") {
    const side = seriesSide(expr);
    if ("why" in side) return side;
    if (side.on === "absence") return { taken: { ...side, comparison: "equal", threshold: 1, clearThreshold: null } };
    return { why: "it compares with no number: every value of the series would fire" };
  }
  if (!(expr.op in COMPARISONS)) return { why: `"${expr.op}" joins more than one series and one number` };
  if (expr.isBool) return { why: "with bool it has a value whether it holds or not, so it would always fire" };
  const [left, right] = [constant(expr.left), constant(expr.right)];
  if (left !== null && right !== null) return { why: "it compares two numbers and looks at no series" };
  const threshold = right ?? left;
  if (threshold === null) return { why: "it compares two series, not a series and a number" };
  const op = right === null ? (MIRRORED[expr.op] ?? expr.op) : expr.op;
  const side = seriesSide(right === null ? expr.right : expr.left);
  if ("why" in side) return side;
  const comparison = COMPARISONS[op];
  return comparison
    ? { taken: { ...side, comparison, threshold, clearThreshold: null } }
    : { why: `"${op}" compares nothing` };
}

type Side = Pick<TakenExpr, "select" | "over" | "on"> | { why: string };

function seriesSide(expr: Expr): Side {
  switch (expr.kind) {
    case "select":
      if (expr.rangeMs !== null) return { why: "it is a range of samples, not a value" };
      return selected(expr.select, NEWEST, "value");
    case "call":
      return called(expr.name, expr.args);
    case "aggregation":
      return { why: `${expr.name}() sums up several series` };
    case "binary":
      return { why: `it calculates with "${expr.op}" before it compares` };
    case "shifted":
      return { why: `${expr.what} looks at another time` };
    case "subquery":
      return { why: "it has a subquery" };
    default:
      return { why: "it looks at no series" };
  }
}

function called(name: string, args: readonly Expr[]): Side {
  const [first, second] = args;
  if (name === "absent" && args.length === 1 && first?.kind === "select" && first.rangeMs === null)
    return selected(first.select, NEWEST, "absence");
  if (name === "absent_over_time" && args.length === 1 && first?.kind === "select" && first.rangeMs !== null)
    return selected(first.select, { of: "present", windowMs: first.rangeMs }, "absence");
  const of = Object.hasOwn(WINDOWS, name) ? WINDOWS[name] : undefined;
  if (!of) return { why: `${name}() is not among the functions that are taken` };
  const quantile = of === "quantile" && first ? constant(first) : null;
  const range = of === "quantile" ? second : first;
  if (args.length !== (of === "quantile" ? 2 : 1) || (of === "quantile" && quantile === null))
    return { why: `${name}() is not called as it is taken` };
  if (range?.kind !== "select" || range.rangeMs === null)
    return { why: `${name}() looks at something else than a range of one metric` };
  if (range.rangeMs === 0) return { why: "its window is empty" };
  return selected(range.select, { of, windowMs: range.rangeMs, ...(quantile !== null && { quantile }) }, "value");
}

function selected(select: Selection, over: Over, on: TakenExpr["on"]): Side {
  if (select.name === "ALERTS" || select.name === "ALERTS_FOR_STATE")
    return { why: "it looks at alerts, not at a series" };
  return { select, over, on };
}

/** `m > 85 or (m > 80 and ignoring(alertname, alertstate) ALERTS{alertname="Own"})`: raised at 85, held until 80. */
function takeHysteresis(expr: Expr & { kind: "binary" }, { alert, forMs, labels }: OwnRule): Taking {
  const plain = { alert: "", forMs, labels };
  const why = { why: '"or" joins more than one condition' };
  const raise = take(expr.left, plain);
  const rest = expr.right;
  if ("why" in raise || expr.matching !== null || rest.kind !== "binary" || rest.op !== "and") return why;
  const hold = take(rest.left, plain);
  if ("why" in hold || rest.right.kind !== "select") return why;
  const own = rest.right.select;
  const said = Object.fromEntries(own.matchers.map(({ label, op, value }) => [label, op === "=" ? value : null]));
  const known = own.name === "ALERTS" && said.alertname === alert && own.matchers.length === Object.keys(said).length;
  // A pending alert of it is in ALERTS, too: only one that fires at once means the same without its state.
  const isFiring = said.alertstate === "firing" || (said.alertstate === undefined && forMs === 0);
  const { taken } = raise;
  const isSame =
    hold.taken.comparison === taken.comparison &&
    JSON.stringify([hold.taken.select, hold.taken.over]) === JSON.stringify([taken.select, taken.over]) &&
    hold.taken.clearThreshold === null &&
    taken.clearThreshold === null;
  const isUp = taken.comparison === "above" || taken.comparison === "at_least";
  const isDown = taken.comparison === "below" || taken.comparison === "at_most";
  const isCalmer = isUp ? hold.taken.threshold <= taken.threshold : isDown && hold.taken.threshold >= taken.threshold;
  const others = Object.keys(said).filter((label) => label !== "alertname" && label !== "alertstate");
  if (!known || !isFiring || !isSame || !isCalmer || others.length > 0) return why;
  // Its alerts differ from the series by these labels and by no others.
  const ignored = [...new Set(["alertname", "alertstate", ...labels])].sort().join(", ");
  if (rest.matching !== `ignoring(${ignored})`) return why;
  return { taken: { ...taken, clearThreshold: hold.taken.threshold } };
}

/** The value of an expression of numbers alone; null: it is none. */
export function constant(expr: Expr): number | null {
  if (expr.kind === "number") return expr.value;
  if (expr.kind !== "binary") return null;
  const [left, right] = [constant(expr.left), constant(expr.right)];
  if (left === null || right === null) return null;
  switch (expr.op) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    case "%":
      return left % right;
    case "^":
      return left ** right;
    default:
      return null;
  }
}
