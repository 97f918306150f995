/** The samples of a window, oldest first; never none. `from` and `to` are the window's ends. */
export type WindowSamples = { at: readonly number[]; values: readonly number[]; from: number; to: number };

/** What can be made of a window. Those of rules come first; the others are known to files of Prometheus alone. */
export type WindowFunction =
  | "last"
  | "mean"
  | "min"
  | "max"
  | "p95"
  | "rate"
  | "change"
  | "count"
  | "sum"
  | "quantile"
  | "stddev"
  | "stdvar"
  | "present"
  | "increase"
  | "delta"
  | "changes"
  | "resets";

/** One number for a window; null: the window holds too little for it. Sums are compensated, as Prometheus does it. */
export function windowValue(of: WindowFunction, samples: WindowSamples, quantile = 0.95): number | null {
  const { values } = samples;
  switch (of) {
    case "last":
      return values.at(-1) ?? null;
    case "mean":
      return mean(values);
    case "min":
      return values.reduce((least, value) => (value < least || Number.isNaN(least) ? value : least));
    case "max":
      return values.reduce((most, value) => (value > most || Number.isNaN(most) ? value : most));
    case "p95":
      return quantileOf(0.95, values);
    case "quantile":
      return quantileOf(quantile, values);
    case "count":
      return values.length;
    case "present":
      return 1;
    case "sum":
      return sum(values);
    case "stdvar":
      return variance(values);
    case "stddev":
      return Math.sqrt(variance(values));
    case "change":
      return values.length < 2 ? null : (values.at(-1) ?? 0) - (values[0] ?? 0);
    case "changes":
      return pairs(values).filter(([a, b]) => a !== b && !(Number.isNaN(a) && Number.isNaN(b))).length;
    case "resets":
      return pairs(values).filter(([a, b]) => b < a).length;
    case "rate":
      return extrapolated(samples, true, (samples.to - samples.from) / 1_000);
    case "increase":
      return extrapolated(samples, true);
    case "delta":
      return extrapolated(samples, false);
  }
}

function pairs(values: readonly number[]): [number, number][] {
  return values.slice(1).map((value, i) => [values[i] ?? Number.NaN, value]);
}

type Compensated = { sum: number; rest: number };

/** Neumaier's sum. */
function add({ sum: before, rest }: Compensated, value: number): Compensated {
  const after = before + value;
  const lost = Math.abs(before) >= Math.abs(value) ? before - after + value : value - after + before;
  return { sum: after, rest: rest + lost };
}

const whole = ({ sum: total, rest }: Compensated) =>
  Math.abs(total) === Number.POSITIVE_INFINITY ? total : total + rest;

function sum(values: readonly number[]): number {
  return whole(values.reduce(add, { sum: 0, rest: 0 }));
}

function mean(values: readonly number[]): number {
  let so: Compensated = { sum: 0, rest: 0 };
  values.forEach((value, i) => {
    const isInfinite = Math.abs(so.sum) === Number.POSITIVE_INFINITY;
    // An infinite mean stays, until its opposite or NaN comes.
    if (isInfinite && (value === so.sum || Number.isFinite(value))) return;
    so = add(so, value / (i + 1) - so.sum / (i + 1));
  });
  return whole(so);
}

function variance(values: readonly number[]): number {
  let middle: Compensated = { sum: 0, rest: 0 };
  let squares: Compensated = { sum: 0, rest: 0 };
  values.forEach((value, i) => {
    const away = value - (middle.sum + middle.rest);
    middle = add(middle, away / (i + 1));
    squares = add(squares, away * (value - (middle.sum + middle.rest)));
  });
  return (squares.sum + squares.rest) / values.length;
}

/** By rank, with a straight line between neighbours; NaN is less than everything. */
function quantileOf(quantile: number, values: readonly number[]): number {
  if (Number.isNaN(quantile)) return Number.NaN;
  if (quantile < 0) return Number.NEGATIVE_INFINITY;
  if (quantile > 1) return Number.POSITIVE_INFINITY;
  const sorted = [...values].sort((a, b) => (Number.isNaN(a) ? -1 : Number.isNaN(b) ? 1 : a - b));
  const rank = quantile * (sorted.length - 1);
  const lower = Math.floor(rank);
  const weight = rank - lower;
  const at = (i: number) => sorted[Math.min(sorted.length - 1, i)] ?? Number.NaN;
  return at(lower) * (1 - weight) + at(lower + 1) * weight;
}

/**
 * By how much a series rose over the whole window, drawn on to its ends where the samples come close to them. Of a counter a
 * drop is a restart from zero (B23), and nothing is drawn on beyond the instant at which it was zero. `per`: seconds to share it among.
 */
function extrapolated({ at, values, from, to }: WindowSamples, isCounter: boolean, per = 1): number | null {
  const count = values.length;
  const [first, last] = [values[0], values[count - 1]];
  const [firstAt, lastAt] = [at[0], at[count - 1]];
  if (count < 2 || first === undefined || last === undefined || firstAt === undefined || lastAt === undefined)
    return null;
  let rise = last - first;
  if (isCounter) for (const [before, value] of pairs(values)) if (value < before) rise += before;

  const covered = (lastAt - firstAt) / 1_000;
  const step = covered / (count - 1);
  let before = (firstAt - from) / 1_000;
  const after = (to - lastAt) / 1_000;
  if (isCounter && rise > 0 && first >= 0) before = Math.min(before, covered * (first / rise));
  const reach = step * 1.1;
  const seconds = covered + (before < reach ? before : step / 2) + (after < reach ? after : step / 2);
  return rise * (seconds / covered / per);
}
