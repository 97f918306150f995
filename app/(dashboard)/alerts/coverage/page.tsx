import type { Metadata } from "next";
import { CoveragePanel } from "@/components/alerts/coverage-panel";
import { PanelFrame } from "@/components/page/panel-frame";
import { PageTitle } from "@/components/ui/page";
import { coverageQuery } from "@/lib/queries/alerts";
import { readCoverage } from "@/lib/services/alerts/coverage";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";

export const metadata: Metadata = { title: "Alert coverage" };

export default async function CoveragePage() {
  const ctx = await pageCtx();
  return (
    <Hydrate reads={[prefetch(coverageQuery(), () => readCoverage(ctx))]}>
      <PageTitle title="Coverage" meta="Which GPU has no rule for which risk, and whose alerts nobody would hear." />
      <PanelFrame label="What is watched" rows={8}>
        <CoveragePanel />
      </PanelFrame>
    </Hydrate>
  );
}
