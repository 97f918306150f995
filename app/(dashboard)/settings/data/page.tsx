import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { AboutPanel, BackupPanel, JobsPanel } from "@/components/settings/house-panels";
import { RefusalsPanel } from "@/components/settings/refusals-panel";
import { RetentionPanel } from "@/components/settings/retention-panel";
import { Deck, DeckColumn } from "@/components/ui/panel";
import { lockOf } from "@/lib/domain/access";
import { houseQuery, settingsQuery } from "@/lib/queries/settings";
import { refusalsQuery } from "@/lib/queries/telemetry";
import { readSettings } from "@/lib/services/settings";
import { readHouse } from "@/lib/services/settings-house";
import { readRefusals } from "@/lib/services/telemetry/quality";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { changeRetention } from "./actions";

export const metadata: Metadata = { title: "Data" };

export default async function DataPage() {
  const ctx = await pageCtx();
  return (
    <Hydrate
      reads={[
        prefetch(settingsQuery(), () => readSettings(ctx)),
        prefetch(houseQuery(), () => readHouse(ctx)),
        prefetch(refusalsQuery(), () => readRefusals(ctx)),
      ]}
    >
      <Deck>
        <PanelFrame label="Retention" span={12} rows={6}>
          <RetentionPanel span={12} act={changeRetention} locked={lockOf(ctx.actor, "setting:write")} />
        </PanelFrame>
        <DeckColumn span={8}>
          <PanelFrame label="What was not stored" rows={4}>
            <RefusalsPanel />
          </PanelFrame>
          <PanelFrame label="The worker" rows={10}>
            <JobsPanel />
          </PanelFrame>
        </DeckColumn>
        <DeckColumn span={4}>
          <PanelFrame label="The backups" rows={8}>
            <BackupPanel />
          </PanelFrame>
          <PanelFrame label="About" rows={5}>
            <AboutPanel />
          </PanelFrame>
        </DeckColumn>
      </Deck>
    </Hydrate>
  );
}
