import type { Metadata } from "next";
import { FleetPanel } from "@/components/fleet/fleet-panel";
import { PanelFrame } from "@/components/page/panel-frame";
import { can } from "@/lib/domain/access";
import { EventsQuestion } from "@/lib/domain/events/view";
import { badgesQuery } from "@/lib/queries/alignment";
import { eventsQuery, XID_DAY } from "@/lib/queries/events";
import { fleetQuery, sparklinesQuery } from "@/lib/queries/fleet";
import { readBadges } from "@/lib/services/alignment/read";
import { readEvents } from "@/lib/services/events/read";
import { readFleet, readSparklines } from "@/lib/services/fleet/read";
import { Hydrate, HydrateReady, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { terminateMany } from "./actions";

export const metadata: Metadata = { title: "Fleet" };

export default async function FleetPage() {
  const ctx = await pageCtx();
  return (
    <HydrateReady reads={[prefetch(badgesQuery(), () => readBadges(ctx))]}>
      <Hydrate
        reads={[
          prefetch(fleetQuery(), () => readFleet(ctx)),
          prefetch(sparklinesQuery(), () => readSparklines(ctx)),
          prefetch(eventsQuery(XID_DAY), () => readEvents(ctx, EventsQuestion.parse(XID_DAY))),
        ]}
      >
        <PanelFrame label="The fleet" rows={10}>
          <FleetPanel
            canLaunch={can(ctx.actor, "intent:launch")}
            canExport={can(ctx.actor, "export")}
            terminateMany={can(ctx.actor, "intent:terminate-many") ? terminateMany : null}
          />
        </PanelFrame>
      </Hydrate>
    </HydrateReady>
  );
}
