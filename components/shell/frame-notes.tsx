"use client";

import { useQuery } from "@tanstack/react-query";
import { OctagonPause } from "lucide-react";
import type { Route } from "next";
import { ButtonLink } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { Age } from "@/components/ui/time";
import { formatNumber } from "@/lib/domain/format";
import { fleetStatusQuery } from "@/lib/queries/fleet";
import { undeliveredCountQuery } from "@/lib/queries/notify";
import { automationQuery } from "@/lib/queries/policies";

/** What everybody must know before they believe a number on the page. */
export function FrameNotes() {
  const { data, isError } = useQuery(fleetStatusQuery());
  const undelivered = useQuery(undeliveredCountQuery()).data?.undelivered ?? 0;
  const automation = useQuery(automationQuery()).data;
  return (
    <div className="frame-notes" aria-live="polite">
      {isError && (
        <Note tone="warn">
          <b>This page has lost its server.</b> What you see is the last it answered; it tries again by itself.
        </Note>
      )}
      {data?.freshness.staleSince != null && (
        <Note tone="warn">
          <b>The fleet is stale.</b>{" "}
          {data.freshness.lastOkAt === null ? (
            "Lambda has not answered yet."
          ) : (
            <>
              Lambda last answered <Age at={data.freshness.lastOkAt} />.
            </>
          )}{" "}
          What you see is the last known state; nothing was marked gone, and what was running still bills.
          {data.freshness.error && ` ${data.freshness.error}`}
        </Note>
      )}
      {data?.freshness.isFrozen && (
        <Note tone="warn">
          <b>Launches, restarts and terminations wait.</b> Lambda refused the key; they go on when it is accepted again.
          {data.freshness.staleSince == null && data.freshness.error && ` ${data.freshness.error}`}
        </Note>
      )}
      {automation?.stoppedAt != null && (
        <Note
          tone="warn"
          icon={OctagonPause}
          action={
            <ButtonLink size="small" href={"/policies" as Route}>
              Policies
            </ButtonLink>
          }
        >
          <b>All automation is stopped.</b> {automation.by} stopped it <Age at={automation.stoppedAt} />
          {automation.reason && <>: {automation.reason}</>}. Policies neither end, launch nor hold back anything.
        </Note>
      )}
      {undelivered > 0 && (
        <Note
          tone="crit"
          action={
            <ButtonLink size="small" href="/settings/channels">
              See which
            </ButtonLink>
          }
        >
          <b>{undelivered === 1 ? "A message was" : `${formatNumber(undelivered)} messages were`} not delivered.</b> All
          retries failed, so whoever should know may not. The alerts stand in the inbox.
        </Note>
      )}
    </div>
  );
}
