"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { ShieldAlert, ShieldCheck } from "lucide-react";
import { Lede } from "@/components/ui/page";
import { ClockTime } from "@/components/ui/time";
import { formatNumber } from "@/lib/domain/format";
import { chainQuery } from "@/lib/queries/activity";

/** Whether the trail is whole; `mayExport`: the reader sees all of it. */
export function ChainNote({ mayExport }: { mayExport: boolean }) {
  const { data } = useSuspenseQuery(chainQuery());
  return (
    <Lede
      aside={
        data.head && (
          <>
            head{" "}
            <span className="mono">
              {data.head.slice(0, 4)}…{data.head.slice(-4)}
            </span>
            {mayExport && (
              <>
                {" · "}
                <a href="/api/v1/activity/trail" download>
                  Export the trail
                </a>
              </>
            )}
          </>
        )
      }
    >
      <span className="inline-flex items-center gap-2">
        {data.isIntact ? (
          <ShieldCheck size={16} className="text-ok" aria-hidden="true" />
        ) : (
          <ShieldAlert size={16} className="text-crit" aria-hidden="true" />
        )}
        {data.isIntact ? (
          <span>
            <b>
              Chain verified <ClockTime at={data.checkedAt} />
            </b>
            , {formatNumber(Number(data.entries))} entries, each with the hash of the one before it.
          </span>
        ) : (
          <span>
            <b className="text-crit">The chain is broken at entry {data.brokenAt}.</b> Somebody changed or removed
            entries in the database itself. Compare with a backup.
          </span>
        )}
      </span>
    </Lede>
  );
}
