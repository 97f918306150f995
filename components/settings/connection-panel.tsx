"use client";

import { CircleCheck } from "lucide-react";
import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { Note } from "@/components/ui/note";
import { Facts } from "@/components/ui/page";
import { Panel, type Span } from "@/components/ui/panel";
import { StatusBadge } from "@/components/ui/status";
import { Age } from "@/components/ui/time";
import { formatCount, formatNumber } from "@/lib/domain/format";
import type { ConnectionAnswer } from "@/lib/domain/settings";
import { connectionQuery } from "@/lib/queries/settings";

type Lambda = NonNullable<ConnectionAnswer["lambda"]>;

/** How we reach Lambda: the keys by their ends, the newest answer, and what was refused. */
export function ConnectionPanel({ span }: { span?: Span }) {
  const { data } = useLive(connectionQuery());
  const { lambda } = data;
  return (
    <Panel
      title="Lambda"
      sub={lambda ? new URL(lambda.baseUrl).host : ""}
      actions={lambda && <State lambda={lambda} />}
      {...(span && { span })}
    >
      {lambda ? (
        <div className="grid gap-3">
          <LambdaNotes lambda={lambda} />
          <Facts rows={rowsOf(lambda, data.mode)} />
          <p className="muted text-12">
            Keys come from the environment (LAMBDA_API_KEY, LAMBDA_API_KEY_MUTATE). They are never stored, and no page
            or log shows more than their last four characters.
          </p>
        </div>
      ) : (
        <p className="muted">The worker has not looked at Lambda yet. It does so within seconds of its start.</p>
      )}
    </Panel>
  );
}

function State({ lambda }: { lambda: Lambda }) {
  if (lambda.staleSince !== null) return <StatusBadge of="stale">Stale</StatusBadge>;
  return (
    <Badge tone="ok" icon={CircleCheck}>
      Connected
    </Badge>
  );
}

function LambdaNotes({ lambda }: { lambda: Lambda }) {
  return (
    <>
      {lambda.isFrozen && (
        <Note tone="crit">
          <b>Lambda refuses the key.</b> Nothing is launched or terminated until it answers again. Check the key in
          Lambda’s console, set it anew and restart.
        </Note>
      )}
      {lambda.staleSince !== null && !lambda.isFrozen && (
        <Note tone="warn">
          <b>No good answer</b> since <Age at={lambda.staleSince} />
          {lambda.error && `: ${lambda.error}`}. The fleet is shown as last seen; nothing is concluded from silence.
        </Note>
      )}
      {lambda.heldBackUntil !== null && (
        <Note tone="info">
          <b>Slowed down.</b> Lambda asked for fewer requests; the next one goes when its time has come.
        </Note>
      )}
    </>
  );
}

function rowsOf(lambda: Lambda, mode: "demo" | "real") {
  const age = (at: number | null) => (at === null ? "never" : <Age at={at} />);
  const may = lambda.mutateKeyLast4
    ? "read; the second key launches and terminates"
    : "read, launch, restart, terminate";
  return [
    ["Account", mode === "demo" ? `${lambda.name}, simulated` : lambda.name],
    ["API key", <Key key="key" last4={lambda.keyLast4} />],
    [
      "Key for changes",
      lambda.mutateKeyLast4 ? <Key key="mutate" last4={lambda.mutateKeyLast4} /> : "none: the API key does both",
    ],
    ["The API key may", may],
    [
      "Last good answer",
      <span key="last">
        {age(lambda.lastOkAt)}
        {lambda.tookMs !== null && `, ${formatNumber(lambda.tookMs)} ms`}
        {lambda.instances !== null && `, ${formatCount(lambda.instances, "instance")}`}
      </span>,
    ],
    [
      "Looks in 24 h",
      <span key="looks" className={lambda.failed24h > 0 ? "text-warn" : undefined}>
        {formatNumber(lambda.polls24h)}, {formatNumber(lambda.failed24h)} failed
      </span>,
    ],
    ["Requests", "1 per 1.1 s, launches 1 per 12.5 s"],
    ["Types and prices", age(lambda.typesReadAt)],
    [
      "Audit log",
      lambda.eventsError ? (
        <span key="events" className="text-warn" title={lambda.eventsError}>
          not readable: {lambda.eventsError}
        </span>
      ) : (
        <span key="events">read {age(lambda.eventsReadAt)}</span>
      ),
    ],
  ] as const;
}

function Key({ last4 }: { last4: string }) {
  return last4 === "" ? "not set" : <span className="mono">••••{last4}</span>;
}
