"use client";

import { UserCheck } from "lucide-react";
import { useLive } from "@/components/page/use-live";
import { Lede } from "@/components/ui/page";
import { Deck, Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";
import { formatCount } from "@/lib/domain/format";
import { approvalsQuery } from "@/lib/queries/intents";
import { ApprovalCard, type Deciding } from "./approval-card";
import { DecidedTable } from "./decided-table";

/** What waits for a second person, the one that expires next first, and what was decided lately. */
export function ApprovalsPanel({ verbs }: { verbs: Deciding }) {
  const { data } = useLive(approvalsQuery());
  const forYou = data.waiting.filter(({ denied }) => denied === null).length;
  return (
    <>
      <Lede>
        {data.waiting.length === 0 ? (
          <b>Nothing waits for a second person.</b>
        ) : (
          <>
            <b>{formatCount(data.waiting.length, "request waits", "requests wait")} for a second person</b>, {forYou}{" "}
            for you to decide. Nothing is sent to Lambda before.
          </>
        )}
      </Lede>
      <Deck>
        {data.waiting.length === 0 && (
          <Panel span={12}>
            <Empty
              icon={UserCheck}
              title="No request waits"
              text="Guardrails in Settings say which launches and terminations need a second person. Nobody is asked until they do."
            />
          </Panel>
        )}
        {data.waiting.map((act) => (
          <ApprovalCard key={act.id} act={act} verbs={verbs} />
        ))}
        {data.decided.length > 0 && <DecidedTable rows={data.decided} />}
      </Deck>
    </>
  );
}
