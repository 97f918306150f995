const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The steps that a chart may have, in milliseconds. */
export const STEPS_MS: readonly number[] = [
  ...[1, 2, 5, 10, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 3, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 3, 6].map((hours) => hours * HOUR),
  DAY,
];

/** A window in whole steps: [from, to), both multiples of the step since the epoch (UTC). */
export type Range = { stepMs: number; from: number; to: number };

/**
 * The finest step that shows [from, to) in at most `maxPoints`, and the window widened to whole steps, so that everyone who
 * asks within one step asks the same. `finestMs` is the interval of the samples: a finer step would be mostly gaps. Beyond the
 * coarsest step: whole days.
 */
export function resolveRange(from: number, to: number, maxPoints = 600, finestMs = 10 * SECOND): Range {
  const points = Math.max(2, Math.floor(maxPoints));
  const end = Math.max(from + 1, to);
  const fitting = STEPS_MS.find((stepMs) => stepMs >= finestMs && pointsOf(snap(from, end, stepMs)) <= points);
  if (fitting !== undefined) return snap(from, end, fitting);
  let days = Math.max(2, Math.ceil((end - from) / DAY / points));
  while (pointsOf(snap(from, end, days * DAY)) > points) days += 1;
  return snap(from, end, days * DAY);
}

export function pointsOf({ stepMs, from, to }: Range): number {
  return (to - from) / stepMs;
}

function snap(from: number, to: number, stepMs: number): Range {
  return { stepMs, from: Math.floor(from / stepMs) * stepMs, to: Math.ceil(to / stepMs) * stepMs };
}

/** One sample, or many already added up (an hour's row). */
export type SeriesPoint =
  | { at: number; value: number | null }
  | { at: number; n: number; sum: number; min: number; max: number };

/** One entry per step, measured or not: a step without a value is null with n = 0, which a chart draws as a gap. */
export type SeriesColumns = {
  at: number[];
  mean: (number | null)[];
  min: (number | null)[];
  max: (number | null)[];
  n: number[];
};

/** Puts points, in any order, into the steps of a range; peaks survive in `max`. Points outside the range are left out. */
export function bucketise(points: Iterable<SeriesPoint>, range: Range): SeriesColumns {
  const count = pointsOf(range);
  const sums = new Float64Array(count);
  const columns: SeriesColumns = {
    at: Array.from({ length: count }, (_, i) => range.from + i * range.stepMs),
    mean: new Array(count).fill(null),
    min: new Array(count).fill(null),
    max: new Array(count).fill(null),
    n: new Array(count).fill(0),
  };
  for (const point of points) {
    const added = "n" in point ? point : single(point.value);
    const i = Math.floor((point.at - range.from) / range.stepMs);
    if (added === null || added.n <= 0 || !(i >= 0 && i < count)) continue;
    columns.n[i] = (columns.n[i] ?? 0) + added.n;
    sums[i] = (sums[i] ?? 0) + added.sum;
    columns.min[i] = Math.min(columns.min[i] ?? added.min, added.min);
    columns.max[i] = Math.max(columns.max[i] ?? added.max, added.max);
  }
  for (const [i, n] of columns.n.entries()) if (n > 0) columns.mean[i] = (sums[i] ?? 0) / n;
  return columns;
}

function single(value: number | null): { n: number; sum: number; min: number; max: number } | null {
  return value === null || !Number.isFinite(value) ? null : { n: 1, sum: value, min: value, max: value };
}
