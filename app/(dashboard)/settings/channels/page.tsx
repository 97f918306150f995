import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { ChannelsPanel } from "@/components/settings/channels-panel";
import { Deck } from "@/components/ui/panel";
import { lockOf } from "@/lib/domain/access";
import { channelsQuery } from "@/lib/queries/settings";
import { readChannels } from "@/lib/services/alerts/channels";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { changeChannel, createChannel, removeChannel, testChannel } from "./actions";

export const metadata: Metadata = { title: "Channels" };

export default async function ChannelsPage() {
  const ctx = await pageCtx();
  return (
    <Hydrate reads={[prefetch(channelsQuery(), () => readChannels(ctx))]}>
      <Deck>
        <PanelFrame label="The channels" span={12} rows={5}>
          <ChannelsPanel
            span={12}
            create={createChannel}
            change={changeChannel}
            remove={removeChannel}
            test={testChannel}
            locked={lockOf(ctx.actor, "rule:write")}
          />
        </PanelFrame>
      </Deck>
    </Hydrate>
  );
}
