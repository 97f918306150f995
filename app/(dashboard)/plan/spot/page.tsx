import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { SpotRoom } from "@/components/plan/spot-room";
import { PageTitle } from "@/components/ui/page";
import { SpotQuestion } from "@/lib/domain/plan/spot-view";
import { spotQuery } from "@/lib/queries/plan";
import { readSpot } from "@/lib/services/plan/spot";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";

export const metadata: Metadata = { title: "Spot or on demand" };

export default async function SpotPage({ searchParams }: PageProps<"/plan/spot">) {
  const ctx = await pageCtx();
  const question = SpotQuestion.safeParse(await searchParams).data ?? SpotQuestion.parse({});
  return (
    <Hydrate reads={[prefetch(spotQuery(question), () => readSpot(ctx, question))]}>
      <PageTitle
        title="Spot or on demand"
        meta="A lower price, and work that is lost when a machine is taken away. Lambda has no spot machines."
      />
      <PanelFrame label="The decision" rows={12}>
        <SpotRoom question={question} />
      </PanelFrame>
    </Hydrate>
  );
}
