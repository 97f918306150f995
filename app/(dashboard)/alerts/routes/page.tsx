import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { RoutesPanel } from "@/components/routes/routes-panel";
import { PageTitle } from "@/components/ui/page";
import { lockOf } from "@/lib/domain/access";
import { routesQuery } from "@/lib/queries/notify";
import { readRoutes } from "@/lib/services/notify/routes";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { change, create, remove, sort } from "./actions";

export const metadata: Metadata = { title: "Routes" };

export default async function RoutesPage() {
  const ctx = await pageCtx();
  return (
    <Hydrate reads={[prefetch(routesQuery(), () => readRoutes(ctx))]}>
      <PageTitle
        title="Routes"
        meta="Which alerts go to which channel, and when. They are asked from the top; the first that fits takes the alert."
      />
      <PanelFrame label="The routes" rows={8}>
        <RoutesPanel {...{ create, change, remove, sort }} locked={lockOf(ctx.actor, "rule:write")} />
      </PanelFrame>
    </Hydrate>
  );
}
