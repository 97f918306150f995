import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { ChannelsPanel } from "@/components/settings/channels-panel";
import { DeliveryLogPanel } from "@/components/settings/delivery-log-panel";
import { HeartbeatPanel } from "@/components/settings/heartbeat-panel";
import { UndeliveredPanel } from "@/components/settings/undelivered-panel";
import { WorkingHoursPanel } from "@/components/settings/working-hours-panel";
import { Deck } from "@/components/ui/panel";
import { lockOf } from "@/lib/domain/access";
import { DeliveryLogQuestion } from "@/lib/domain/notify/log-view";
import { deliveryLogQuery, heartbeatQuery, undeliveredQuery } from "@/lib/queries/notify";
import { channelsQuery, settingsQuery } from "@/lib/queries/settings";
import { readChannels } from "@/lib/services/alerts/channels";
import { readHeartbeat } from "@/lib/services/notify/heartbeat";
import { readDeliveryLog } from "@/lib/services/notify/log";
import { readUndelivered } from "@/lib/services/notify/routes";
import { readSettings } from "@/lib/services/settings";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import {
  changeChannel,
  createChannel,
  removeChannel,
  sendAgain,
  setHeartbeat,
  setWorkingHours,
  takeOff,
  testChannel,
} from "./actions";

export const metadata: Metadata = { title: "Channels" };

export default async function ChannelsPage() {
  const ctx = await pageCtx();
  const locked = lockOf(ctx.actor, "rule:write");
  return (
    <Hydrate
      reads={[
        prefetch(channelsQuery(), () => readChannels(ctx)),
        prefetch(undeliveredQuery(), () => readUndelivered(ctx)),
        prefetch(deliveryLogQuery(), () => readDeliveryLog(ctx, DeliveryLogQuestion.parse({}))),
        prefetch(heartbeatQuery(), () => readHeartbeat(ctx)),
        prefetch(settingsQuery(), () => readSettings(ctx)),
      ]}
    >
      <Deck>
        <PanelFrame label="The channels" span={12} rows={5}>
          <ChannelsPanel
            span={12}
            create={createChannel}
            change={changeChannel}
            remove={removeChannel}
            test={testChannel}
            locked={locked}
          />
        </PanelFrame>
        <PanelFrame label="What was not delivered" span={7} rows={4}>
          <UndeliveredPanel span={7} again={sendAgain} takeOff={takeOff} locked={locked} />
        </PanelFrame>
        <PanelFrame label="The heartbeat" span={5} rows={4}>
          <HeartbeatPanel span={5} set={setHeartbeat} locked={locked} />
        </PanelFrame>
        <PanelFrame label="The delivery log" span={12} rows={6}>
          <DeliveryLogPanel span={12} />
        </PanelFrame>
        <PanelFrame label="Working hours" span={12} rows={3}>
          <WorkingHoursPanel span={12} set={setWorkingHours} locked={locked} />
        </PanelFrame>
      </Deck>
    </Hydrate>
  );
}
