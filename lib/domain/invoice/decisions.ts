import type { VarianceState } from "./types";
import { differenceOf, type Variance } from "./variance";

/** What a person said of a difference. */
export type Decision = {
  state: VarianceState;
  note: string;
  decidedById: string | null;
  decidedAt: Date | null;
};

export type Decided = Variance & Decision;

export const UNDECIDED: Decision = { state: "open", note: "", decidedById: null, decidedAt: null };

/**
 * What was said of a difference holds over a new matching, for as long as it has not grown: who accepted two dollars has not
 * accepted fifty. What was said before stays readable in the note.
 */
export function keepDecisions(found: readonly Variance[], before: readonly Decided[]): Decided[] {
  const known = new Map(before.map((one) => [one.key, one]));
  return found.map((variance) => {
    const old = known.get(variance.key);
    if (!old) return { ...variance, ...UNDECIDED };
    const { state, note, decidedById, decidedAt } = old;
    // Rounding lies within the tolerance, or it has another class.
    return variance.class !== "rounding" && hasGrown(differenceOf(old), differenceOf(variance))
      ? { ...variance, ...UNDECIDED, note: reopened(state, note) }
      : { ...variance, state, note, decidedById, decidedAt };
  });
}

function hasGrown(before: bigint, now: bigint): boolean {
  if (now === 0n || now === before) return false;
  return before === 0n || before > 0n !== now > 0n || (now > 0n ? now > before : now < before);
}

const MARK = "Before it changed: ";

function reopened(state: VarianceState, note: string): string {
  if (state === "open") return note;
  return `${MARK}${state}${note ? `, ${note}` : ""}`.slice(0, 500);
}
