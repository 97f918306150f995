import { formatDurationExact } from "@/lib/domain/format-time";
import { comparisonNote, isBeyond, isTrue, isUpward } from "./condition";
import type { Evaluation } from "./evaluate";
import type { AlertState, EpisodeEnd, ResolveReason, Transition, TransitionKind } from "./types";

const HOUR = 3_600_000;

export type Outcome = {
  state: AlertState | null;
  transitions: readonly Transition[];
  ends: EpisodeEnd | null;
  /** A fire or a recovery: what flapping is made of. */
  hasChanged: boolean;
};

/** `missing` is silence that the rule does not bear; `borne` is silence within its own tolerance. */
type Verdict = "true" | "false" | "missing" | "borne";

export function verdict(
  { condition, semantics, reading, slot }: Pick<Evaluation, "condition" | "semantics" | "reading" | "slot">,
  hasRaised: boolean,
): Verdict {
  if (reading.value !== null) return isTrue(condition, reading.value, hasRaised) ? "true" : "false";
  if (semantics.absence === "resolve") return "false";
  if (condition.noData === "alert") return "true";
  if (condition.noData === "ok") return "false";
  return reading.at !== null && slot - reading.at < condition.silenceToleranceMs ? "borne" : "missing";
}

/** What an episode goes back to when data return after unknown. Derived, so that the row needs no column for it. */
export function heldStatus(state: AlertState, forMs: number): "pending" | "firing" | "recovering" {
  if (state.status !== "unknown") return state.status;
  if (state.keepSince !== null) return "recovering";
  const activeMs = (state.unknownSince ?? state.lastSlot) - state.activeAt;
  return state.firedAt === null || activeMs < forMs ? "pending" : "firing";
}

/** Ends an open episode for a reason outside its data (B16, B33). Whether anybody is told depends on whether the fire was. */
export function closeEpisode(state: AlertState, reason: ResolveReason, slot: number, note: string): Outcome {
  const last = { ...state, lastSlot: slot };
  if (state.firedAt === null) {
    return { state: null, transitions: [], ends: { reason: "never_fired", at: slot, last }, hasChanged: false };
  }
  return {
    state: null,
    transitions: [{ kind: "resolved", slot, value: state.lastValue, note }],
    ends: { reason, at: slot, last },
    hasChanged: reason === "recovered",
  };
}

export function beginEpisode(input: Evaluation): Outcome {
  const { slot, ruleVersion, condition } = input;
  const { value } = input.reading;
  const state: AlertState = {
    status: "pending",
    activeAt: slot,
    firedAt: null,
    keepSince: null,
    unknownSince: null,
    lastSlot: slot,
    firstValue: value,
    lastValue: value,
    peakValue: value,
    ruleVersion,
  };
  return condition.forMs > 0 ? move(input, state, "pending", trueNote(input)) : fire(input, state);
}

/** The second level of a rule: an alert that fires beyond it becomes critical, once per episode. */
export function escalate(input: Evaluation, outcome: Outcome): Outcome {
  const { condition, reading, slot } = input;
  const { state } = outcome;
  const limit = condition.criticalThreshold ?? null;
  if (limit === null || reading.value === null || state?.status !== "firing" || state.isEscalated) return outcome;
  if (!isBeyond(condition.comparison, reading.value, limit)) return outcome;
  const note = comparisonNote(condition.comparison, reading.value, limit, true);
  return {
    ...outcome,
    state: { ...state, isEscalated: true },
    transitions: [...outcome.transitions, { kind: "escalated", slot, value: reading.value, note }],
  };
}

/** One slot of an open episode; `gapMs` is the time since the rule was last judged. */
export function stepEpisode(input: Evaluation, before: AlertState, gapMs: number): Outcome {
  const { condition, slot, ruleVersion } = input;
  if (input.isGone) return closeEpisode(before, "instance_gone", slot, "the instance is gone");

  const held = heldStatus(before, condition.forMs);
  const result = verdict(input, held !== "pending");
  const wasUnknown = before.status === "unknown";
  if ((result === "missing" || result === "borne") && hasEnded(input, before))
    return closeEpisode(before, "series_ended", slot, "the series ended");
  if (wasUnknown && (result === "missing" || result === "borne"))
    return stay({ ...before, lastSlot: slot, ruleVersion });

  // Time in which nobody looked does not count towards `for` (B24), nor does time without data.
  const unseenMs = wasUnknown && before.unknownSince !== null ? slot - before.unknownSince : gapMs;
  const isHole = wasUnknown || gapMs > 2 * condition.intervalMs;
  const state = { ...(isHole ? moved(before, held, slot, unseenMs) : before), lastSlot: slot, ruleVersion };
  if (result === "borne") return stay(state);
  if (result === "missing") return lose(input, state);

  const seen = measured(input, { ...state, status: held, unknownSince: null });
  if (held === "pending") return stepPending(input, seen, result, wasUnknown);
  return result === "true" ? stepTrue(input, seen, held, wasUnknown) : stepFalse(input, seen, held, wasUnknown);
}

