import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { AccountingPanel, AnomalyPanel, StoragePricePanel } from "@/components/settings/money-panels";
import { Deck } from "@/components/ui/panel";
import { lockOf } from "@/lib/domain/access";
import { settingsQuery } from "@/lib/queries/settings";
import { readSettings } from "@/lib/services/settings";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { changeAccountingZone, changeAnomalies, changeStoragePrice } from "./actions";

export const metadata: Metadata = { title: "Money" };

export default async function MoneyPage() {
  const ctx = await pageCtx();
  const locked = lockOf(ctx.actor, "price:write");
  return (
    <Hydrate reads={[prefetch(settingsQuery(), () => readSettings(ctx))]}>
      <Deck>
        <PanelFrame label="Anomalies" span={4} rows={5}>
          <AnomalyPanel span={4} act={changeAnomalies} locked={lockOf(ctx.actor, "budget:write")} />
        </PanelFrame>
        <PanelFrame label="The storage price" span={4} rows={5}>
          <StoragePricePanel span={4} act={changeStoragePrice} locked={locked} />
        </PanelFrame>
        <PanelFrame label="The accounting zone" span={4} rows={5}>
          <AccountingPanel span={4} act={changeAccountingZone} locked={locked} />
        </PanelFrame>
      </Deck>
    </Hydrate>
  );
}
