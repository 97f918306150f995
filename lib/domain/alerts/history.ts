import { memoryUsedPct } from "@/lib/domain/telemetry/catalogue";
import { columnsOf, type GpuFacts, gpuValueOf, type JudgedColumn } from "./gpu-values";
import { asWritten } from "./recent";
import type { Track } from "./track";

/**
 * A metric of one GPU over weeks. `rough` is the value before it is written out as a decimal: quick to read, and never
 * further from the exact one than `ROUGH_MARGIN` allows for.
 */
export type HistoryTrack = Track & {
  instants: Float64Array;
  rough: Float64Array;
  /** `rough` is the column as it is stored: a whole number in it is exact. */
  isStored: boolean;
};

/** Where columns that are made on the way are put. */
type Take = (size: number) => Float64Array;

const LATE = 1;

/** What a GPU's raw columns say of a metric, without what is never judged: late samples and missing values. */
export function historyTrack(
  metric: string,
  fallbackC: number,
  facts: GpuFacts,
  at: Float64Array,
  columns: Readonly<Partial<Record<JudgedColumn | "quality", Float64Array>>>,
  take: Take = (size) => new Float64Array(size),
): HistoryTrack {
  const stored = storedValues(metric, columns);
  const rough = stored ?? derivedValues(metric, fallbackC, facts, at.length, columns, take);
  const rows = keptRows(rough, columns.quality);
  const instants = rows === null ? at : Float64Array.from(rows, (row) => at[row] ?? Number.NaN);
  const values = rows === null ? rough : Float64Array.from(rows, (row) => rough[row] ?? Number.NaN);
  const measured = gpuValueOf(metric, fallbackC);
  return {
    length: instants.length,
    instants,
    rough: values,
    isStored: stored !== null,
    at: (i) => instants[i] ?? Number.NaN,
    isLate: () => false,
    value: (i) => {
      const row = rows === null ? i : (rows[i] ?? 0);
      return measured((column) => {
        const found = columns[column]?.[row] ?? Number.NaN;
        return Number.isNaN(found) ? null : asWritten(found);
      }, facts);
    },
  };
}

/** Null: all of them are. */
function keptRows(rough: Float64Array, quality: Float64Array | undefined): Uint32Array | null {
  const marks = quality !== undefined && hasMarks(quality) ? quality : null;
  let dropped = 0;
  for (let i = 0; i < rough.length; i++) {
    const value = rough[i] ?? Number.NaN;
    if (Number.isNaN(value) || (marks !== null && ((marks[i] ?? 0) & LATE) !== 0)) dropped++;
  }
  if (dropped === 0) return null;
  const rows = new Uint32Array(rough.length - dropped);
  for (let i = 0, next = 0; i < rough.length; i++) {
    const isDropped = Number.isNaN(rough[i]) || (marks !== null && ((marks[i] ?? 0) & LATE) !== 0);
    if (!isDropped) rows[next++] = i;
  }
  return rows;
}

/** Nearly always nothing is said of the quality of any sample. */
function hasMarks(quality: Float64Array): boolean {
  for (let i = 0; i < quality.length; i++) if (!Number.isNaN(quality[i])) return true;
  return false;
}

function storedValues(
  metric: string,
  columns: Readonly<Partial<Record<JudgedColumn, Float64Array>>>,
): Float64Array | null {
  const [first] = columnsOf(metric);
  return (first === metric ? columns[first] : undefined) ?? null;
}

function derivedValues(
  metric: string,
  fallbackC: number,
  facts: GpuFacts,
  size: number,
  columns: Readonly<Partial<Record<JudgedColumn, Float64Array>>>,
  take: Take,
): Float64Array {
  const values = take(size);
  if (metric === "effectiveUtilizationPct") return busiest(values, columns);
  const used = columns.memoryUsedMib;
  if (metric === "memoryUsedPct" && used) return shares(values, used, facts.memoryMib);
  const measured = gpuValueOf(metric, fallbackC);
  let row = 0;
  const read = (column: JudgedColumn) => {
    const found = columns[column]?.[row] ?? Number.NaN;
    return Number.isNaN(found) ? null : found;
  };
  for (; row < size; row++) values[row] = measured(read, facts) ?? Number.NaN;
  return values;
}

function shares(values: Float64Array, used: Float64Array, memoryMib: number | null): Float64Array {
  for (let i = 0; i < used.length; i++) values[i] = memoryUsedPct(used[i] ?? Number.NaN, memoryMib) ?? Number.NaN;
  return values;
}

/** The busiest unit of the card, or its utilisation where no unit is measured. */
function busiest(values: Float64Array, columns: Readonly<Partial<Record<JudgedColumn, Float64Array>>>): Float64Array {
  const { utilizationPct, smActivePct, tensorActivePct, dramActivePct } = columns;
  const [first, ...others] = [smActivePct, tensorActivePct, dramActivePct].filter((unit) => unit !== undefined);
  if (first) values.set(first);
  else values.fill(Number.NaN);
  for (const unit of others)
    for (let i = 0; i < values.length; i++) {
      const one = unit[i] ?? Number.NaN;
      const most = values[i] ?? Number.NaN;
      if (one > most || Number.isNaN(most)) values[i] = one;
    }
  if (utilizationPct)
    for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) values[i] = utilizationPct[i] ?? Number.NaN;
  return values;
}
