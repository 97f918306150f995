import { evaluate } from "./evaluate";
import { isNoSample, NEWEST, type Over, readTrack, type Track, trackOf } from "./track";
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
  samples: readonly Sample[] | Track;
  /** What of the samples is compared; not given: the newest. */
  over?: Over;
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
  const samples = judged(Array.isArray(input.samples) ? trackOf(input.samples) : (input.samples as Track), semantics);
  const over = input.over ?? NEWEST;
  const episodes: Episode[] = [];
  let open: Episode | null = null;
  let state: AlertState | null = null;
  let history = NO_FLAPS;
  let previousSlot: number | null = null;
  let seen = 0;
  let neverFired = 0;
  let slots = 0;

  for (let slot = Math.ceil(input.from / intervalMs) * intervalMs; slot < to; slot += intervalMs) {
    while (seen < samples.length && samples.at(seen) <= slot) seen++;
    const reading = readTrack(samples, seen, slot, semantics, over);
    const isGone = goneAt !== null && slot >= goneAt;
    const result = evaluate({
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
    state = result.state;
    history = result.history;
    previousSlot = slot;
    slots++;
    if (open === null && state === null && result.episodeEnds === null) continue;
    open ??= { state, ends: null, transitions: [] };
    open.state = state;
    open.ends = result.episodeEnds;
    open.transitions.push(...result.transitions);
    if (result.episodeEnds === null) continue;
    if (result.episodeEnds.reason === "never_fired") neverFired++;
    else episodes.push(open);
    open = null;
  }
  if (open) episodes.push(open);
  return { episodes, neverFired, slots, history };
}

/** The samples that may be judged at all; a series full of holes is read in linear time after this. */
function judged(track: Track, semantics: Semantics): Track {
  const kept: number[] = [];
  for (let i = 0; i < track.length; i++) if (!isNoSample(track, i, semantics)) kept.push(i);
  if (kept.length === track.length) return track;
  const place = (i: number) => kept[i] ?? -1;
  return {
    length: kept.length,
    at: (i) => track.at(place(i)),
    value: (i) => track.value(place(i)),
    isLate: () => false,
  };
}
