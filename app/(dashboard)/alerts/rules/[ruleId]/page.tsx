import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { StoredRule } from "@/components/alerts/rule-editor";
import { PanelFrame } from "@/components/page/panel-frame";
import { can } from "@/lib/domain/access";
import { RuleId } from "@/lib/domain/alerts/rule-view";
import { AppError } from "@/lib/errors";
import { ruleFormQuery, ruleQuery } from "@/lib/queries/alerts";
import { readRule, readRuleForm } from "@/lib/services/alerts/rule-reads";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { change, remove, turn } from "./actions";

export const metadata: Metadata = { title: "Alert rule" };

export default async function RulePage({ params }: PageProps<"/alerts/rules/[ruleId]">) {
  const ctx = await pageCtx();
  const asked = RuleId.safeParse(await params);
  if (!asked.success) notFound();
  const { ruleId } = asked.data;
  const answer = readRule(ctx, { ruleId }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not-found") notFound();
    throw error;
  });
  await answer;
  return (
    <Hydrate
      reads={[prefetch(ruleQuery({ ruleId }), () => answer), prefetch(ruleFormQuery(), () => readRuleForm(ctx))]}
    >
      <PanelFrame label="The rule" rows={12}>
        <StoredRule ruleId={ruleId} verbs={can(ctx.actor, "rule:write") ? { change, turn, remove } : null} />
      </PanelFrame>
    </Hydrate>
  );
}
