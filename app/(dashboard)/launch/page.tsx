import { Lock } from "lucide-react";
import type { Metadata, Route } from "next";
import { LaunchPanel } from "@/components/launch/launch-panel";
import { PanelFrame } from "@/components/page/panel-frame";
import { ButtonLink } from "@/components/ui/button";
import { Deck, Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";
import { can } from "@/lib/domain/access";
import { launchOffersQuery } from "@/lib/queries/intents";
import { readLaunchOffers } from "@/lib/services/intents/offers";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { launch } from "./actions";

export const metadata: Metadata = { title: "Launch" };

export default async function LaunchPage() {
  const ctx = await pageCtx();
  if (!can(ctx.actor, "intent:launch")) {
    return (
      <Deck>
        <Panel span={12}>
          <Empty
            icon={Lock}
            title="Your role does not launch instances"
            text="Operators and admins do. You see what runs, what it costs and what it does."
            action={<ButtonLink href={"/fleet" as Route}>To the fleet</ButtonLink>}
          />
        </Panel>
      </Deck>
    );
  }
  return (
    <Hydrate reads={[prefetch(launchOffersQuery(), () => readLaunchOffers(ctx))]}>
      <PanelFrame label="What can be launched" rows={12}>
        <LaunchPanel launch={launch} />
      </PanelFrame>
    </Hydrate>
  );
}
