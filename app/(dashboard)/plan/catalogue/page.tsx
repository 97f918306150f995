import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { CatalogueRoom } from "@/components/plan/catalogue-room";
import { workloadsQuery } from "@/lib/queries/sizing";
import { readWorkloads } from "@/lib/services/plan/workloads";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";

export const metadata: Metadata = { title: "Catalogue" };

export default async function CataloguePage() {
  const ctx = await pageCtx();
  return (
    <Hydrate reads={[prefetch(workloadsQuery(), () => readWorkloads(ctx))]}>
      <PanelFrame label="The catalogue" rows={12}>
        <CatalogueRoom />
      </PanelFrame>
    </Hydrate>
  );
}
