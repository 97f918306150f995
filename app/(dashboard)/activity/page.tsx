import { Lock } from "lucide-react";
import type { Metadata } from "next";
import { ActivityPanel } from "@/components/activity/activity-panel";
import { ChainNote } from "@/components/activity/chain-note";
import { PanelFrame } from "@/components/page/panel-frame";
import { Deck, Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";
import { can } from "@/lib/domain/access";
import { ActivityQuestion, filterOf } from "@/lib/domain/activity/question";
import { scopeOf } from "@/lib/domain/activity/scope";
import { activityQuery, chainQuery } from "@/lib/queries/activity";
import { readChain } from "@/lib/services/activity/chain";
import { readActivity } from "@/lib/services/activity/read";
import { HydrateReady, prefetch, prefetchPages } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { checkChain } from "./actions";

export const metadata: Metadata = { title: "Activity" };

export default async function ActivityPage({ searchParams }: PageProps<"/activity">) {
  const ctx = await pageCtx();
  if (!can(ctx.actor, "audit:read")) {
    return (
      <Deck>
        <Panel span={12}>
          <Empty
            icon={Lock}
            title="Your role does not read the audit trail"
            text="Finance, on-call, operators and admins do. What happened to an instance also stands on its own page."
          />
        </Panel>
      </Deck>
    );
  }
  const question = ActivityQuestion.parse(await searchParams);
  return (
    <HydrateReady
      reads={[
        prefetchPages(activityQuery(filterOf(question)), () => readActivity(ctx, question)),
        prefetch(chainQuery(), () => readChain(ctx)),
      ]}
    >
      <PanelFrame label="The hash chain" rows={1}>
        <ChainNote check={checkChain} mayExport={can(ctx.actor, "export") && scopeOf(ctx.actor).words === null} />
      </PanelFrame>
      <PanelFrame label="The trail" rows={12}>
        <ActivityPanel canExport={can(ctx.actor, "export")} />
      </PanelFrame>
    </HydrateReady>
  );
}
