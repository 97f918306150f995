import type { Metadata } from "next";
import { FiringPanel } from "@/components/overview/firing-panel";
import { FleetChart } from "@/components/overview/fleet-charts";
import { InstancesPanel } from "@/components/overview/instances-panel";
import { IdlePanel, MonthPanel } from "@/components/overview/month-panel";
import { OverviewFigures, OverviewLede } from "@/components/overview/overview-panels";
import { PanelFrame } from "@/components/page/panel-frame";
import { Deck, DeckColumn } from "@/components/ui/panel";
import { EventsQuestion } from "@/lib/domain/events/view";
import { WindowQuestion } from "@/lib/domain/fleet/view";
import { eventsQuery, XID_DAY } from "@/lib/queries/events";
import { sparklinesQuery } from "@/lib/queries/fleet";
import { overviewQuery } from "@/lib/queries/overview";
import { seriesQuery } from "@/lib/queries/telemetry";
import { readEvents } from "@/lib/services/events/read";
import { readSparklines } from "@/lib/services/fleet/read";
import { readOverview } from "@/lib/services/overview";
import { readSeries } from "@/lib/services/telemetry/series";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage({ searchParams }: PageProps<"/">) {
  const ctx = await pageCtx();
  const window = WindowQuestion.parse(await searchParams);
  const utilization = { ...window, metric: "utilizationPct", scope: "fleet", by: "instance" } as const;
  const memory = { ...window, metric: "memoryUsedPct", scope: "fleet", by: "instance" } as const;
  return (
    <Hydrate
      reads={[
        prefetch(overviewQuery(), () => readOverview(ctx)),
        prefetch(seriesQuery(utilization), () => readSeries(ctx, utilization)),
        prefetch(seriesQuery(memory), () => readSeries(ctx, memory)),
        prefetch(eventsQuery(XID_DAY), () => readEvents(ctx, EventsQuestion.parse(XID_DAY))),
        prefetch(sparklinesQuery(), () => readSparklines(ctx)),
      ]}
    >
      <PanelFrame label="The summary" rows={1}>
        <OverviewLede />
      </PanelFrame>
      <Deck className="overview">
        <PanelFrame label="The figures" span={12} rows={2}>
          <OverviewFigures />
        </PanelFrame>
        <DeckColumn span={8}>
          <PanelFrame label="Utilisation" rows={6}>
            <FleetChart
              question={utilization}
              title="Utilisation"
              sub="fleet mean, one line per instance; shade reaches to the 95th percentile GPU"
              height={146}
            />
          </PanelFrame>
          <PanelFrame label="VRAM" rows={5}>
            <FleetChart question={memory} title="VRAM" sub="% of each instance’s memory" height={124} />
          </PanelFrame>
          <PanelFrame label="The instances" rows={7}>
            <InstancesPanel />
          </PanelFrame>
        </DeckColumn>
        <DeckColumn span={4}>
          <PanelFrame label="The alerts" rows={4}>
            <FiringPanel />
          </PanelFrame>
          <PanelFrame label="The month" rows={8}>
            <MonthPanel />
          </PanelFrame>
          <PanelFrame label="Idle money" rows={4}>
            <IdlePanel />
          </PanelFrame>
        </DeckColumn>
      </Deck>
    </Hydrate>
  );
}
