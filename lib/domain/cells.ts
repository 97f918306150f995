import { decimalText } from "./cost/decimal";
import type { CsvCell } from "./csv";

const USD = 1_000_000n;

/** Dollars with all six decimals: a column adds up exactly. Null stays empty: it is not known. */
export function usdCell(micros: bigint | string | null): CsvCell {
  return micros === null ? null : { number: decimalText(BigInt(micros), USD, 6) };
}

export function instantCell(at: number | null): CsvCell {
  return at === null ? null : new Date(at).toISOString();
}

/** A figure of measurement, as it is. */
export function figureCell(value: number | null): CsvCell {
  return value === null || !Number.isFinite(value) ? null : value;
}
