import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { AgentsPanel } from "@/components/settings/agents-panel";
import { ConnectionPanel } from "@/components/settings/connection-panel";
import { SendersPanel } from "@/components/settings/senders-panel";
import { Deck } from "@/components/ui/panel";
import { lockOf } from "@/lib/domain/access";
import { connectionQuery, sourcesQuery } from "@/lib/queries/settings";
import { readConnection } from "@/lib/services/settings";
import { readSources } from "@/lib/services/sources";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { assignSender, createToken, dismissSender } from "./actions";

export const metadata: Metadata = { title: "Settings" };

export default async function ConnectionPage() {
  const ctx = await pageCtx();
  const locked = lockOf(ctx.actor, "token:ingest");
  return (
    <Hydrate
      reads={[prefetch(connectionQuery(), () => readConnection(ctx)), prefetch(sourcesQuery(), () => readSources(ctx))]}
    >
      <Deck>
        <PanelFrame label="The connection" span={5} rows={9}>
          <ConnectionPanel span={5} />
        </PanelFrame>
        <PanelFrame label="The agents" span={7} rows={9}>
          <AgentsPanel span={7} create={createToken} locked={locked} />
        </PanelFrame>
        <PanelFrame label="Unassigned senders" span={12} rows={3}>
          <SendersPanel span={12} assign={assignSender} dismiss={dismissSender} locked={locked} />
        </PanelFrame>
      </Deck>
    </Hydrate>
  );
}
