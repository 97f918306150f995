/** What a gauge of the last Xid showed, and when it began to. */
export type GaugeState = { code: number; at: number };

export type GaugeChange = {
  at: number;
  code: number;
  /** Nobody had looked before: the Xid came at an unknown time until then. */
  isSinceBefore: boolean;
};

/** More changes of one gauge in one body than this: the newest stay. */
const MAX_CHANGES = 100;

/**
 * The events that a gauge's readings make, and what it shows after them. It holds the last Xid and counts nothing: only a change
 * to another code is an event, 0 is none and makes room for the same code again. Readings older than its last change say nothing.
 */
export function gaugeChanges(
  before: GaugeState | null,
  readings: readonly GaugeState[],
): { changes: GaugeChange[]; after: GaugeState | null } {
  const changes: GaugeChange[] = [];
  let state = before;
  for (const { at, code } of [...readings].sort((a, b) => a.at - b.at)) {
    if (state && (at <= state.at || code === state.code)) continue;
    if (code !== 0) changes.push({ at, code, isSinceBefore: state === null });
    state = { at, code };
  }
  return { changes: changes.slice(-MAX_CHANGES), after: state };
}

/** The window of DCGM's count of an Xid, as it comes: it shows one for so long after it. */
export const COUNT_WINDOW_MS = 300_000;

/**
 * Whether a reading of DCGM's count speaks of an event that is known: its window still shows what it showed before.
 * `known`: from when until when the count of this code has been seen.
 */
export function isSameCount(known: { from: number; to: number } | null, at: number): boolean {
  return known !== null && at >= known.from - COUNT_WINDOW_MS && at <= known.to + COUNT_WINDOW_MS;
}
