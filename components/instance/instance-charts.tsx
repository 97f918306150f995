"use client";

import { Unplug } from "lucide-react";
import { PanelFrame } from "@/components/page/panel-frame";
import { useLive } from "@/components/page/use-live";
import { Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";
import type { InstancePageQuestion } from "@/lib/domain/fleet/view";
import { instanceQuery } from "@/lib/queries/fleet";
import { INSTANCE_CHARTS } from "./charts";
import { MetricChart } from "./metric-chart";

/** The metrics of the machine; one sentence instead where none has ever come. */
export function InstanceCharts({ question }: { question: InstancePageQuestion }) {
  const { data } = useLive(instanceQuery(question));
  if (data.gpus.length === 0) {
    return (
      <Panel className="is-wide" title="Telemetry">
        <Empty
          icon={Unplug}
          title={data.row.isBilled ? "Nothing is known of its GPU, and it bills" : "No telemetry yet"}
          text={
            data.row.isBilled
              ? "No agent has ever reported from this machine. Install it with the one line in Settings, Connection; charts begin with its first sample."
              : "The agent comes with the machine and reports as soon as it has booted."
          }
        />
      </Panel>
    );
  }
  return INSTANCE_CHARTS.map((chart) => (
    <PanelFrame key={chart.metric} label={chart.title} rows={5}>
      <MetricChart question={question} {...chart} />
    </PanelFrame>
  ));
}
