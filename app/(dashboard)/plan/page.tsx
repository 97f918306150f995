import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { CompareRoom } from "@/components/plan/compare-room";
import { can } from "@/lib/domain/access";
import { CompareQuestion } from "@/lib/domain/plan/compare-view";
import { compareQuery } from "@/lib/queries/plan";
import { readCompare } from "@/lib/services/plan/compare";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";

export const metadata: Metadata = { title: "Plan" };

export default async function PlanPage({ searchParams }: PageProps<"/plan">) {
  const ctx = await pageCtx();
  const question = CompareQuestion.safeParse(await searchParams).data ?? CompareQuestion.parse({});
  return (
    <Hydrate reads={[prefetch(compareQuery(question), () => readCompare(ctx, question))]}>
      <PanelFrame label="The comparison" rows={14}>
        <CompareRoom question={question} canExport={can(ctx.actor, "export")} />
      </PanelFrame>
    </Hydrate>
  );
}
