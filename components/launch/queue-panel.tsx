"use client";

import { ListChecks } from "lucide-react";
import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Lede } from "@/components/ui/page";
import { Deck, Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";
import type { Tone } from "@/components/ui/status-vocabulary";
import { Table } from "@/components/ui/table";
import { Age, ClockTime, Instant } from "@/components/ui/time";
import { formatCount } from "@/lib/domain/format";
import type { IntentKind, IntentState } from "@/lib/domain/intents/intent";
import type { QueueRow, Story } from "@/lib/domain/intents/queue";
import type { Result } from "@/lib/errors";
import { queueQuery } from "@/lib/queries/queue";
import { TakeBack } from "./take-back";
import { WatchTable } from "./watch-table";

type Verb<I> = (input: I) => Promise<Result<{ id: string }>>;
type Props = {
  cancel: Verb<{ intentId: string }>;
  adopt: Verb<{ intentId: string; instanceId: string }>;
  /** What this person may ask for, and so take back. */
  may: readonly IntentKind[];
};

/** From here on the hour alone would mislead. */
const HALF_DAY_MS = 12 * 3_600_000;

const KINDS: Record<IntentKind, string> = { launch: "Launch", terminate: "Terminate", restart: "Restart" };

const STATES: Record<IntentState, { word: string; tone: Tone }> = {
  draft: { word: "Draft", tone: "mute" },
  awaiting_approval: { word: "Waits for approval", tone: "info" },
  ready: { word: "In the queue", tone: "info" },
  sending: { word: "Sent", tone: "info" },
  indeterminate: { word: "Outcome unknown", tone: "warn" },
  confirmed: { word: "Done", tone: "ok" },
  adopted: { word: "Found and adopted", tone: "ok" },
  refused: { word: "Refused", tone: "crit" },
  closed_unconfirmed: { word: "Closed, no trace", tone: "warn" },
  cancelled: { word: "Not sent", tone: "mute" },
  expired: { word: "Expired, not sent", tone: "mute" },
};

/** Every request to the provider: its place in the queue, what was done about it, and what nobody answered. */
export function QueuePanel({ cancel, adopt, may }: Props) {
  const { data } = useLive(queueQuery());
  const waiting = data.open.filter(({ place }) => place !== null);
  const unknown = data.open.filter(({ state }) => state === "indeterminate").length;
  const last = waiting.at(-1)?.etaAt ?? null;
  return (
    <>
      <Lede>
        {waiting.length === 0 ? (
          <b>No request waits for its turn.</b>
        ) : (
          <>
            <b>{formatCount(waiting.length, "request waits for its turn", "requests wait for their turns")}</b>
            {last !== null && (
              <>
                , the last until <ClockTime at={last} />
              </>
            )}
            .
          </>
        )}{" "}
        Lambda takes one launch every 12 s and one call a second.
      </Lede>
      <div className="grid gap-2 pb-3 empty:hidden">
        {data.isFrozen && (
          <Note tone="warn">
            <b>Lambda refuses the key, so nothing is sent.</b> What waits is sent when it is accepted again; launches
            and restarts that wait for half an hour are dropped.
          </Note>
        )}
        {unknown > 0 && (
          <Note tone="warn">
            <b>{formatCount(unknown, "request was", "requests were")} sent and not answered.</b> The machine may exist
            and bill. It is looked for, and never asked for twice.
          </Note>
        )}
      </div>
      <Deck>
        <Panel span={12} title="Open" sub={formatCount(data.open.length, "request", "requests")} isFlush>
          {data.open.length === 0 ? (
            <Empty
              icon={ListChecks}
              title="Nothing is open"
              text="Launches, terminations and restarts stand here from the click until Lambda’s list agrees."
              action={<ButtonLink href={"/launch" as Route}>Launch an instance</ButtonLink>}
            />
          ) : (
            <QueueTable label="Open requests" rows={data.open} now={data.now} cancel={cancel} may={may} isOpen />
          )}
        </Panel>
        {data.watched.length > 0 && <WatchTable rows={data.watched} adopt={may.includes("launch") ? adopt : null} />}
        {data.settled.length > 0 && (
          <Panel span={12} title="Settled" sub="the last 24 h" isFlush>
            <QueueTable label="Settled requests" rows={data.settled} now={data.now} cancel={cancel} may={may} />
          </Panel>
        )}
      </Deck>
    </>
  );
}

type TableProps = Pick<Props, "cancel" | "may"> & {
  label: string;
  rows: readonly QueueRow[];
  now: number;
  isOpen?: boolean;
};

function QueueTable({ label, rows, now, cancel, may, isOpen = false }: TableProps) {
  return (
    <Table label={label}>
      <thead>
        <tr>
          {isOpen && (
            <th scope="col" className="num">
              Place
            </th>
          )}
          <th scope="col">Request</th>
          <th scope="col">State</th>
          <th scope="col">What was done</th>
          <th scope="col">Asked by</th>
          <th scope="col" className="num">
            {isOpen ? "Asked" : "Settled"}
          </th>
          {isOpen && (
            <th scope="col">
              <span className="sr-only">Take it back</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            {isOpen && (
              <td className="num">
                {row.place ?? <span className="muted">{row.state === "awaiting_approval" ? "waits" : "sent"}</span>}
              </td>
            )}
            <th scope="row">
              {KINDS[row.kind]}{" "}
              <Link className="name-link" href={hrefOf(row)}>
                {row.name}
              </Link>
            </th>
            <td>
              <Badge tone={STATES[row.state].tone}>{STATES[row.state].word}</Badge>
            </td>
            <td className="min-w-72 whitespace-normal">
              <Told story={row.story} now={now} />
            </td>
            <td>
              {row.by}
              {row.reason && <span className="block text-12 text-text-2">{row.reason}</span>}
            </td>
            <td className="num">
              <Age at={isOpen ? row.createdAt : (row.settledAt ?? row.createdAt)} isBare />
            </td>
            {isOpen && (
              <td className="num">
                {row.isCancellable && may.includes(row.kind) && <TakeBack row={row} cancel={cancel} />}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function hrefOf(row: QueueRow): Route {
  if (row.kind === "launch") return `/launch/${row.id}` as Route;
  return (row.instanceId === null ? "/fleet" : `/fleet/${row.instanceId}`) as Route;
}

/** A sentence with instants in it. */
function Told({ story, now }: { story: Story; now: number }) {
  return story.map(({ text, at }) => (
    <span key={text}>
      {text}
      {at !== null && <> {Math.abs(at - now) > HALF_DAY_MS ? <Instant at={at} /> : <ClockTime at={at} />}</>}
    </span>
  ));
}
