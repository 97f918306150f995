"use client";

import { useCallback, useSyncExternalStore } from "react";

/** Where the crosshair of a page stands, for what is not a chart but shares its time axis (a lifeline, a table). */
const places = new Map<string, number | null>();
const listeners = new Set<() => void>();

export function moveCrosshair(syncId: string, at: number | null): void {
  if ((places.get(syncId) ?? null) === at) return;
  places.set(syncId, at);
  for (const listener of listeners) listener();
}

/** The instant under the crosshair of the charts with this `syncId`; null while there is none. */
export function useCrosshair(syncId: string): number | null {
  const subscribe = useCallback((listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, []);
  return useSyncExternalStore(
    subscribe,
    () => places.get(syncId) ?? null,
    () => null,
  );
}

/** Index of the value nearest to `wanted` in an ascending list; 0 where the list is empty. */
export function nearestIndex(values: readonly number[], wanted: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  const before = values[low - 1];
  const here = values[low] ?? 0;
  return before !== undefined && wanted - before <= here - wanted ? low - 1 : low;
}
