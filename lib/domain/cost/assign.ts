import { isNobody, type OwnerWords } from "./allocation";

type LabelSpan = OwnerWords & { id: string; validFrom: number; validTo: number | null };

export type Assignment =
  | { do: "change"; id: string }
  /** The label ends at an instant, and the same label with the new words begins there. */
  | { do: "split"; id: string; at: number; validTo: number | null };

/** Which labels have to change so that words hold from an instant on wherever nobody is named yet. Others' words stay. */
export function assignments(labels: readonly LabelSpan[], from: number): Assignment[] {
  return labels
    .filter((label) => isNobody(label) && (label.validTo === null || label.validTo > from))
    .map(({ id, validFrom, validTo }) =>
      validFrom >= from ? { do: "change", id } : { do: "split", id, at: from, validTo },
    );
}
