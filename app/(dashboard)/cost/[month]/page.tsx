import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { MonthRoom } from "@/components/cost/month-room";
import { monthName } from "@/components/cost/words";
import { PanelFrame } from "@/components/page/panel-frame";
import { can } from "@/lib/domain/access";
import { CostQuestion } from "@/lib/domain/cost/view";
import { AppError } from "@/lib/errors";
import { costQuery } from "@/lib/queries/cost";
import { readCost } from "@/lib/services/cost/month";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";

export async function generateMetadata({ params }: PageProps<"/cost/[month]">): Promise<Metadata> {
  const asked = CostQuestion.safeParse(await params);
  return { title: asked.data?.month ? `Cost, ${monthName(asked.data.month)}` : "Cost" };
}

export default async function CostMonthPage({ params, searchParams }: PageProps<"/cost/[month]">) {
  const ctx = await pageCtx();
  const asked = CostQuestion.safeParse({ ...(await searchParams), ...(await params) });
  if (!asked.success) notFound();
  const question = asked.data;
  const answer = readCost(ctx, question).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not-found") notFound();
    throw error;
  });
  await answer;
  return (
    <Hydrate reads={[prefetch(costQuery(question), () => answer)]}>
      <PanelFrame label="The month’s cost" rows={14}>
        <MonthRoom question={question} canExport={can(ctx.actor, "export")} />
      </PanelFrame>
    </Hydrate>
  );
}
