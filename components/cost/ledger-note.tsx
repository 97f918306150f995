"use client";

import { useClock } from "@/components/ui/clock";
import { Note } from "@/components/ui/note";
import { Age } from "@/components/ui/time";
import type { CostAnswer } from "@/lib/domain/cost/view";

/** Three of the meter's intervals, which are half a minute. */
const OLD_AFTER_MS = 90_000;

/** Whether the amounts of the current month have stopped growing although machines may bill. */
export function isLedgerOld({ isCurrent, ledger }: CostAnswer, now: number): boolean {
  return isCurrent && !ledger.isEmpty && (ledger.at === null || now - ledger.at > OLD_AFTER_MS);
}

/** What must be known before an amount is believed: it is old, or this page cannot ask for a newer one. */
export function LedgerNote({ data, failure }: { data: CostAnswer; failure: Error | null }) {
  const isOld = useClock((now) => isLedgerOld(data, now));
  if (!isOld && !failure) return null;
  return (
    <div className="cost-note">
      <Note tone="warn">
        {failure ? (
          <>
            <b>These are the amounts of a moment ago.</b> {failure.message} The page tries again by itself.
          </>
        ) : (
          <>
            <b>The ledger is not up to date.</b>{" "}
            {data.ledger.at === null ? (
              "The worker has not metered yet."
            ) : (
              <>
                It was metered last <Age at={data.ledger.at} />.
              </>
            )}{" "}
            What was observed meanwhile is kept, and counted when the worker runs again.
            {data.ledger.error && ` ${data.ledger.error}`}
          </>
        )}
      </Note>
    </div>
  );
}
