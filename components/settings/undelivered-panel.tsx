"use client";

import { RotateCw } from "lucide-react";
import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Panel, type Span } from "@/components/ui/panel";
import { Status } from "@/components/ui/status";
import { Age } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { itemWords } from "@/lib/domain/notify/item-words";
import type { UndeliveredRow } from "@/lib/domain/notify/route-input";
import { undeliveredQuery } from "@/lib/queries/notify";
import { Refusal } from "./refusal";
import { type Act, useAct } from "./use-act";

type Props = {
  again: Act<{ itemId: string }, { id: string }>;
  takeOff: Act<{ itemId: string }, { id: string }>;
  /** Why this person may not; null where they may. */
  locked: string | null;
  span?: Span;
};

/** What no retry could deliver, until somebody sees to it. */
export function UndeliveredPanel({ again, takeOff, locked, span }: Props) {
  const { data } = useLive(undeliveredQuery());
  return (
    <Panel title="Not delivered" sub="given up after all retries; nothing here is lost" isFlush {...(span && { span })}>
      {data.rows.length === 0 ? (
        <p className="panel-words">
          <Status of="pass">Everything was delivered, or is on its way</Status>
        </p>
      ) : (
        <ul className="row-list" aria-label="Messages that were not delivered">
          {data.rows.map((row) => (
            <Row key={row.id} row={row} again={again} takeOff={takeOff} isLocked={locked !== null} />
          ))}
        </ul>
      )}
      {data.rows.length > 0 && locked !== null && <p className="muted panel-words">{locked}</p>}
    </Panel>
  );
}

type RowProps = Pick<Props, "again" | "takeOff"> & { row: UndeliveredRow; isLocked: boolean };

function Row({ row, again, takeOff, isLocked }: RowProps) {
  const { id: itemId, channel, headline, alertId, kind, at, error } = row;
  const sending = useAct(again);
  const taking = useAct(takeOff);
  const what = alertId === null ? itemWords(kind) : headline;
  return (
    <li>
      <div className="row-words">
        <p className="font-medium">
          {alertId === null ? (
            what
          ) : (
            <Link className="inbox-link" href={`/alerts/${alertId}` as Route}>
              {what}
            </Link>
          )}
        </p>
        <p className="text-text-2">
          {alertId !== null && `${itemWords(kind)}, `}to {channel}, given up <Age at={at} />
        </p>
        <p className="row-why">{error ?? "The receiver gave no reason."}</p>
      </div>
      {!isLocked && (
        <span className="row-actions">
          <Button
            size="small"
            icon={RotateCw}
            isPending={sending.isPending}
            aria-label={`Send again: ${what}, to ${channel}`}
            onClick={() =>
              sending.run({ itemId }, () =>
                toast("ok", `On its way to ${channel} again`, "It comes back here if that fails too."),
              )
            }
          >
            Send again
          </Button>
          <Button
            size="small"
            look="ghost"
            isPending={taking.isPending}
            aria-label={`Take off the list: ${what}, to ${channel}`}
            onClick={() =>
              taking.run({ itemId }, () => toast("ok", "Taken off the list", "The delivery log keeps it."))
            }
          >
            Take off the list
          </Button>
        </span>
      )}
      <Refusal failure={sending.failure ?? taking.failure} />
    </li>
  );
}
