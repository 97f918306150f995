"use client";

import { CircleCheck, CircleDashed, CircleX, RotateCw } from "lucide-react";
import type { Route } from "next";
import { startTransition, useState } from "react";
import { useLive } from "@/components/page/use-live";
import { Button } from "@/components/ui/button";
import { useClock } from "@/components/ui/clock";
import { Link } from "@/components/ui/link";
import { Panel, type Span } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { Instant } from "@/components/ui/time";
import { formatCount } from "@/lib/domain/format";
import { formatDuration } from "@/lib/domain/format-time";
import { itemWords } from "@/lib/domain/notify/item-words";
import { type DeliveryLogRow, MOST_LOGGED } from "@/lib/domain/notify/log-view";
import { deliveryLogQuery } from "@/lib/queries/notify";

/** Every try to hand a message over: when, to whom, what the receiver said, and when it is tried again. */
export function DeliveryLogPanel({ span }: { span?: Span }) {
  const [limit, setLimit] = useState<number | undefined>(undefined);
  const { data } = useLive(deliveryLogQuery(limit === undefined ? {} : { limit }));
  const { rows, waiting, isCut } = data;
  const asked = limit ?? rows.length;
  return (
    <Panel
      title="Delivery log"
      sub={waiting.count === 0 ? "nothing waits" : `${formatCount(waiting.count, "piece")} of news on the way`}
      isFlush
      {...(span && { span })}
      footer={
        isCut && asked < MOST_LOGGED ? (
          <Button look="ghost" onClick={() => startTransition(() => setLimit(Math.min(MOST_LOGGED, asked * 4)))}>
            Older
          </Button>
        ) : undefined
      }
    >
      {rows.length === 0 ? (
        <p className="muted panel-words">Nothing was handed to a channel yet.</p>
      ) : (
        <Table label="Delivery log" isDense>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">To</th>
              <th scope="col">What</th>
              <th scope="col">Receiver</th>
              <th scope="col" className="num">
                Try
              </th>
              <th scope="col">Then</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <td>
                  <Instant at={row.at} seconds />
                </td>
                <td>{row.channel}</td>
                <td className="is-wrapping min-w-48">
                  <What row={row} />
                </td>
                <td className="is-wrapping min-w-32">
                  {row.error ?? (row.statusCode === null ? "taken" : `HTTP ${row.statusCode}`)}
                  {row.tookMs !== null && <span className="muted"> in {row.tookMs} ms</span>}
                </td>
                <td className="num">{row.attempt}</td>
                <td>
                  <Outcome row={row} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

function What({ row: { alertId, headline, kind, news } }: { row: DeliveryLogRow }) {
  const more = news > 1 ? ` and ${news - 1} more` : "";
  if (alertId === null || headline === null) return <>{itemWords(kind) + more}</>;
  return (
    <>
      <Link className="inbox-link" href={`/alerts/${alertId}` as Route}>
        {headline}
      </Link>
      <span className="muted">
        , {itemWords(kind)}
        {more}
      </span>
    </>
  );
}

const OUTCOMES = {
  delivered: { word: "Delivered", icon: CircleCheck, tone: "ok" },
  again: { word: "Tried again", icon: RotateCw, tone: "mute" },
  waits: { word: "Waits", icon: CircleDashed, tone: "warn" },
  given_up: { word: "Given up", icon: CircleX, tone: "crit" },
} as const;

function Outcome({ row: { outcome, nextAt } }: { row: DeliveryLogRow }) {
  const { word, icon: Icon, tone } = OUTCOMES[outcome];
  const waits = useClock((now) =>
    nextAt === null ? null : nextAt > now ? `Again in ${formatDuration(nextAt - now)}` : "Again now",
  );
  return (
    <span className={`status tone-${tone}`}>
      <Icon size={14} aria-hidden="true" />
      {outcome === "waits" ? (waits ?? word) : word}
    </span>
  );
}
