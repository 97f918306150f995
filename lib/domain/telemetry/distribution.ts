import type { BinSpec } from "./catalogue";

/** How many samples of a scope lay where, exactly; distributions of disjoint samples add. */
export type Distribution = { n: number; sum: number; min: number; max: number; bins: number[] };

/** The bin of a value; below and above the bins it is the first and the last. */
export function binOf(value: number, { lower, width, count }: BinSpec): number {
  return Math.min(count - 1, Math.max(0, Math.floor((value - lower) / width)));
}

/** A distribution in the making. */
export class Tally {
  private n = 0;
  private sum = 0;
  private min = Number.POSITIVE_INFINITY;
  private max = Number.NEGATIVE_INFINITY;
  private readonly bins: Float64Array;

  constructor(private readonly spec: BinSpec) {
    this.bins = new Float64Array(spec.count);
  }

  /** Counts a finite value. */
  add(value: number): void {
    const { lower, width, count } = this.spec;
    const place = Math.floor((value - lower) / width);
    const bin = place < 0 ? 0 : place < count ? place : count - 1;
    this.bins[bin] = (this.bins[bin] ?? 0) + 1;
    this.n += 1;
    this.sum += value;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
  }

  /** Null when nothing was counted. */
  distribution(): Distribution | null {
    const { n, sum, min, max, bins } = this;
    return n === 0 ? null : { n, sum, min, max, bins: [...bins] };
  }
}

/** Null when there is no value to count. */
export function distributionOf(values: Iterable<number | null>, spec: BinSpec): Distribution | null {
  const tally = new Tally(spec);
  for (const value of values) if (value !== null && Number.isFinite(value)) tally.add(value);
  return tally.distribution();
}

/** Two distributions of disjoint samples as one. */
export function mergeDistributions(a: Distribution | null, b: Distribution | null): Distribution | null {
  if (a === null || b === null) return a ?? b;
  return {
    n: a.n + b.n,
    sum: a.sum + b.sum,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
    bins: addBins(a.bins, b.bins),
  };
}

export function addBins(a: readonly number[], b: readonly number[]): number[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => (a[i] ?? 0) + (b[i] ?? 0));
}

/**
 * The p-th percentile (0 to 100) by nearest rank, as the lower edge of the bin where that rank lies: exact for whole per
 * cents, and never more than one bin too low. Null when nothing is counted.
 */
export function percentile(bins: readonly number[], spec: BinSpec, p: number): number | null {
  const n = bins.reduce((sum, count) => sum + count, 0);
  if (n === 0) return null;
  const rank = Math.min(n, Math.max(1, Math.ceil((p * n) / 100)));
  let below = 0;
  for (const [i, count] of bins.entries()) {
    below += count;
    if (below >= rank) return spec.lower + i * spec.width;
  }
  return null;
}

export function meanOf({ n, sum }: Pick<Distribution, "n" | "sum">): number | null {
  return n === 0 ? null : sum / n;
}

/** Counts as LEB128 varints, without the zeros at the end. Counts are whole numbers from 0 to 2^53. */
export function encodeBins(counts: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  const end = counts.findLastIndex((count) => count > 0) + 1;
  for (const count of counts.slice(0, end)) {
    let rest = count;
    while (rest >= 128) {
      bytes.push((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}

/** The inverse of `encodeBins`, filled up to `count` bins. Throws on bytes that it did not write. */
export function decodeBins(bytes: Uint8Array, count: number): number[] {
  const counts: number[] = [];
  let value = 0;
  let place = 1;
  for (const byte of bytes) {
    value += (byte % 128) * place;
    place *= 128;
    if (byte >= 128) continue;
    counts.push(value);
    value = 0;
    place = 1;
  }
  if (place !== 1 || counts.length > count || counts.some((one) => !Number.isSafeInteger(one))) {
    throw new RangeError(`Not ${count} bins`);
  }
  while (counts.length < count) counts.push(0);
  return counts;
}
