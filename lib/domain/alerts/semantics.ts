import { silentAfterMs } from "@/lib/domain/telemetry/sample";
import { countUntil, NEWEST, type Over, readTrack, trackOf } from "./track";
import type { Reading, Sample, Semantics } from "./types";

/** B12: what counts is younger than the silence that makes a sender silent. */
export const PRODUCT_SEMANTICS = (intervalMs: number): Semantics => ({
  lookbackMs: silentAfterMs(intervalMs),
  lookbackEdge: "open",
  nan: "noSample",
  absence: "unknown",
});

/** What promtool 2.42 does: for rule tests and the recorded cases. */
export const PROMETHEUS_2_42 = (lookbackMs = 300_000): Semantics => ({
  lookbackMs,
  lookbackEdge: "closed",
  nan: "resolve",
  absence: "resolve",
});

/** The evaluation slot that `now` belongs to (B01). */
export function slotAt(now: number, intervalMs: number): number {
  return Math.floor(now / intervalMs) * intervalMs;
}

/** What a slot sees of a series sorted by time, never anything of the future. */
export function readingAt(
  samples: readonly Sample[],
  slot: number,
  semantics: Semantics,
  over: Over = NEWEST,
): Reading {
  const track = trackOf(samples);
  return readTrack(track, countUntil(track, slot), slot, semantics, over);
}
