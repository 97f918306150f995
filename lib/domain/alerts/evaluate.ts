import { beginEpisode, escalate, type Outcome, stepEpisode, verdict } from "./episode";
import { nextFlaps } from "./flapping";
import type { AlertCondition, AlertState, EpisodeEnd, FlapHistory, Reading, Semantics, Transition } from "./types";

export type Evaluation = {
  condition: AlertCondition;
  ruleVersion: number;
  semantics: Semantics;
  state: AlertState | null;
  history: FlapHistory;
  reading: Reading;
  /** Time as the rule sees it (B02). */
  slot: number;
  /** The last slot at which this rule was judged without error (time lost to errors is a gap as well); null: never. */
  previousSlot: number | null;
  /** The target's machine is known to be gone: by its termination or by two good listings, never by one poll (B16, B17). */
  isGone: boolean;
  /** A series without a machine ends when it has been silent for so long (B13); not given: silence never ends it. */
  endsAfterMs?: number | null;
};

export type Judgement = {
  state: AlertState | null;
  transitions: readonly Transition[];
  episodeEnds: EpisodeEnd | null;
  history: FlapHistory;
  /** Flapping ended in this slot: what was held may be told. */
  hasCalmed: boolean;
  /** Slots between the previous one and this, counted and never judged (B26). */
  missedSlots: number;
  /** Why nothing was judged: the slot is not newer (B46), or the state belongs to a newer rule (B28). */
  refused: "slot_not_newer" | "older_rule" | null;
};

const QUIET: Outcome = { state: null, transitions: [], ends: null, hasChanged: false };

/** What one slot makes of one rule on one target. The whole alerting policy is this function. */
export function evaluate(input: Evaluation): Judgement {
  const { state, history, slot, previousSlot, condition } = input;
  const newest = Math.max(previousSlot ?? Number.NEGATIVE_INFINITY, state?.lastSlot ?? Number.NEGATIVE_INFINITY);
  const refused =
    slot <= newest ? "slot_not_newer" : state && state.ruleVersion > input.ruleVersion ? "older_rule" : null;
  if (refused !== null) {
    return { state, transitions: [], episodeEnds: null, history, hasCalmed: false, missedSlots: 0, refused };
  }

  const gapMs = previousSlot === null ? 0 : slot - previousSlot;
  const outcome =
    state || opens(input) ? escalate(input, state ? stepEpisode(input, state, gapMs) : beginEpisode(input)) : QUIET;
  const flaps = nextFlaps(history, slot, outcome.hasChanged);
  return {
    state: outcome.state,
    transitions: flaps.hasBegun ? [...outcome.transitions, flapping(input, flaps.history)] : outcome.transitions,
    episodeEnds: outcome.ends,
    history: flaps.history,
    hasCalmed: flaps.hasCalmed,
    missedSlots: missedSlots(slot, previousSlot, condition.intervalMs),
    refused: null,
  };
}

/** Whether a slot would change nothing of a target on which nothing is open and nothing is remembered. */
export function isQuiet(input: Pick<Evaluation, "condition" | "semantics" | "reading" | "slot" | "isGone">): boolean {
  return input.isGone || verdict(input, false) !== "true";
}

/** Slots between two that were judged (B26). */
export function missedSlots(slot: number, previousSlot: number | null, intervalMs: number): number {
  return previousSlot === null ? 0 : Math.max(0, Math.round((slot - previousSlot) / intervalMs) - 1);
}

/** Missing data alone never open an episode, unless the rule says that they are the alert. */
function opens(input: Evaluation): boolean {
  return !isQuiet(input);
}

function flapping({ slot, reading }: Evaluation, history: FlapHistory): Transition {
  const note = `${history.changes.length} fires and recoveries in 30 min; notices are held until 15 min pass without one`;
  return { kind: "flapping", slot, value: reading.value, note };
}
