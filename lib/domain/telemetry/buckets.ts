import type { BinSpec } from "./catalogue";
import { binOf, type Distribution, percentile } from "./distribution";
import { pointsOf, type Range, type SeriesColumns } from "./series";

type Sum = { n: number; sum: number; min: number; max: number };

/** Many samples in the steps of a range: count, sum, lowest, highest, and (with bins) how they spread. */
export class Buckets {
  readonly n: Float64Array;
  readonly sum: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  private readonly bins: Float64Array[] = [];

  constructor(
    readonly range: Range,
    readonly spec: BinSpec | null,
  ) {
    const count = pointsOf(range);
    this.n = new Float64Array(count);
    this.sum = new Float64Array(count);
    this.min = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    this.max = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  }

  /** Values times `factor` at their instants; NaN is no value, and what lies outside the range is left out. */
  addColumn(at: Float64Array, values: Float64Array, factor = 1): void {
    const { from, stepMs } = this.range;
    const count = this.n.length;
    for (let k = 0; k < at.length; k++) {
      const value = (values[k] ?? Number.NaN) * factor;
      if (Number.isNaN(value)) continue;
      const i = Math.floor(((at[k] ?? 0) - from) / stepMs);
      if (i < 0 || i >= count) continue;
      this.add(i, 1, value, value, value);
      if (this.spec) {
        const bins = this.binsAt(i, this.spec);
        const bin = binOf(value, this.spec);
        bins[bin] = (bins[bin] ?? 0) + 1;
      }
    }
  }

  /** Samples that were added up before; their spread is not known, so no percentile of such a step is. */
  addMany(at: number, { n, sum, min, max }: Sum): void {
    const i = Math.floor((at - this.range.from) / this.range.stepMs);
    if (i >= 0 && i < this.n.length && n > 0) this.add(i, n, sum, min, max);
  }

  /** The p-th percentile of each step, as `percentile` gives it; null where nothing was counted, or where spread is not known. */
  percentiles(p: number): (number | null)[] {
    const { spec } = this;
    return Array.from(this.n, (n, i) => {
      const bins = this.bins[i];
      return n === 0 || !bins || !spec ? null : percentile([...bins], spec, p);
    });
  }

  /** All of a step, with its spread; null where nothing was counted, or where spread is not known. */
  distribution(i: number): Distribution | null {
    const { n, sum, min, max } = this;
    const bins = this.bins[i];
    if (!bins || !(n[i] ?? 0)) return null;
    return { n: n[i] ?? 0, sum: sum[i] ?? 0, min: min[i] ?? 0, max: max[i] ?? 0, bins: [...bins] };
  }

  private add(i: number, n: number, sum: number, min: number, max: number): void {
    this.n[i] = (this.n[i] ?? 0) + n;
    this.sum[i] = (this.sum[i] ?? 0) + sum;
    if (min < (this.min[i] ?? Number.POSITIVE_INFINITY)) this.min[i] = min;
    if (max > (this.max[i] ?? Number.NEGATIVE_INFINITY)) this.max[i] = max;
  }

  private binsAt(i: number, spec: BinSpec): Float64Array {
    const bins = this.bins[i] ?? new Float64Array(spec.count);
    this.bins[i] = bins;
    return bins;
  }
}

export function bucketsOf(range: Range, spec: BinSpec | null): Buckets {
  return new Buckets(range, spec);
}

/** One entry per step; a step without a value is null, which a chart draws as a gap. */
export function toSeries({ n, sum, min, max }: Buckets, range: Range): SeriesColumns {
  const orNull = (values: Float64Array) => Array.from(values, (value, i) => ((n[i] ?? 0) > 0 ? value : null));
  return {
    at: Array.from(n, (_, i) => range.from + i * range.stepMs),
    mean: Array.from(n, (count, i) => (count > 0 ? (sum[i] ?? 0) / count : null)),
    min: orNull(min),
    max: orNull(max),
    n: [...n],
  };
}
