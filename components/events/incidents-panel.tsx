"use client";

import { useLive } from "@/components/page/use-live";
import { Note } from "@/components/ui/note";
import { Panel } from "@/components/ui/panel";
import { Instant } from "@/components/ui/time";
import type { InstancePageQuestion } from "@/lib/domain/fleet/view";
import { formatCount } from "@/lib/domain/format";
import { eventsQuery } from "@/lib/queries/events";
import { instanceQuery } from "@/lib/queries/fleet";
import { IncidentRow } from "./incident-row";

/** The Xid incidents of a machine, newest first, each with its verdict. */
export function IncidentsPanel({ question }: { question: InstancePageQuestion }) {
  const { data, failure } = useLive(eventsQuery(question));
  const { data: instance } = useLive(instanceQuery(question));
  const { incidents, next, cutAt, codes } = data;
  const { state, at } = instance.row.telemetry;
  const isHeard = state === "reporting";
  return (
    <Panel
      className="is-wide"
      title="Xid events"
      sub={incidents.length === 0 ? "in this window" : `${formatCount(incidents.length, "incident")} in this window`}
      footer={next === null ? undefined : `The newest ${incidents.length}; choose a shorter window for older ones.`}
      isFlush
    >
      {failure && (
        <div className="px-4 pb-3">
          <Note tone="warn">
            <b>Not refreshed.</b> {failure.message} Shown is what was known at <Instant at={data.now} seconds />.
          </Note>
        </div>
      )}
      {incidents.length === 0 ? (
        <p className="muted px-4 pb-4">{noneWords(state, isHeard && at !== null)}</p>
      ) : (
        <ol className="incidents">
          {incidents.map((incident) => (
            <IncidentRow key={incident.id} incident={incident} codes={codes} />
          ))}
        </ol>
      )}
      {cutAt !== null && (
        <p className="muted px-4 pb-4">
          More lines came than are read at once: nothing before <Instant at={cutAt} seconds /> is shown.
        </p>
      )}
    </Panel>
  );
}

/** No event is good news only where somebody listens. */
function noneWords(state: string, isHeard: boolean): string {
  if (isHeard) return "No Xid was told in this window.";
  return state === "never" || state === "not_expected"
    ? "No Xid was told. Nothing reports from this machine, so that says little."
    : "No Xid was told in this window. Its telemetry is silent: an Xid since then would not be known.";
}
