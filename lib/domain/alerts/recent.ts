import { type GpuFacts, type GpuValue, gpuValueOf, type JudgedColumn, NO_FACTS } from "./gpu-values";
import type { Track } from "./track";

/** Rows in any order, column by column: so many machines are judged that an object per sample would be the worker's memory. */
export type SampleRows = {
  /** How many rows of the arrays are used. */
  size: number;
  gpuIds: Int32Array;
  at: Float64Array;
  isLate: Uint8Array;
  columns: Readonly<Partial<Record<JudgedColumn, Float32Array | Float64Array>>>;
};

/** The samples of GPUs of the last minutes, each GPU's in the order of time. A value of NaN is missing. */
export class RecentSamples {
  private readonly places = new Map<number, number>();
  private readonly starts: Uint32Array;
  /** The rows by GPU and time; the columns stay as they came. */
  private readonly order: Uint32Array;

  constructor(private readonly rows: SampleRows) {
    const { places } = this;
    for (let row = 0; row < rows.size; row++) {
      const id = rows.gpuIds[row] ?? -1;
      if (!places.has(id)) places.set(id, places.size);
    }
    this.starts = new Uint32Array(places.size + 1);
    for (let row = 0; row < rows.size; row++) {
      const next = (places.get(rows.gpuIds[row] ?? -1) ?? 0) + 1;
      this.starts[next] = (this.starts[next] ?? 0) + 1;
    }
    for (let i = 1; i < this.starts.length; i++) this.starts[i] = (this.starts[i] ?? 0) + (this.starts[i - 1] ?? 0);
    this.order = ordered(rows, places, this.starts);
  }

  get size(): number {
    return this.rows.size;
  }

  /** How many samples there are of a GPU. */
  count(gpuId: number): number {
    const place = this.places.get(gpuId);
    return place === undefined ? 0 : (this.starts[place + 1] ?? 0) - (this.starts[place] ?? 0);
  }

  /** The place of a GPU's first sample. */
  start(gpuId: number): number {
    const place = this.places.get(gpuId);
    return place === undefined ? 0 : (this.starts[place] ?? 0);
  }

  instant(place: number): number {
    return this.rows.at[this.order[place] ?? -1] ?? Number.NaN;
  }

  late(place: number): boolean {
    return this.rows.isLate[this.order[place] ?? -1] === 1;
  }

  /** Null: this sample does not say. */
  read(place: number, column: JudgedColumn): number | null {
    const found = this.rows.columns[column]?.[this.order[place] ?? -1] ?? Number.NaN;
    return Number.isNaN(found) ? null : asWritten(found);
  }
}

/** A metric of one GPU after the other, in one object: ten thousand of them, twenty times a round, would be the round. */
export class RecentTrack implements Track {
  length = 0;
  private start = 0;
  private row = 0;
  private facts: GpuFacts = NO_FACTS;
  private samples: RecentSamples | null = null;
  private readonly measured: GpuValue;
  private readonly reader = (column: JudgedColumn): number | null => this.samples?.read(this.row, column) ?? null;

  constructor(metric: string, fallbackC: number) {
    this.measured = gpuValueOf(metric, fallbackC);
  }

  /** Turns to a GPU. False: there is no sample of it. */
  turn(samples: RecentSamples | null, gpuId: number, facts: GpuFacts): boolean {
    this.samples = samples;
    this.facts = facts;
    this.length = samples?.count(gpuId) ?? 0;
    this.start = samples?.start(gpuId) ?? 0;
    return this.length > 0;
  }

  at(i: number): number {
    return this.samples?.instant(this.start + i) ?? Number.NaN;
  }

  isLate(i: number): boolean {
    return this.samples?.late(this.start + i) ?? false;
  }

  value(i: number): number | null {
    this.row = this.start + i;
    return this.measured(this.reader, this.facts);
  }
}

function ordered(
  { gpuIds, at, size }: SampleRows,
  places: ReadonlyMap<number, number>,
  starts: Uint32Array,
): Uint32Array {
  const order = new Uint32Array(size);
  const next = starts.slice(0, -1);
  for (let row = 0; row < size; row++) {
    const place = places.get(gpuIds[row] ?? -1) ?? 0;
    const free = next[place] ?? 0;
    order[free] = row;
    next[place] = free + 1;
  }
  const time = (row: number) => at[row] ?? 0;
  for (let place = 0; place + 1 < starts.length; place++) {
    const own = order.subarray(starts[place], starts[place + 1]);
    if (!own.every((row, i) => i === 0 || time(row) >= time(own[i - 1] ?? 0))) own.sort((a, b) => time(a) - time(b));
  }
  return order;
}

/** A measured number as it was written: storage holds 32-bit floats, and 85.1 of them is not 85.1. */
export function asWritten(single: number): number {
  if (Number.isInteger(single)) return single;
  const short = Number(single.toPrecision(7));
  return Math.fround(short) === single ? short : single;
}
