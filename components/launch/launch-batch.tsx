"use client";

import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import type { IntentState } from "@/lib/domain/intents/intent";
import { launchBatchQuery } from "@/lib/queries/launch";

const WORDS: Record<IntentState, string> = {
  draft: "not asked for yet",
  awaiting_approval: "waits for a second person",
  ready: "waits for its turn",
  sending: "being sent",
  indeterminate: "sent, and no answer came",
  confirmed: "accepted",
  adopted: "found and adopted",
  refused: "refused",
  closed_unconfirmed: "no machine turned up",
  cancelled: "taken back",
  expired: "expired, never sent",
};

/** The launches that were asked for in one act; nothing for one alone. */
export function LaunchBatch({ intentId }: { intentId: string }) {
  const { data } = useLive(launchBatchQuery(intentId));
  if (data.rows.length < 2) return null;
  return (
    <Panel span={12} title={`One of ${data.rows.length}`} sub="asked for in one act, each a launch of its own">
      <ul className="launch-batch">
        {data.rows.map(({ id, name, state }) => (
          <li key={id}>
            {id === intentId ? (
              <b>{name}</b>
            ) : (
              <Link className="link" href={`/launch/${id}` as Route}>
                {name}
              </Link>
            )}
            <span className="muted">{WORDS[state]}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
