import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { ChecklistsPanel } from "@/components/settings/checklists-panel";
import { Deck } from "@/components/ui/panel";
import { lockOf } from "@/lib/domain/access";
import { checklistsQuery } from "@/lib/queries/intents";
import { readChecklists } from "@/lib/services/intents/checklists";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { change, create, remove } from "./actions";

export const metadata: Metadata = { title: "Checklists" };

export default async function ChecklistsPage() {
  const ctx = await pageCtx();
  return (
    <Hydrate reads={[prefetch(checklistsQuery(), () => readChecklists(ctx))]}>
      <Deck>
        <PanelFrame label="The checklists" span={12} rows={8}>
          <ChecklistsPanel {...{ create, change, remove }} locked={lockOf(ctx.actor, "checklist:write")} />
        </PanelFrame>
      </Deck>
    </Hydrate>
  );
}
