import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { RunsPanel } from "@/components/runs/runs-panel";
import { can } from "@/lib/domain/access";
import { RunsQuestion } from "@/lib/domain/workload/view";
import { env } from "@/lib/env";
import { runsQuery } from "@/lib/queries/runs";
import { readRuns } from "@/lib/services/workload/read";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { create } from "./actions";

export const metadata: Metadata = { title: "Runs" };

export default async function RunsPage() {
  const ctx = await pageCtx();
  return (
    <Hydrate reads={[prefetch(runsQuery({}), () => readRuns(ctx, RunsQuestion.parse({})))]}>
      <PanelFrame label="The runs" rows={10}>
        <RunsPanel
          create={can(ctx.actor, "run:write") ? create : null}
          publicUrl={env.publicUrl}
          canExport={can(ctx.actor, "export")}
        />
      </PanelFrame>
    </Hydrate>
  );
}
