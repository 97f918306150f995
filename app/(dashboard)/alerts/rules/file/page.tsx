import type { Metadata } from "next";
import { RuleFilePanel } from "@/components/alerts/rule-file-panel";
import { PanelFrame } from "@/components/page/panel-frame";
import { PageTitle } from "@/components/ui/page";
import { can } from "@/lib/domain/access";
import { pageCtx } from "@/lib/web/session";
import { preview, take } from "./actions";

export const metadata: Metadata = { title: "Alerting as a file" };

export default async function RuleFilePage() {
  const ctx = await pageCtx();
  return (
    <>
      <PageTitle
        title="Alerting as a file"
        meta="Rules, routes, silences and budgets in one text, to keep beside your code; and a text back, looked at before it counts."
      />
      <PanelFrame label="The file" rows={8}>
        <RuleFilePanel verbs={can(ctx.actor, "rule:write") ? { preview, take } : null} />
      </PanelFrame>
    </>
  );
}
