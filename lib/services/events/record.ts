import { type EventSource, gaugeStates, insertKernelEvents, moveGauges, recordCounts } from "@/lib/db/events";
import type { GpuPlace, XidSighting } from "@/lib/domain/telemetry/report";
import { driverMessage } from "@/lib/domain/xid/kernel-log";
import { busPlace } from "@/lib/domain/xid/place";

/** PostgreSQL's integer; no Xid comes near. */
const MAX_CODE = 1_000_000;

/**
 * Makes events of what a sender saw. A line of the kernel is one event, whoever tells it and how often; a gauge holds the last
 * Xid, so that only its change is one. A gauge whose card nobody knows says nothing: there is nothing that it could have changed from.
 */
export async function recordSightings(
  source: EventSource,
  sightings: readonly XidSighting[],
  gpuIdOf: (place: GpuPlace) => number | null,
  receivedAt: Date,
): Promise<void> {
  const sane = sightings.filter(({ code }) => Number.isInteger(code) && code >= 0 && code <= MAX_CODE);
  if (sane.length === 0) return;
  await recordKernel(source, sane, gpuIdOf, receivedAt);
  await recordGauges(source, sane, gpuIdOf, receivedAt);
  const counted = placed(sane, "count", gpuIdOf).filter(({ code }) => code > 0);
  if (counted.length > 0) await recordCounts(source, counted, receivedAt);
}

async function recordKernel(
  source: EventSource,
  sightings: readonly XidSighting[],
  gpuIdOf: (place: GpuPlace) => number | null,
  receivedAt: Date,
): Promise<void> {
  const lines = sightings.filter(({ seenBy, code }) => seenBy === "kernel" && code > 0);
  if (lines.length === 0) return;
  const events = lines.map(({ at, atIs, code, place, text, pid, processName }) => ({
    at,
    code,
    gpuId: gpuIdOf(place),
    text,
    // With a time since boot or none, the line's own head tells it from the same words at another time.
    words: atIs === "received" ? text : driverMessage(text),
    detail: {
      seenBy: "kernel" as const,
      ...(atIs && { atIs }),
      busId: busPlace(place.busId),
      mig: place.mig,
      pid,
      processName,
    },
  }));
  await insertKernelEvents(source, events, receivedAt);
}

async function recordGauges(
  source: EventSource,
  sightings: readonly XidSighting[],
  gpuIdOf: (place: GpuPlace) => number | null,
  receivedAt: Date,
): Promise<void> {
  const readings = placed(sightings, "gauge", gpuIdOf);
  if (readings.length === 0) return;
  // Nearly every reading shows what the one before showed: one question without a lock answers those.
  const states = await gaugeStates([...new Set(readings.map(({ gpuId }) => gpuId))]);
  const changed = new Set(
    readings.flatMap(({ gpuId, code, at }) => {
      const state = states.get(gpuId);
      return !state || (state.code !== code && at > state.at) ? [gpuId] : [];
    }),
  );
  if (changed.size === 0) return;
  await moveGauges(
    source,
    readings.filter(({ gpuId }) => changed.has(gpuId)),
    receivedAt,
  );
}

function placed(
  sightings: readonly XidSighting[],
  seenBy: XidSighting["seenBy"],
  gpuIdOf: (place: GpuPlace) => number | null,
) {
  return sightings.flatMap(({ at, code, place, text, ...sighting }) => {
    const gpuId = sighting.seenBy === seenBy ? gpuIdOf(place) : null;
    return gpuId === null ? [] : [{ gpuId, at, code, text }];
  });
}
