import type { Column } from "./types";

/** A value of a column; null where there is none, or none that can be drawn. */
export function cell(column: Column | undefined, index: number): number | null {
  const value = column?.[index];
  return value === undefined || value === null || !Number.isFinite(value) ? null : value;
}

/** What was measured, in order. */
export function known(column: Column | undefined): number[] {
  return (column ?? []).filter((value): value is number => value !== null && Number.isFinite(value));
}

export function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
