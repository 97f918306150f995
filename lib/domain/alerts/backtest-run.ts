import { isBeyond, isEquality, isUpward } from "./condition";
import { evaluate } from "./evaluate";
import type { HistoryTrack } from "./history";
import type { Episode } from "./replay";
import { countUntil, type Over, readTrack } from "./track";
import { type AlertCondition, type AlertState, NO_FLAPS, type Semantics } from "./types";

export type HistoryRun = {
  condition: AlertCondition;
  semantics: Semantics;
  track: HistoryTrack;
  over: Over;
  /** Slots are judged in [from, to). */
  from: number;
  to: number;
  goneAt: number | null;
};

export type HistoryVerdict = {
  /** Episodes that fired, and the one still open at the end, in order of time. */
  episodes: Episode[];
  neverFired: number;
  /** Slots at which the evaluator itself was asked; the others are known to change nothing. */
  judgedSlots: number;
};

/**
 * What `replay` says of a series, by the same evaluator, in the time that its changes take: slots that cannot change
 * anything are passed over, and where that is not certain the evaluator is asked.
 */
export function runHistory(run: HistoryRun): HistoryVerdict {
  const { condition, semantics, track, over, to, goneAt } = run;
  const { intervalMs } = condition;
  const first = Math.ceil(run.from / intervalMs) * intervalMs;
  const skips = new Skips(run);
  const episodes: Episode[] = [];
  let open: Episode | null = null;
  let state: AlertState | null = null;
  let history = NO_FLAPS;
  let neverFired = 0;
  let judgedSlots = 0;
  let seen = countUntil(track, first);

  for (let slot = first; slot < to; slot += intervalMs) {
    if (state === null) {
      slot = skips.toCandidate(slot);
      const endsAt = skips.passing(slot);
      if (endsAt !== null) {
        neverFired++;
        slot = endsAt;
        continue;
      }
    } else {
      const steady = skips.steady(slot, state);
      if (steady) {
        slot = steady.slot;
        state = steady.state;
        if (open) open.state = state;
      }
    }
    if (!(slot < to)) break;
    const isGone = goneAt !== null && slot >= goneAt;
    if (isGone && state === null) break;
    while (seen < track.length && track.at(seen) <= slot) seen++;
    const result = evaluate({
      condition,
      ruleVersion: 1,
      semantics,
      state,
      history,
      reading: readTrack(track, seen, slot, semantics, over),
      slot,
      previousSlot: slot === first ? null : slot - intervalMs,
      isGone,
    });
    judgedSlots++;
    state = result.state;
    history = result.history;
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
  return { episodes, neverFired, judgedSlots };
}

/** Within this of a limit (in its unit, or as a part of it) the exact value is asked for. */
export const ROUGH_MARGIN = 1e-4;
/** Beyond this, sums over a window may lose more than the margin. */
const LARGE = 1e6;

const BOUNDED = new Set<Over["of"]>(["last", "min", "max", "mean", "p95"]);

/** Which slots can change nothing. Places in the track only move forward, as slots do. */
class Skips {
  private readonly isProduct: boolean;
  private readonly isNewest: boolean;
  private readonly canSkipQuiet: boolean;
  /** A value below `below` (and above `floor`), or above `above` (and below `ceiling`), raises nothing. */
  private readonly below: number;
  private readonly above: number;
  private readonly floor: number;
  private readonly ceiling: number;
  private near = 0;
  private newest = -1;

  constructor(private readonly run: HistoryRun) {
    const { condition, semantics, over } = run;
    this.isProduct = semantics.absence === "unknown" && semantics.nan === "noSample";
    this.isNewest = over.windowMs <= 0;
    const isBounded = this.isNewest || (BOUNDED.has(over.of) && !isEquality(condition.comparison));
    this.canSkipQuiet = this.isProduct && condition.noData !== "alert" && isBounded;
    const { comparison, threshold } = condition;
    const isUp = isUpward(comparison);
    const isExact = comparison === "equal";
    this.below = isUp || isExact ? threshold - margin(threshold) : Number.NEGATIVE_INFINITY;
    this.above =
      (!isUp && comparison !== "not_equal") || isExact ? threshold + margin(threshold) : Number.POSITIVE_INFINITY;
    this.floor = this.isNewest ? Number.NEGATIVE_INFINITY : -LARGE;
    this.ceiling = this.isNewest ? Number.POSITIVE_INFINITY : LARGE;
  }

  /** The first slot from this one on at which an episode may begin; infinite: there is none. */
  toCandidate(slot: number): number {
    if (!this.canSkipQuiet) return slot;
    const { track, over, condition } = this.run;
    const { instants, rough } = track;
    if (this.isNewest) this.near = Math.max(this.near, this.governing(slot), 0);
    else while (this.near < track.length && (instants[this.near] ?? 0) < slot - over.windowMs) this.near++;
    const { below, above, floor, ceiling } = this;
    const { length } = track;
    let near = this.near;
    for (; near < length; near++) {
      const value = rough[near] ?? Number.NaN;
      if ((value < below && value > floor) || (value > above && value < ceiling)) continue;
      if (this.isNewest && this.says(value, condition.threshold) === false) continue;
      const at = instants[near] ?? 0;
      const candidate = Math.max(slot, this.slotFrom(at));
      const isReplaced = this.isNewest && near + 1 < length && (instants[near + 1] ?? 0) <= candidate;
      const isOld = this.isNewest && candidate - at > this.run.semantics.lookbackMs;
      if (isReplaced || isOld) continue;
      this.near = near;
      return candidate;
    }
    this.near = near;
    return Number.POSITIVE_INFINITY;
  }

  /**
   * The slot that ends an episode which begins at this one and is over before it fires; null: it fires, or only the
   * evaluator can tell.
   */
  passing(begin: number): number | null {
    if (!this.canSkipQuiet || !this.isNewest) return null;
    const { condition, semantics, track } = this.run;
    const { instants, rough } = track;
    const end = Math.min(this.end(), begin + condition.forMs + 1);
    let place = begin < end ? this.governing(begin) : -1;
    for (let slot = begin; slot < end && place >= 0; slot += condition.intervalMs) {
      while (place + 1 < track.length && (instants[place + 1] ?? 0) <= slot) place++;
      if (slot - (instants[place] ?? 0) >= semantics.lookbackMs) return null;
      const isTrue = this.says(rough[place] ?? Number.NaN, condition.threshold);
      if (isTrue === null) return null;
      if (!isTrue) return slot > begin ? slot : null;
    }
    return null;
  }

  /** The open episode at the first slot at which it may change, if that is later than this one. */
  steady(slot: number, state: AlertState): { slot: number; state: AlertState } | null {
    if (!this.isProduct || !this.isNewest) return null;
    if (state.status === "unknown") return this.silent(slot, state);
    if (state.status !== "firing" && state.status !== "pending") return null;
    const { condition } = this.run;
    const isFiring = state.status === "firing";
    if (isFiring && (condition.criticalThreshold ?? null) !== null && !state.isEscalated) return null;
    if (state.keepSince !== null || state.firstValue === null) return null;
    const limit = isFiring ? (condition.clearThreshold ?? condition.threshold) : condition.threshold;
    return this.held(slot, state, limit, isFiring ? Number.POSITIVE_INFINITY : state.activeAt + condition.forMs);
  }

  /** Samples clearly beyond the limit hold an episode where it is. */
  private held(slot: number, before: AlertState, limit: number, until: number) {
    const { condition, semantics, track } = this.run;
    const { instants, rough } = track;
    const end = Math.min(this.end(), until);
    const isUp = isUpward(condition.comparison);
    let next = slot;
    let place = this.governing(slot);
    let last = -1;
    let peak = -1;
    while (next < end && place >= 0) {
      const value = rough[place] ?? Number.NaN;
      if (this.says(value, limit) !== true) break;
      const replacedAt = place + 1 < track.length ? (instants[place + 1] ?? 0) : Number.POSITIVE_INFINITY;
      const stop = Math.min(end, replacedAt, (instants[place] ?? 0) + semantics.lookbackMs);
      if (next >= stop) break;
      last = place;
      const most = rough[peak] ?? value;
      if (peak < 0 || (isUp ? value > most : value < most)) peak = place;
      next = this.slotFrom(stop);
      while (place + 1 < track.length && (instants[place + 1] ?? 0) <= next) place++;
    }
    if (next === slot) return null;
    const peakValue = further(isUp, before.peakValue, track.value(peak));
    const lastSlot = next - condition.intervalMs;
    return { slot: next, state: { ...before, lastSlot, lastValue: track.value(last), peakValue } };
  }

  /** Nothing is known until the next sample. */
  private silent(slot: number, before: AlertState) {
    const { condition, semantics, track } = this.run;
    if (condition.noData !== "unknown") return null;
    const place = this.governing(slot);
    if (place >= 0 && slot - (track.instants[place] ?? 0) <= semantics.lookbackMs) return null;
    const heardAt = place + 1 < track.length ? (track.instants[place + 1] ?? 0) : Number.POSITIVE_INFINITY;
    const next = this.slotFrom(Math.min(heardAt, this.end()));
    return next > slot ? { slot: next, state: { ...before, lastSlot: next - condition.intervalMs } } : null;
  }

  private end(): number {
    return Math.min(this.run.to, this.run.goneAt ?? Number.POSITIVE_INFINITY);
  }

  /** The place of the newest sample that a slot sees, or −1. */
  private governing(slot: number): number {
    const { instants, length } = this.run.track;
    while (this.newest + 1 < length && (instants[this.newest + 1] ?? 0) <= slot) this.newest++;
    return this.newest;
  }

  private slotFrom(at: number): number {
    const { intervalMs } = this.run.condition;
    return Math.ceil(at / intervalMs) * intervalMs;
  }

  /** Whether a value is beyond a limit; null: only the exact value tells. */
  private says(value: number, limit: number): boolean | null {
    const { comparison } = this.run.condition;
    if (isEquality(comparison)) return null;
    const beyond = isUpward(comparison) ? value - limit : limit - value;
    if (beyond > margin(limit)) return true;
    if (beyond < -margin(limit)) return false;
    return this.run.track.isStored && Number.isInteger(value) ? isBeyond(comparison, value, limit) : null;
  }
}

function margin(limit: number): number {
  return ROUGH_MARGIN * Math.max(1, Math.abs(limit));
}

function further(isUp: boolean, before: number | null, value: number | null): number | null {
  if (before === null || value === null) return before ?? value;
  return isUp ? Math.max(before, value) : Math.min(before, value);
}
