import { FileText, Plus, ShieldQuestion } from "lucide-react";
import type { Metadata, Route } from "next";
import { RulesPanel } from "@/components/alerts/rules-panel";
import { PanelFrame } from "@/components/page/panel-frame";
import { ButtonLink } from "@/components/ui/button";
import { PageTitle } from "@/components/ui/page";
import { can } from "@/lib/domain/access";
import { rulesQuery } from "@/lib/queries/alerts";
import { readRules } from "@/lib/services/alerts/rule-reads";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { turn } from "./actions";

export const metadata: Metadata = { title: "Alert rules" };

export default async function RulesPage() {
  const ctx = await pageCtx();
  const canWrite = can(ctx.actor, "rule:write");
  return (
    <Hydrate reads={[prefetch(rulesQuery(), () => readRules(ctx))]}>
      <PageTitle
        title="Rules"
        meta="Each is judged on its own beat; what it finds stands in the inbox."
        actions={
          <>
            <ButtonLink icon={ShieldQuestion} href={"/alerts/coverage" as Route}>
              Coverage
            </ButtonLink>
            <ButtonLink icon={FileText} href={"/alerts/rules/file" as Route}>
              As a file
            </ButtonLink>
            {canWrite && (
              <ButtonLink look="primary" icon={Plus} href={"/alerts/rules/new" as Route}>
                New rule
              </ButtonLink>
            )}
          </>
        }
      />
      <PanelFrame label="The rules" rows={10}>
        <RulesPanel turn={canWrite ? turn : null} />
      </PanelFrame>
    </Hydrate>
  );
}
