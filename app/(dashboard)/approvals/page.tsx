import type { Metadata } from "next";
import { ApprovalsPanel } from "@/components/approvals/approvals-panel";
import { PanelFrame } from "@/components/page/panel-frame";
import { approvalsQuery } from "@/lib/queries/intents";
import { readApprovals } from "@/lib/services/intents/approvals";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { approve, breakGlass, cancel, refuse } from "./actions";

export const metadata: Metadata = { title: "Approvals" };

export default async function ApprovalsPage() {
  const ctx = await pageCtx();
  return (
    <Hydrate reads={[prefetch(approvalsQuery(), () => readApprovals(ctx))]}>
      <PanelFrame label="The approvals" rows={8}>
        <ApprovalsPanel verbs={{ approve, refuse, breakGlass, cancel }} />
      </PanelFrame>
    </Hydrate>
  );
}
