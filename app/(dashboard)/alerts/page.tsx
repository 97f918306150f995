import type { Metadata } from "next";
import { InboxPanel } from "@/components/alerts/inbox-panel";
import { PanelFrame } from "@/components/page/panel-frame";
import { can } from "@/lib/domain/access";
import { inboxQuery } from "@/lib/queries/alerts";
import { readInbox } from "@/lib/services/alerts/read";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { acknowledgeSeveral, assignSeveral, merge } from "./actions";

export const metadata: Metadata = { title: "Alerts" };

export default async function AlertsPage() {
  const ctx = await pageCtx();
  return (
    <Hydrate reads={[prefetch(inboxQuery(), () => readInbox(ctx))]}>
      <PanelFrame label="The alerts" rows={10}>
        <InboxPanel
          verbs={
            can(ctx.actor, "alert:acknowledge")
              ? { acknowledge: acknowledgeSeveral, assign: assignSeveral, merge }
              : null
          }
          canExport={can(ctx.actor, "export")}
        />
      </PanelFrame>
    </Hydrate>
  );
}
