import { silentAfterMs } from "@/lib/domain/telemetry/sample";
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

/** What a slot sees of a series sorted by time: the newest sample within the lookback (B12), never one of the future. */
export function readingAt(samples: readonly Sample[], slot: number, semantics: Semantics): Reading {
  let low = 0;
  let high = samples.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((samples[middle]?.at ?? Number.POSITIVE_INFINITY) <= slot) low = middle + 1;
    else high = middle;
  }
  return readingBefore(samples, low, slot, semantics);
}

/** As `readingAt`, where it is known that the first `count` samples are those up to the slot. */
export function readingBefore(samples: readonly Sample[], count: number, slot: number, semantics: Semantics): Reading {
  const oldest = slot - semantics.lookbackMs;
  for (let i = count - 1; i >= 0; i--) {
    const sample = samples[i];
    if (!sample || isNoSample(sample, semantics)) continue;
    if (sample.at < oldest || (sample.at === oldest && semantics.lookbackEdge === "open")) {
      return { value: null, at: sample.at, reason: "too_old" };
    }
    if (sample.value === null) return { value: null, at: sample.at, reason: "series_ended" };
    return { value: sample.value, at: sample.at };
  }
  return { value: null, at: null, reason: "no_sample" };
}

/** The samples that may be judged at all; a series full of holes is read in linear time after this. */
export function judgedSamples(samples: readonly Sample[], semantics: Semantics): readonly Sample[] {
  return samples.some((sample) => isNoSample(sample, semantics))
    ? samples.filter((sample) => !isNoSample(sample, semantics))
    : samples;
}

/** In the product's eyes NaN and "not available" are a broken sensor, not a cool GPU (B10): an older real value stands. */
function isNoSample(sample: Sample, semantics: Semantics): boolean {
  if (sample.isLate) return true;
  if (sample.value === null) return semantics.absence === "unknown";
  return Number.isNaN(sample.value) && semantics.nan === "noSample";
}
