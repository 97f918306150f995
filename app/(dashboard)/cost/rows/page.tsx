import type { Metadata } from "next";
import { AnomaliesDeck } from "@/components/cost/anomalies-panel";
import { RowsRoom } from "@/components/cost/rows-room";
import { PanelFrame } from "@/components/page/panel-frame";
import { can } from "@/lib/domain/access";
import { RowsQuestion } from "@/lib/domain/cost/explore";
import { spendRowsQuery } from "@/lib/queries/spend";
import { readSpendRows } from "@/lib/services/cost/explore";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";

export const metadata: Metadata = { title: "Ledger rows" };

export default async function LedgerRowsPage({ searchParams }: PageProps<"/cost/rows">) {
  const ctx = await pageCtx();
  const question = RowsQuestion.safeParse(await searchParams).data ?? RowsQuestion.parse({});
  return (
    <Hydrate reads={[prefetch(spendRowsQuery(question), () => readSpendRows(ctx, question))]}>
      <PanelFrame label="Ledger rows" rows={14}>
        <RowsRoom question={question} canExport={can(ctx.actor, "export")} />
      </PanelFrame>
      {question.from !== undefined && question.from === question.to && (
        <PanelFrame label="Whether the day stands out">
          <AnomaliesDeck question={{ day: question.from }} canExport={can(ctx.actor, "export")} />
        </PanelFrame>
      )}
    </Hydrate>
  );
}
