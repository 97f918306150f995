import { type ExplainedSlot, whyNot } from "./explain";
import type { AlertCondition, AlertState, OpenStatus } from "./types";

/* What evaluations saw of rules that look at no samples: it can be asked for once only, so it is kept. */

/** What one evaluation of an episode saw, and what the episode was after it. */
export type KeptSlot = { slot: number; value: number | null; state: OpenStatus | "resolved" };

/** Evaluations one after the other in which the state stayed and the value rose evenly: durations are one stretch, however long. */
export type KeptStretch = {
  from: number;
  to: number;
  /** At `from`; null: there was none in all of them. */
  value: number | null;
  /** From one evaluation to the next. */
  rise: number;
  state: OpenStatus | "resolved";
};

/** The stretch with one evaluation more; null: it begins a new one. Nothing is rounded: each value comes back as it was. */
export function withSlot(last: KeptStretch, next: KeptSlot, intervalMs: number): KeptStretch | null {
  if (next.state !== last.state || next.slot !== last.to + intervalMs) return null;
  if (last.value === null || next.value === null) return last.value === next.value ? { ...last, to: next.slot } : null;
  const rise = last.from === last.to ? next.value - last.value : last.rise;
  const steps = (next.slot - last.from) / intervalMs;
  if (!Object.is(valueAfter(last.value, rise, steps), next.value)) return null;
  return { ...last, to: next.slot, rise };
}

/** Each evaluation of stretches, oldest first, within [from, to]. */
export function keptSlots(stretches: readonly KeptStretch[], intervalMs: number, from: number, to: number): KeptSlot[] {
  return stretches.flatMap((one) => {
    const slots: KeptSlot[] = [];
    const skipped = Math.max(0, Math.ceil((from - one.from) / intervalMs));
    for (let slot = one.from + skipped * intervalMs; slot <= Math.min(one.to, to); slot += intervalMs) {
      const steps = (slot - one.from) / intervalMs;
      slots.push({ slot, value: one.value === null ? null : valueAfter(one.value, one.rise, steps), state: one.state });
    }
    return slots;
  });
}

function valueAfter(value: number, rise: number, steps: number): number {
  // As it was: adding zero would make a plus of minus zero, and infinite steps a NaN of none.
  return steps === 0 || rise === 0 ? value : value + rise * steps;
}

type Told = { kind: string; slot: number | null; note: string | null };

/** Kept evaluations as they are shown: with what changed in each as it was told then, or why nothing did. */
export function explainKept(
  kept: readonly KeptSlot[],
  condition: AlertCondition,
  episode: Pick<AlertState, "activeAt" | "firedAt">,
  history: readonly Told[],
): ExplainedSlot[] {
  let before: KeptSlot["state"] | null = null;
  return kept.map(({ slot, value, state }) => {
    const changed = history
      .filter((entry) => entry.slot === slot)
      .map(({ kind, note }) => (note ? `${kind}: ${note}` : kind))
      .join("; ");
    const standing =
      before === null || before === "resolved"
        ? null
        : { status: before, activeAt: episode.activeAt, firedAt: firedBy(episode.firedAt, slot) };
    const reading = value === null ? { value, at: null, reason: "no_sample" as const } : { value, at: slot };
    const why =
      changed || (value === null ? "there was nothing to compare" : whyNot(condition, standing, reading, slot));
    const isChange = changed !== "" || (before !== null && before !== state);
    before = state;
    return { slot, value, sampleAt: null, state: state === "resolved" ? "inactive" : state, why, isChange };
  });
}

function firedBy(firedAt: number | null, slot: number): number | null {
  return firedAt !== null && firedAt < slot ? firedAt : null;
}
