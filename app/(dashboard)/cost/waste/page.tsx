import type { Metadata } from "next";
import { WasteRoom } from "@/components/cost/waste-room";
import { PanelFrame } from "@/components/page/panel-frame";
import { can } from "@/lib/domain/access";
import { WasteQuestion } from "@/lib/domain/cost/waste";
import { wasteQuery } from "@/lib/queries/cost-outlook";
import { readWaste } from "@/lib/services/cost/waste";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";

export const metadata: Metadata = { title: "Waste" };

export default async function WastePage({ searchParams }: PageProps<"/cost/waste">) {
  const ctx = await pageCtx();
  const question = WasteQuestion.parse(await searchParams);
  return (
    <Hydrate reads={[prefetch(wasteQuery(question), () => readWaste(ctx, question))]}>
      <PanelFrame label="The waste" rows={12}>
        <WasteRoom question={question} canExport={can(ctx.actor, "export")} />
      </PanelFrame>
    </Hydrate>
  );
}
