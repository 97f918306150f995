import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { AgentsPanel } from "@/components/settings/agents-panel";
import { ConnectionPanel } from "@/components/settings/connection-panel";
import { SendersPanel } from "@/components/settings/senders-panel";
import { TargetsPanel } from "@/components/settings/targets-panel";
import { Deck } from "@/components/ui/panel";
import { lockOf } from "@/lib/domain/access";
import { connectionQuery, sourcesQuery, targetsQuery } from "@/lib/queries/settings";
import { readConnection } from "@/lib/services/settings";
import { readSources } from "@/lib/services/sources";
import { readTargets } from "@/lib/services/telemetry/targets";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import {
  assignSender,
  changeTarget,
  createTarget,
  createToken,
  dismissSender,
  removeTarget,
  testTarget,
  turnTarget,
} from "./actions";

export const metadata: Metadata = { title: "Settings" };

export default async function ConnectionPage() {
  const ctx = await pageCtx();
  const locked = lockOf(ctx.actor, "token:ingest");
  return (
    <Hydrate
      reads={[
        prefetch(connectionQuery(), () => readConnection(ctx)),
        prefetch(sourcesQuery(), () => readSources(ctx)),
        prefetch(targetsQuery(), () => readTargets(ctx)),
      ]}
    >
      <Deck>
        <PanelFrame label="The connection" span={5} rows={9}>
          <ConnectionPanel span={5} />
        </PanelFrame>
        <PanelFrame label="The agents" span={7} rows={9}>
          <AgentsPanel span={7} create={createToken} locked={locked} />
        </PanelFrame>
        <PanelFrame label="The targets" span={12} rows={4}>
          <TargetsPanel
            span={12}
            create={createTarget}
            change={changeTarget}
            turn={turnTarget}
            remove={removeTarget}
            test={testTarget}
            locked={locked}
          />
        </PanelFrame>
        <PanelFrame label="Unassigned senders" span={12} rows={3}>
          <SendersPanel span={12} assign={assignSender} dismiss={dismissSender} locked={locked} />
        </PanelFrame>
      </Deck>
    </Hydrate>
  );
}