function hasEnded({ endsAfterMs, slot, reading }: Evaluation, before: AlertState): boolean {
  const since = reading.at ?? before.unknownSince ?? slot;
  return endsAfterMs != null && slot - since >= endsAfterMs;
}

/** A hole of more than an hour starts the clock over. A firing alert has no clock that a hole could move (B25). */
function moved(state: AlertState, held: AlertState["status"], slot: number, holeMs: number): AlertState {
  const on = (at: number) => (holeMs > HOUR ? slot : at + holeMs);
  if (held === "pending") return { ...state, activeAt: on(state.activeAt) };
  return state.keepSince === null ? state : { ...state, keepSince: on(state.keepSince) };
}

function measured(input: Evaluation, state: AlertState): AlertState {
  const { value } = input.reading;
  if (value === null) return state;
  const { firstValue, peakValue } = state;
  const isFurther =
    peakValue === null || (isUpward(input.condition.comparison) ? value > peakValue : value < peakValue);
  return { ...state, lastValue: value, firstValue: firstValue ?? value, peakValue: isFurther ? value : peakValue };
}

function lose(input: Evaluation, state: AlertState): Outcome {
  const { slot, reading } = input;
  const silence = reading.at === null ? "no sample" : `no sample for ${formatDurationExact(slot - reading.at)}`;
  return move(
    input,
    { ...state, status: "unknown", unknownSince: slot },
    "unknown",
    `${silence} while ${state.status}`,
  );
}

function stepPending(input: Evaluation, state: AlertState, result: "true" | "false", isBack: boolean): Outcome {
  const { condition, slot } = input;
  if (result === "false") return closeEpisode(state, "recovered", slot, falseNote(input, condition.threshold));
  if (slot - state.activeAt >= condition.forMs) return fire(input, state);
  return isBack ? move(input, state, "resumed", `data are back, still pending: ${trueNote(input)}`) : stay(state);
}

function stepTrue(input: Evaluation, state: AlertState, held: "firing" | "recovering", isBack: boolean): Outcome {
  const { condition, slot } = input;
  if (slot - state.activeAt < condition.forMs) {
    // Only an edit can make `for` longer than the time already active (B32).
    const note = `the rule now asks for ${formatDurationExact(condition.forMs)}`;
    return move(input, { ...state, status: "pending", keepSince: null }, "repending", note);
  }
  const firing: AlertState = { ...state, status: "firing", keepSince: null };
  if (isBack) return move(input, firing, "resumed", `data are back: ${trueNote(input)}`);
  return held === "recovering" ? move(input, firing, "resumed", trueNote(input)) : stay(firing);
}

function stepFalse(input: Evaluation, state: AlertState, held: "firing" | "recovering", isBack: boolean): Outcome {
  const { condition, slot } = input;
  const keepSince = state.keepSince ?? slot;
  const restMs = condition.keepFiringMs - (slot - keepSince);
  const why = falseNote(input, condition.clearThreshold ?? condition.threshold);
  if (restMs <= 0) return closeEpisode(state, "recovered", slot, why);
  const recovering: AlertState = { ...state, status: "recovering", keepSince };
  if (held === "recovering" && !isBack) return stay(recovering);
  return move(input, recovering, "recovering", `${why}; resolves after ${formatDurationExact(restMs)} more of it`);
}

function fire(input: Evaluation, state: AlertState): Outcome {
  const { slot } = input;
  const lastedMs = slot - state.activeAt;
  const note = lastedMs > 0 ? `${trueNote(input)}, for ${formatDurationExact(lastedMs)} now` : trueNote(input);
  const firing: AlertState = { ...state, status: "firing", firedAt: state.firedAt ?? slot };
  return { ...move(input, firing, "fired", note), hasChanged: true };
}

function stay(state: AlertState): Outcome {
  return { state, transitions: [], ends: null, hasChanged: false };
}

function move({ slot, reading }: Evaluation, state: AlertState, kind: TransitionKind, note: string): Outcome {
  return { state, transitions: [{ kind, slot, value: reading.value, note }], ends: null, hasChanged: false };
}

function trueNote({ condition, reading }: Evaluation): string {
  if (reading.value === null) return "no data, which this rule takes for an alert";
  return comparisonNote(condition.comparison, reading.value, condition.threshold, true);
}

function falseNote({ condition, reading, semantics }: Evaluation, limit: number): string {
  if (reading.value === null) {
    return semantics.absence === "resolve" ? "the series ended" : "no data, which this rule takes for fine";
  }
  return comparisonNote(condition.comparison, reading.value, limit, false);
}
