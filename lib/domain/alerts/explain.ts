import { z } from "zod";
import { AlertId } from "./acts";
import { comparisonNote, isTrue } from "./condition";
import { evaluate } from "./evaluate";
import { isNoSample, type Over, readTrack, type Track } from "./track";
import { type AlertCondition, type AlertState, NO_FLAPS, type OpenStatus, type Reading, type Semantics } from "./types";

/** The evaluations around an instant, or around the fire where none is named. */
export const ExplainQuestion = AlertId.extend({ at: z.coerce.number().int().min(0).max(8.64e15).optional() });
export type ExplainQuestion = z.output<typeof ExplainQuestion>;

/** One evaluation: what it saw, and what it made of it. */
export type ExplainedSlot = {
  slot: number;
  value: number | null;
  /** The newest sample that counted; null: there was none. */
  sampleAt: number | null;
  state: OpenStatus | "inactive";
  /** What changed in this slot, or why nothing did. */
  why: string;
  isChange: boolean;
};

export type ExplainSample = { at: number; value: number | null; isLate: boolean };

export type ExplainAnswer = {
  now: number;
  slots: ExplainedSlot[];
  /** What was asked at each evaluation, where no samples are kept and the slots are as they were judged; null: they are worked out again. */
  asked: string | null;
  /** Those within reach of the slots, oldest first. */
  samples: ExplainSample[];
  /** What of them counts: those of (slot − windowMs, slot], or the newest alone where it is 0. */
  windowMs: number;
  lookbackMs: number;
  intervalMs: number;
  /** Evaluations of the episode that lie before and after those shown. */
  before: number;
  after: number;
  /** Why there is nothing to scrub, or what to bear in mind; null: nothing. */
  remark: string | null;
};

export const SLOTS_SHOWN = 240;

export type ExplainInput = {
  condition: AlertCondition;
  ruleVersion: number;
  semantics: Semantics;
  over: Over;
  samples: Track;
  /** Judged in [from, to]; shown from `shownFrom` to `shownTo`. */
  from: number;
  to: number;
  shownFrom: number;
  shownTo: number;
  goneAt: number | null;
};

/** The live evaluator over stored samples, slot by slot, with what each one rests on. */
export function explainSlots(input: ExplainInput): ExplainedSlot[] {
  const { condition, semantics, over, samples, ruleVersion, goneAt } = input;
  const { intervalMs } = condition;
  const shown: ExplainedSlot[] = [];
  let state: AlertState | null = null;
  let history = NO_FLAPS;
  let previousSlot: number | null = null;
  let seen = 0;
  for (let slot = Math.ceil(input.from / intervalMs) * intervalMs; slot <= input.to; slot += intervalMs) {
    while (seen < samples.length && samples.at(seen) <= slot) seen++;
    const reading = readTrack(samples, seen, slot, semantics, over);
    const isGone = goneAt !== null && slot >= goneAt;
    const before: AlertState | null = state;
    const judged = evaluate({ condition, ruleVersion, semantics, state, history, reading, slot, previousSlot, isGone });
    state = judged.state;
    history = judged.history;
    previousSlot = slot;
    if (slot < input.shownFrom || slot > input.shownTo) continue;
    const changed = judged.transitions.map(({ kind, note }) => `${kind}: ${note}`).join("; ");
    const passed = judged.episodeEnds?.reason === "never_fired" ? "the condition passed before it fired" : "";
    shown.push({
      slot,
      value: reading.value,
      sampleAt: reading.at,
      state: state?.status ?? "inactive",
      why: changed || passed || whyNot(condition, before, reading, slot),
      isChange: changed !== "" || passed !== "",
    });
  }
  return shown;
}

/** Why a slot changed nothing. */
export function whyNot(
  condition: AlertCondition,
  state: Pick<AlertState, "status" | "activeAt" | "firedAt"> | null,
  reading: Reading,
  slot: number,
): string {
  if (reading.value === null)
    return state === null ? `${MISSING[reason(reading)]}; nothing opens on missing data` : MISSING[reason(reading)];
  const hasRaised = state !== null && state.status !== "pending" && state.firedAt !== null;
  const limit = hasRaised ? (condition.clearThreshold ?? condition.threshold) : condition.threshold;
  const isMet = isTrue(condition, reading.value, hasRaised);
  const compared = comparisonNote(condition.comparison, reading.value, limit, isMet);
  if (state?.status === "pending") {
    const leftMs = Math.max(0, state.activeAt + condition.forMs - slot);
    return `${compared}; fires in ${Math.round(leftMs / 1_000)} s if it stays`;
  }
  return compared;
}

type Missing = "no_sample" | "too_old" | "series_ended";

function reason(reading: Reading): Missing {
  return reading.value === null ? reading.reason : "no_sample";
}

const MISSING: Record<Missing, string> = {
  no_sample: "no sample within reach",
  too_old: "the newest sample is too old to count",
  series_ended: "the series says that it has ended",
};

/** Samples that may count at all, as they are shown; late ones are shown and never judged. */
export function samplesShown(track: Track, semantics: Semantics, from: number, to: number): ExplainSample[] {
  const shown: ExplainSample[] = [];
  for (let i = 0; i < track.length; i++) {
    const at = track.at(i);
    if (at <= from || at > to) continue;
    const isLate = track.isLate(i);
    if (!isLate && isNoSample(track, i, semantics)) continue;
    shown.push({ at, value: track.value(i), isLate });
  }
  return shown;
}
