import { evaluate } from "./evaluate";
import { judgedSamples, readingBefore } from "./semantics";
import {
  type AlertCondition,
  type AlertState,
  type EpisodeEnd,
  type FlapHistory,
  NO_FLAPS,
  type Sample,
  type Semantics,
  type Transition,
} from "./types";

export type Replay = {
  condition: AlertCondition;
  semantics: Semantics;
  /** Sorted by time. */
  samples: readonly Sample[];
  /** Slots are judged in [from, to). */
  from: number;
  to: number;
  /** When the target is known to be gone; null: it is still there. */
  goneAt?: number | null;
  ruleVersion?: number;
};

export type Episode = {
  /** Its state at the end of the replay while open, else null; `ends` says how it ended. */
  state: AlertState | null;
  ends: EpisodeEnd | null;
  transitions: Transition[];
};

export type ReplayResult = {
  /** Episodes that fired, and the one still open at the end, in order of time. */
  episodes: Episode[];
  /** Pending spells that passed without firing. */
  neverFired: number;
  slots: number;
  history: FlapHistory;
};

/** What a rule would have said of a series, slot by slot on the live evaluator's own grid and by the same judgement. */
export function replay(input: Replay): ReplayResult {
  const { condition, semantics, to, goneAt = null, ruleVersion = 1 } = input;
  const { intervalMs } = condition;
  const samples = judgedSamples(input.samples, semantics);
  const episodes: Episode[] = [];
  let open: Episode | null = null;
  let state: AlertState | null = null;
  let history = NO_FLAPS;
  let previousSlot: number | null = null;
  let seen = 0;
  let neverFired = 0;
  let slots = 0;

  for (let slot = Math.ceil(input.from / intervalMs) * intervalMs; slot < to; slot += intervalMs) {
    while (seen < samples.length && (samples[seen]?.at ?? slot) <= slot) seen++;
    const reading = readingBefore(samples, seen, slot, semantics);
    const isGone = goneAt !== null && slot >= goneAt;
    const judged = evaluate({
      condition,
      ruleVersion,
      semantics,
      state,
      history,
      reading,
      slot,
      previousSlot,
      isGone,
    });
    state = judged.state;
    history = judged.history;
    previousSlot = slot;
    slots++;
    if (open === null && state === null && judged.episodeEnds === null) continue;
    open ??= { state, ends: null, transitions: [] };
    open.state = state;
    open.ends = judged.episodeEnds;
    open.transitions.push(...judged.transitions);
    if (judged.episodeEnds === null) continue;
    if (judged.episodeEnds.reason === "never_fired") neverFired++;
    else episodes.push(open);
    open = null;
  }
  if (open) episodes.push(open);
  return { episodes, neverFired, slots, history };
}
