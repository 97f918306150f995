import { type StoredAct, saveTally } from "@/lib/db/policies/acts";
import type { Snapshot } from "@/lib/domain/policies/snapshot";
import { savingOf } from "@/lib/domain/policies/tally";

/** What each machine that would have been ended has cost since then. */
export async function countSavings(acts: readonly StoredAct[], { machines, now }: Snapshot): Promise<void> {
  for (const act of acts) {
    if (act.decision !== "would_act" || act.resourceId === null || act.evidence.closedAt !== undefined) continue;
    const machine = machines.find(({ id }) => id === act.resourceId) ?? null;
    const { micros, closed } = savingOf(
      {
        from: act.decidedAt,
        until: act.evidence.savesUntil ?? null,
        priceMicros: act.evidence.priceMicros === null ? null : BigInt(act.evidence.priceMicros),
      },
      machine,
      now,
    );
    await saveTally(act, micros, closed);
  }
}
