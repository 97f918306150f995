import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { ScenarioRoom } from "@/components/plan/scenario-room";
import { PageTitle } from "@/components/ui/page";
import { can } from "@/lib/domain/access";
import { scenariosQuery } from "@/lib/queries/plan";
import { readScenarios } from "@/lib/services/plan/scenarios";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { change, create, remove, toBudget } from "./actions";

export const metadata: Metadata = { title: "Scenarios" };

export default async function ScenariosPage() {
  const ctx = await pageCtx();
  return (
    <Hydrate reads={[prefetch(scenariosQuery(), () => readScenarios(ctx))]}>
      <PageTitle
        title="Scenarios"
        meta="What machines for a month, a move, or one training would cost. Keep them by name, share their link, compare them, make a budget of one."
      />
      <PanelFrame label="The scenarios" rows={12}>
        <ScenarioRoom
          acts={{ create, change, remove, toBudget }}
          canWrite={can(ctx.actor, "plan:write")}
          canBudget={can(ctx.actor, "budget:write")}
          canExport={can(ctx.actor, "export")}
        />
      </PanelFrame>
    </Hydrate>
  );
}
