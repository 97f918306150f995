import type { Metadata } from "next";
import { FiringPanel } from "@/components/overview/firing-panel";
import { FleetChart } from "@/components/overview/fleet-charts";
import { InstancesPanel } from "@/components/overview/instances-panel";
import { IdlePanel, MonthPanel } from "@/components/overview/month-panel";
import { OverviewFigures, OverviewLede } from "@/components/overview/overview-panels";
import { PanelFrame } from "@/components/page/panel-frame";
import { Deck, DeckColumn } from "@/components/ui/panel";
import { WindowQuestion } from "@/lib/domain/fleet/view";
import { sparklinesQuery } from "@/lib/queries/fleet";
import { overviewQuery } from "@/lib/queries/overview";
import { fleetSeriesQuery } from "@/lib/queries/telemetry";
import { readSparklines } from "@/lib/services/fleet/read";
import { readOverview } from "@/lib/services/overview";
import { readFleetSeries } from "@/lib/services/telemetry/series";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage({ searchParams }: PageProps<"/">) {
  const ctx = await pageCtx();
  const window = WindowQuestion.parse(await searchParams);
  const utilization = { ...window, metric: "utilizationPct" } as const;
  const memory = { ...window, metric: "memoryUsedPct" } as const;
  return (
    <Hydrate
      reads={[
        prefetch(overviewQuery(), () => readOverview(ctx)),
        prefetch(fleetSeriesQuery(utilization), () => readFleetSeries(ctx, utilization)),
        prefetch(fleetSeriesQuery(memory), () => readFleetSeries(ctx, memory)),
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
