import type { Metadata } from "next";
import { MonthRoom } from "@/components/cost/month-room";
import { PanelFrame } from "@/components/page/panel-frame";
import { can } from "@/lib/domain/access";
import { CostQuestion } from "@/lib/domain/cost/view";
import { costQuery } from "@/lib/queries/cost";
import { readCost } from "@/lib/services/cost/month";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";

export const metadata: Metadata = { title: "Cost" };

export default async function CostPage({ searchParams }: PageProps<"/cost">) {
  const ctx = await pageCtx();
  const { by } = CostQuestion.parse(await searchParams);
  const question = { by };
  return (
    <Hydrate reads={[prefetch(costQuery(question), () => readCost(ctx, question))]}>
      <PanelFrame label="The month’s cost" rows={14}>
        <MonthRoom question={question} canExport={can(ctx.actor, "export")} />
      </PanelFrame>
    </Hydrate>
  );
}
