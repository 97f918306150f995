import type { Metadata } from "next";
import { BudgetsRoom } from "@/components/cost/budgets-room";
import { PanelFrame } from "@/components/page/panel-frame";
import { can, lockOf } from "@/lib/domain/access";
import { budgetsQuery } from "@/lib/queries/cost-outlook";
import { readBudgets } from "@/lib/services/cost/budgets";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { change, create, remove } from "./actions";

export const metadata: Metadata = { title: "Budgets" };

export default async function BudgetsPage() {
  const ctx = await pageCtx();
  const locked = lockOf(ctx.actor, "budget:write");
  return (
    <Hydrate reads={[prefetch(budgetsQuery(), () => readBudgets(ctx))]}>
      <PanelFrame label="The budgets" rows={12}>
        <BudgetsRoom
          verbs={locked === null ? { create, change, remove } : null}
          locked={locked}
          canExport={can(ctx.actor, "export")}
        />
      </PanelFrame>
    </Hydrate>
  );
}
