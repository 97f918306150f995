import { type Evaluation, evaluate, type Judgement } from "./evaluate";
import { PRODUCT_SEMANTICS, readingAt } from "./semantics";
import { type AlertCondition, type AlertState, type FlapHistory, NO_FLAPS, type Sample } from "./types";

export const MINUTE = 60_000;

/** "m > 85", judged each minute, firing at once. */
export function above85(over: Partial<AlertCondition> = {}): AlertCondition {
  return {
    comparison: "above",
    threshold: 85,
    clearThreshold: null,
    forMs: 0,
    keepFiringMs: 0,
    intervalMs: MINUTE,
    noData: "unknown",
    silenceToleranceMs: 0,
    ...over,
  };
}

type Step = Pick<Evaluation, "condition" | "semantics" | "isGone" | "ruleVersion" | "previousSlot">;

/** One value per minute from 0 on; null is a minute without a sample. `at` changes the inputs of single steps. */
export function trace(
  values: readonly (number | null)[],
  common: Partial<Step> = {},
  at: Record<number, Partial<Step>> = {},
): Judgement[] {
  const samples: Sample[] = values.flatMap((value, i) => (value === null ? [] : [{ at: i * MINUTE, value }]));
  let state: AlertState | null = null;
  let history: FlapHistory = NO_FLAPS;
  return values.map((_value, i) => {
    const slot = i * MINUTE;
    const semantics = at[i]?.semantics ?? common.semantics ?? PRODUCT_SEMANTICS(MINUTE / 4);
    const judged: Judgement = evaluate({
      condition: above85(),
      ruleVersion: 1,
      previousSlot: i === 0 ? null : slot - MINUTE,
      isGone: false,
      ...common,
      ...at[i],
      semantics,
      state,
      history,
      reading: readingAt(samples, slot, semantics),
      slot,
    });
    state = judged.state;
    history = judged.history;
    return judged;
  });
}

export function statuses(judged: readonly Judgement[]): string[] {
  return judged.map(({ state }) => state?.status ?? "inactive");
}

/** "3 fired": the minute and what happened in it. */
export function events(judged: readonly Judgement[]): string[] {
  return judged.flatMap(({ transitions }, i) => transitions.map(({ kind }) => `${i} ${kind}`));
}

/** An open episode that fires since minute 0. */
export function firing(over: Partial<AlertState> = {}): AlertState {
  return {
    status: "firing",
    activeAt: 0,
    firedAt: 0,
    keepSince: null,
    unknownSince: null,
    lastSlot: 0,
    firstValue: 90,
    lastValue: 90,
    peakValue: 90,
    ruleVersion: 1,
    ...over,
  };
}

export function pending(over: Partial<AlertState> = {}): AlertState {
  return firing({ status: "pending", firedAt: null, ...over });
}

/** One slot with everything said explicitly; the sample, if any, is of the slot itself. */
export function judgeAt(slot: number, value: number | null, over: Partial<Evaluation>): Judgement {
  return evaluate({
    condition: above85(),
    ruleVersion: 1,
    semantics: PRODUCT_SEMANTICS(MINUTE / 4),
    state: null,
    history: NO_FLAPS,
    reading: value === null ? { value: null, at: null, reason: "no_sample" } : { value, at: slot },
    slot,
    previousSlot: slot - MINUTE,
    isGone: false,
    ...over,
  });
}
