import type { Metadata, Route } from "next";
import { NewRule } from "@/components/alerts/rule-editor";
import { PanelFrame } from "@/components/page/panel-frame";
import { ButtonLink } from "@/components/ui/button";
import { Deck, Panel } from "@/components/ui/panel";
import { NoPermission } from "@/components/ui/states";
import { can } from "@/lib/domain/access";
import { ruleFormQuery } from "@/lib/queries/alerts";
import { readRuleForm } from "@/lib/services/alerts/rule-reads";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { create } from "./actions";

export const metadata: Metadata = { title: "New alert rule" };

export default async function NewRulePage() {
  const ctx = await pageCtx();
  if (!can(ctx.actor, "rule:write")) {
    return (
      <Deck>
        <Panel span={12}>
          <NoPermission
            title="Your role writes no rules"
            text="Operators and admins do. You can read every rule."
            action={<ButtonLink href={"/alerts/rules" as Route}>To the rules</ButtonLink>}
          />
        </Panel>
      </Deck>
    );
  }
  return (
    <Hydrate reads={[prefetch(ruleFormQuery(), () => readRuleForm(ctx))]}>
      <PanelFrame label="The form" rows={12}>
        <NewRule create={create} />
      </PanelFrame>
    </Hydrate>
  );
}
