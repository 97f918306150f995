"use client";

import type { Route } from "next";
import type { ReactNode } from "react";
import { useLive } from "@/components/page/use-live";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { Instant } from "@/components/ui/time";
import type { InstancePageQuestion } from "@/lib/domain/fleet/view";
import { eventsQuery } from "@/lib/queries/events";
import { instanceQuery } from "@/lib/queries/fleet";

const SHOWN = 12;

/** What happened to the machine in this window, by us, by others and by itself; what people noted and what was deployed stands between. */
export function EventsPanel({ question, actions }: { question: InstancePageQuestion; actions: ReactNode }) {
  const { data } = useLive(instanceQuery(question));
  const { data: said } = useLive(eventsQuery(question));
  const { lifeline } = data;
  const events: { at: number; text: string; by: string | null; url?: string | null }[] = [
    ...lifeline.marks,
    ...said.notes,
    ...said.deploys.map(({ at, name, by, url }) => ({ at, text: `Deploy: ${name}`, by, url })),
    ...lifeline.alerts.map((alert) => ({
      at: alert.from,
      text: `${alert.name} (${alert.severity})`,
      by: "an alert rule",
    })),
  ]
    .filter(({ at }) => at >= lifeline.from)
    .sort((a, b) => b.at - a.at);
  return (
    <Panel
      className="is-wide"
      title="Events"
      sub={events.length > SHOWN ? `the newest ${SHOWN} of ${events.length} in this window` : "in this window"}
      actions={
        <>
          {actions}
          <Link className="link" href={"/activity" as Route}>
            Activity
          </Link>
        </>
      }
      isFlush
    >
      {events.length === 0 ? (
        <p className="muted px-4 pb-4">
          Nothing was done to it, no alert began, nothing was deployed and nobody wrote a note in this window.
        </p>
      ) : (
        <Table label="Events" isDense>
          <tbody>
            {events.slice(0, SHOWN).map((event) => (
              <tr key={`${event.at} ${event.text}`}>
                <td className="muted whitespace-nowrap">
                  <Instant at={event.at} seconds />
                </td>
                <td>
                  {event.url ? (
                    <a className="link" href={event.url} rel="noreferrer" target="_blank">
                      {event.text}
                    </a>
                  ) : (
                    event.text
                  )}
                </td>
                <td className="text-text-2">{event.by ? `by ${event.by}` : ""}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}
