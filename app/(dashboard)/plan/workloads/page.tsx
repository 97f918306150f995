import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { WorkloadsRoom } from "@/components/plan/workloads-room";
import { workloadsQuery } from "@/lib/queries/sizing";
import { readWorkloads } from "@/lib/services/plan/workloads";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";

export const metadata: Metadata = { title: "Workloads" };

export default async function WorkloadsPage() {
  const ctx = await pageCtx();
  return (
    <Hydrate reads={[prefetch(workloadsQuery(), () => readWorkloads(ctx))]}>
      <PanelFrame label="The kinds of work" rows={12}>
        <WorkloadsRoom />
      </PanelFrame>
    </Hydrate>
  );
}
