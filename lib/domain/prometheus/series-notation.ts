import type { Sample } from "@/lib/domain/alerts/types";
import { lex, PromqlError } from "./lex";
import type { Labels } from "./matchers";
import { parsePromql } from "./parse";

export type NotedSeries = { metric: string; labels: Labels; samples: Sample[] };

const VALUE = /^([-+]?)(\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|[iI][nN][fF]|[nN][aA][nN])(?=$|[-+x])/;
const STEP = /^([-+])(\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)x(\d+)$/;
const MOST = 1_000_000;

/**
 * A series as rule tests write it: `metric{label="value"}` and values with spaces between them. `_` is a step without a sample,
 * `_xN` N of them, `stale` the end of the series, `axN` a value and N more of it, `a+bxN` a value and N more, each b higher.
 */
export function parseSeriesNotation(series: string, values: string, intervalMs: number): NotedSeries {
  const steps = parseValues(values);
  const samples = steps.flatMap((value, i): Sample[] => (value === undefined ? [] : [{ at: i * intervalMs, value }]));
  return { ...parseSeriesName(series), samples };
}

/** The name and labels of one series. */
export function parseSeriesName(text: string): Pick<NotedSeries, "metric" | "labels"> {
  if (lex(text).length === 0) throw new PromqlError("a series has no name");
  const expr = parsePromql(text);
  if (expr.kind !== "select" || expr.rangeMs !== null) throw new PromqlError(`"${text}" is no series`);
  const { name, matchers } = expr.select;
  const labels: Record<string, string> = {};
  for (const { label, op, value } of matchers) {
    if (op !== "=") throw new PromqlError(`"${text}" is no series: its labels are not plain`);
    if (value !== "") labels[label] = value;
  }
  const { __name__: named, ...rest } = labels;
  return { metric: name ?? named ?? "", labels: rest };
}

/** undefined: no sample; null: the series ends. */
function parseValues(text: string): (number | null | undefined)[] {
  if (text.includes("{{")) throw new PromqlError("histograms are not taken: give the series of their buckets");
  const steps = text.split(/\s+/).filter(Boolean).flatMap(expand);
  if (steps.length > MOST) throw new PromqlError(`more than ${MOST} values`);
  return steps;
}

function expand(item: string): (number | null | undefined)[] {
  const blank = /^_(?:x(\d+))?$/.exec(item);
  if (blank) return times(undefined, Number(blank[1] ?? 1));
  const end = /^stale(?:x(\d+))?$/.exec(item);
  if (end) return times(null, Number(end[1] ?? 0) + 1);
  const value = VALUE.exec(item);
  if (!value) throw new PromqlError(`"${item}" is no value`);
  const first = (value[1] === "-" ? -1 : 1) * numeral(value[2] ?? "");
  const rest = item.slice(value[0].length);
  if (rest === "") return [first];
  const again = /^x(\d+)$/.exec(rest);
  if (again) return times(first, Number(again[1]) + 1);
  const stepped = STEP.exec(rest);
  if (!stepped) throw new PromqlError(`"${item}" is no value`);
  const step = (stepped[1] === "-" ? -1 : 1) * Number(stepped[2]);
  const count = Number(stepped[3]) + 1;
  // Added up one by one, as Prometheus does: 0.1 ten times is not 1.
  const steps = times(first, count);
  for (let i = 1; i < count; i++) steps[i] = (steps[i - 1] ?? 0) + step;
  return steps;
}

function times<T>(value: T, count: number): T[] {
  if (count > MOST) throw new PromqlError(`more than ${MOST} values`);
  return Array.from({ length: count }, () => value);
}

function numeral(text: string): number {
  if (/^inf$/i.test(text)) return Number.POSITIVE_INFINITY;
  return /^nan$/i.test(text) ? Number.NaN : Number(text);
}
