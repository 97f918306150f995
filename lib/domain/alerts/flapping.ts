import type { FlapHistory } from "./types";

const WINDOW_MS = 30 * 60_000;
const CALM_MS = 15 * 60_000;
const MOST_CHANGES = 6;

/**
 * B29: more than 6 fires and recoveries within 30 minutes are flapping, until 15 minutes pass without one.
 * Only what would be told counts; what hysteresis and keep-firing absorb does not.
 */
export function nextFlaps(
  history: FlapHistory,
  slot: number,
  hasChanged: boolean,
): { history: FlapHistory; hasBegun: boolean; hasCalmed: boolean } {
  const { flappingUntil } = history;
  const isOver = flappingUntil !== null && slot >= flappingUntil;
  if (!hasChanged) {
    return { history: isOver ? { ...history, flappingUntil: null } : history, hasBegun: false, hasCalmed: isOver };
  }
  const wasFlapping = flappingUntil !== null && !isOver;
  const changes = [...history.changes.filter((at) => at > slot - WINDOW_MS), slot];
  const isFlapping = wasFlapping || changes.length > MOST_CHANGES;
  return {
    history: { changes, flappingUntil: isFlapping ? slot + CALM_MS : null },
    hasBegun: isFlapping && !wasFlapping,
    hasCalmed: false,
  };
}

/** The same memory read back from storage: slots at which the rule fired or recovered on the target, and the open mark. */
export function flapHistory(changes: readonly number[], flappingUntil: number | null, slot: number): FlapHistory {
  const recent = changes.filter((at) => at > slot - WINDOW_MS && at < slot);
  return { changes: recent.sort((a, b) => a - b), flappingUntil };
}
