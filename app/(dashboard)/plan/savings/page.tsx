import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { SavingsRoom } from "@/components/plan/savings-room";
import { can } from "@/lib/domain/access";
import { SavingsQuestion } from "@/lib/domain/plan/savings-view";
import { savingsQuery } from "@/lib/queries/sizing";
import { readSavings } from "@/lib/services/plan/savings";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";

export const metadata: Metadata = { title: "Savings" };

export default async function SavingsPage({ searchParams }: PageProps<"/plan/savings">) {
  const ctx = await pageCtx();
  const question = SavingsQuestion.parse(await searchParams);
  return (
    <Hydrate reads={[prefetch(savingsQuery(question), () => readSavings(ctx, question))]}>
      <PanelFrame label="The savings" rows={12}>
        <SavingsRoom question={question} canExport={can(ctx.actor, "export")} />
      </PanelFrame>
    </Hydrate>
  );
}
