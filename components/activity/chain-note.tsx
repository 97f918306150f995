"use client";

import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { ShieldAlert, ShieldCheck } from "lucide-react";
import { Refusal } from "@/components/settings/refusal";
import { type Act, useAct } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { Lede } from "@/components/ui/page";
import { Age, ClockTime } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import type { Chain } from "@/lib/domain/activity/view";
import { formatNumber } from "@/lib/domain/format";
import { chainQuery } from "@/lib/queries/activity";

type Props = {
  check: Act<Record<string, never>, Chain>;
  /** The reader sees all of it. */
  mayExport: boolean;
};

/** Whether the trail is whole. */
export function ChainNote({ check, mayExport }: Props) {
  const { data } = useSuspenseQuery(chainQuery());
  const queries = useQueryClient();
  const { run, failure, isPending } = useAct(check);
  return (
    <>
      <Lede
        aside={
          <span className="flex flex-wrap items-center gap-x-2">
            {data.head && (
              <>
                head{" "}
                <span className="mono">
                  {data.head.slice(0, 4)}…{data.head.slice(-4)}
                </span>
              </>
            )}
            {mayExport && (
              <a href="/api/v1/activity/trail" download>
                Export the trail
              </a>
            )}
            <Button
              size="small"
              look="ghost"
              isPending={isPending}
              onClick={() =>
                run({}, (whole) => {
                  queries.setQueryData(chainQuery().queryKey, whole);
                  if (whole.isIntact) toast("ok", `All ${formatNumber(Number(whole.entries))} entries fit together`);
                })
              }
            >
              Check all of it
            </Button>
          </span>
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
              , {formatNumber(Number(data.entries))} entries, each with the hash of the one before it
              {data.wholeAt !== null && (
                <>
                  ; all of it read <Age at={data.wholeAt} />
                </>
              )}
              .
            </span>
          ) : (
            <span>
              <b className="text-crit">The chain is broken at entry {data.brokenAt}.</b> Somebody changed or removed
              entries in the database itself. Compare with a backup.
            </span>
          )}
        </span>
      </Lede>
      <Refusal failure={failure} />
    </>
  );
}
