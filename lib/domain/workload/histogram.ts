/** A value of a counter at an instant. */
export type CounterPoint = { at: number; value: number };

/**
 * How much a counter rose from the first point to the last, ascending by time. A value below the one before it means that the
 * counter began anew: what it shows then was counted since. Null: fewer than two points, so nothing is known.
 */
export function counterIncrease(points: readonly CounterPoint[]): number | null {
  if (points.length < 2) return null;
  let increase = 0;
  for (let i = 1; i < points.length; i++) increase += stepOf(points[i - 1]?.value ?? 0, points[i]?.value ?? 0);
  return increase;
}

/** From one value of a counter to the next. */
export function stepOf(before: number, after: number): number {
  return after < before ? after : after - before;
}

/** How many fell at or below an upper bound, within a window; cumulative over the bounds. */
export type Bucket = { le: number; count: number };

/** The upper bound that a bucket's label names; null: it is none. */
export function readBound(text: string | undefined): number | null {
  if (text === undefined || text.trim() === "") return null;
  const said = text.trim();
  if (/^\+?inf(inity)?$/i.test(said)) return Number.POSITIVE_INFINITY;
  const bound = Number(said);
  return Number.isFinite(bound) ? bound : null;
}

/**
 * The quantile (0 to 1) of what was observed, as Prometheus' histogram_quantile: linear within the bucket that holds it, the
 * lowest bucket beginning at 0 where its bound is above 0; beyond the last finite bound that bound is all that is known.
 * Null: nothing was observed, there is no bucket without an end, or none beside it.
 */
export function histogramQuantile(quantile: number, given: readonly Bucket[]): number | null {
  const buckets = merged(given);
  const last = buckets.at(-1);
  if (!last || last.le !== Number.POSITIVE_INFINITY || buckets.length < 2) return null;
  const total = last.count;
  if (!(total > 0)) return null;
  const rank = Math.min(1, Math.max(0, quantile)) * total;
  const i = buckets.findIndex((bucket) => bucket.count >= rank);
  const found = buckets[i];
  const before = buckets[i - 1];
  if (!found || found.le === Number.POSITIVE_INFINITY) return buckets.at(-2)?.le ?? null;
  if (!before && found.le <= 0) return found.le;
  const lower = before?.le ?? 0;
  const below = before?.count ?? 0;
  const within = found.count - below;
  return within > 0 ? lower + ((found.le - lower) * (rank - below)) / within : found.le;
}

/** By ascending bound, equal bounds added up; a bucket below its neighbour (a torn scrape) counts as much as it. */
function merged(given: readonly Bucket[]): Bucket[] {
  const byBound = new Map<number, number>();
  for (const { le, count } of given) byBound.set(le, (byBound.get(le) ?? 0) + Math.max(0, count));
  let highest = 0;
  return [...byBound]
    .sort(([a], [b]) => a - b)
    .map(([le, count]) => {
      highest = Math.max(highest, count);
      return { le, count: highest };
    });
}

/** A quantile between two that are known: whether it lies beyond the last finite bound, so that it is at least what is said. */
export function isBeyondBuckets(quantile: number, given: readonly Bucket[]): boolean {
  const buckets = merged(given);
  const total = buckets.at(-1)?.count ?? 0;
  const lastFinite = buckets.filter(({ le }) => Number.isFinite(le)).at(-1);
  return total > 0 && lastFinite !== undefined && lastFinite.count < quantile * total;
}

/** The share that succeeded, 0 to 1, of what ended one way or the other; null: nothing did. */
export function successRatio(succeeded: number | null, failed: number | null): number | null {
  const all = (succeeded ?? 0) + (failed ?? 0);
  return all > 0 ? (succeeded ?? 0) / all : null;
}
