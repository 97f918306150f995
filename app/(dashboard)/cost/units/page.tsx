import type { Metadata } from "next";
import { UnitsRoom } from "@/components/cost/units-room";
import { PanelFrame } from "@/components/page/panel-frame";
import { can } from "@/lib/domain/access";
import { UnitsQuestion } from "@/lib/domain/cost/units";
import { unitsQuery } from "@/lib/queries/cost-outlook";
import { readUnits } from "@/lib/services/cost/units";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";

export const metadata: Metadata = { title: "Unit costs" };

export default async function UnitsPage({ searchParams }: PageProps<"/cost/units">) {
  const ctx = await pageCtx();
  const question = UnitsQuestion.parse(await searchParams);
  return (
    <Hydrate reads={[prefetch(unitsQuery(question), () => readUnits(ctx, question))]}>
      <PanelFrame label="The unit costs" rows={12}>
        <UnitsRoom question={question} canExport={can(ctx.actor, "export")} />
      </PanelFrame>
    </Hydrate>
  );
}
