import type { Reading, Sample, Semantics } from "./types";
import { type WindowFunction, type WindowSamples, windowValue } from "./window";

/** A series as it is judged, oldest first, whatever it is kept in. A value of null says that the series has none (any more). */
export type Track = {
  length: number;
  at(i: number): number;
  value(i: number): number | null;
  isLate(i: number): boolean;
};

/** What of a series is compared: its newest sample (`windowMs` 0), or one number for a window. */
export type Over = { of: WindowFunction; windowMs: number; quantile?: number | undefined };

export const NEWEST: Over = { of: "last", windowMs: 0 };

export function trackOf(samples: readonly Sample[]): Track {
  return {
    length: samples.length,
    at: (i) => samples[i]?.at ?? Number.NaN,
    value: (i) => samples[i]?.value ?? null,
    isLate: (i) => samples[i]?.isLate ?? false,
  };
}

/** How many samples are not after an instant. */
export function countUntil(track: Track, at: number): number {
  let low = 0;
  let high = track.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (track.at(middle) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What a slot sees of a series, of which the first `count` samples are those up to the slot. */
export function readTrack(track: Track, count: number, slot: number, semantics: Semantics, over: Over): Reading {
  return over.windowMs > 0
    ? readWindow(track, count, slot, semantics, over)
    : readNewest(track, count, slot, semantics);
}

/** The newest sample within the lookback (B12). */
function readNewest(track: Track, count: number, slot: number, semantics: Semantics): Reading {
  for (let i = count - 1; i >= 0; i--) {
    if (isNoSample(track, i, semantics)) continue;
    const at = track.at(i);
    if (isBefore(at, slot - semantics.lookbackMs, semantics)) return { value: null, at, reason: "too_old" };
    const value = track.value(i);
    return value === null ? { value: null, at, reason: "series_ended" } : { value, at };
  }
  return { value: null, at: null, reason: "no_sample" };
}

/**
 * One number for the window before a slot. Where silence is unknown, a window whose newest sample is older than the lookback
 * says nothing: it would go on judging a machine that is silent.
 */
function readWindow(track: Track, count: number, slot: number, semantics: Semantics, over: Over): Reading {
  const from = slot - over.windowMs;
  const at: number[] = [];
  const values: number[] = [];
  let newest: number | null = null;
  for (let i = count - 1; i >= 0; i--) {
    if (isNoSample(track, i, semantics)) continue;
    const instant = track.at(i);
    if (newest === null) {
      newest = instant;
      const isSilent = semantics.absence === "unknown" && isBefore(instant, slot - semantics.lookbackMs, semantics);
      if (isSilent) return { value: null, at: instant, reason: "too_old" };
    }
    if (isBefore(instant, from, semantics)) break;
    const value = track.value(i);
    if (value === null) continue;
    at.push(instant);
    values.push(value);
  }
  if (values.length === 0) return { value: null, at: newest, reason: newest === null ? "no_sample" : "too_old" };
  const samples: WindowSamples = { at: at.reverse(), values: values.reverse(), from, to: slot };
  const value = windowValue(over.of, samples, over.quantile);
  const readAt = at.at(-1) ?? slot;
  return value === null ? { value: null, at: readAt, reason: "no_sample" } : { value, at: readAt };
}

/** Whether an instant lies before a lower end that itself counts ("closed") or not. */
function isBefore(at: number, end: number, { lookbackEdge }: Semantics): boolean {
  return lookbackEdge === "open" ? at <= end : at < end;
}

/** In the product's eyes NaN and "not available" are a broken sensor, not a cool GPU (B10): an older real value stands. */
export function isNoSample(track: Track, i: number, semantics: Semantics): boolean {
  if (track.isLate(i)) return true;
  const value = track.value(i);
  if (value === null) return semantics.absence === "unknown";
  return Number.isNaN(value) && semantics.nan === "noSample";
}
