import type { Metadata } from "next";
import { AnomaliesDeck } from "@/components/cost/anomalies-panel";
import { ResourceRoom } from "@/components/cost/resource-room";
import { SpendRoom } from "@/components/cost/spend-room";
import { WhyDeck } from "@/components/cost/why-panel";
import { PanelFrame } from "@/components/page/panel-frame";
import { can } from "@/lib/domain/access";
import { ExploreQuestion } from "@/lib/domain/cost/explore";
import { WhyQuestion } from "@/lib/domain/cost/why-view";
import { costQuery } from "@/lib/queries/cost";
import { anomaliesQuery } from "@/lib/queries/cost-outlook";
import { exploreQuery, whyQuery } from "@/lib/queries/spend";
import { readAnomalies } from "@/lib/services/cost/anomalies";
import { readExplore } from "@/lib/services/cost/explore";
import { readCost } from "@/lib/services/cost/month";
import { readWhy } from "@/lib/services/cost/why";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";

export const metadata: Metadata = { title: "Cost" };

export default async function CostPage({ searchParams }: PageProps<"/cost">) {
  const ctx = await pageCtx();
  const given = await searchParams;
  const question = ExploreQuestion.safeParse(given).data ?? ExploreQuestion.parse({});
  const why = { mix: WhyQuestion.parse({ mix: given.mix }).mix };
  const month = { by: "team" as const };
  return (
    <Hydrate
      reads={[
        prefetch(costQuery(month), () => readCost(ctx, month)),
        prefetch(exploreQuery(question), () => readExplore(ctx, question)),
        prefetch(whyQuery(why), () => readWhy(ctx, why)),
        prefetch(anomaliesQuery(), () => readAnomalies(ctx, {})),
      ]}
    >
      <PanelFrame label="Spend" rows={14}>
        <SpendRoom question={question} canExport={can(ctx.actor, "export")} />
      </PanelFrame>
      <PanelFrame label="Days that stand out">
        <AnomaliesDeck canExport={can(ctx.actor, "export")} />
      </PanelFrame>
      <PanelFrame label="Why it is not the month before">
        <WhyDeck question={why} canExport={can(ctx.actor, "export")} />
      </PanelFrame>
      <PanelFrame label="Instances and storage">
        <ResourceRoom question={month} canExport={can(ctx.actor, "export")} />
      </PanelFrame>
    </Hydrate>
  );
}
