import type { Metadata } from "next";
import { AllocationRoom } from "@/components/cost/allocation-room";
import { PanelFrame } from "@/components/page/panel-frame";
import { can, lockOf } from "@/lib/domain/access";
import { AllocationQuestion } from "@/lib/domain/cost/allocation-view";
import { allocationQuery } from "@/lib/queries/allocation";
import { readAllocationMonth } from "@/lib/services/cost/allocation";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { assign, create, end, move, preview } from "./actions";

export const metadata: Metadata = { title: "Allocation" };

export default async function AllocationPage({ searchParams }: PageProps<"/cost/allocation">) {
  const ctx = await pageCtx();
  const asked = AllocationQuestion.safeParse(await searchParams);
  const question = asked.success ? asked.data : {};
  const canRule = can(ctx.actor, "allocation:write");
  return (
    <Hydrate reads={[prefetch(allocationQuery(question), () => readAllocationMonth(ctx, question))]}>
      <PanelFrame label="Allocation" rows={14}>
        <AllocationRoom
          question={question}
          assign={can(ctx.actor, "label:write") ? assign : null}
          rules={canRule ? { create, preview, end, move } : null}
          canExport={can(ctx.actor, "export")}
          locked={lockOf(ctx.actor, "allocation:write")}
        />
      </PanelFrame>
    </Hydrate>
  );
}
