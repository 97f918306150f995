"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { ChartNoAxesColumn } from "lucide-react";
import { chartModel } from "@/components/charts/model";
import { TimeSeriesChart } from "@/components/charts/time-series-chart";
import type { Series, Slot, Unit } from "@/components/charts/types";
import { useLive } from "@/components/page/use-live";
import { useTimeZone } from "@/components/ui/clock";
import { Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";
import { WORKLOAD_CHARTS, type WorkloadChart } from "@/lib/domain/workload/summary";
import type { RunSeriesAnswer } from "@/lib/domain/workload/view";
import { runQuery, runSeriesQuery } from "@/lib/queries/runs";

type Props = { runId: string };

/** Utilisation of its GPUs over the run, then each metric that it told, all on one axis of time; gaps stay gaps. */
export function RunCharts({ runId }: Props) {
  const { data: answer } = useLive(runQuery({ runId }));
  const { data } = useSuspenseQuery(runSeriesQuery({ runId }));
  return (
    <>
      <UtilizationChart data={data} />
      {data.charts.map((chart) => (
        <MetricChart key={chart.id} data={data} chart={chart} />
      ))}
      {data.charts.length === 0 && (
        <Panel className="is-wide" title="Its own metrics">
          <Empty
            icon={ChartNoAxesColumn}
            title={answer.lastValueAt === null ? "It has told nothing of itself" : "Its first values have come"}
            text={
              answer.lastValueAt === null ? (
                <>
                  Push values with its id, or give them the label{" "}
                  <span className="mono">run="{answer.run.externalId}"</span>. Latency, throughput, success, samples,
                  tokens and epochs are drawn here, and what a unit of them costs.
                </>
              ) : (
                "What a counter rose by is known from its second value on."
              )
            }
          />
        </Panel>
      )}
    </>
  );
}

function UtilizationChart({ data }: { data: RunSeriesAnswer }) {
  const series: Series = { id: "gpu", label: "Utilisation", slot: 1, ...data.utilization };
  return (
    <Drawn
      data={data}
      title="GPU utilisation"
      unit="percent"
      sub="mean and min–max of its GPUs"
      series={[series]}
      isWide
      height={168}
    />
  );
}

function MetricChart({ data, chart }: { data: RunSeriesAnswer; chart: WorkloadChart }) {
  const known = WORKLOAD_CHARTS.find(({ id }) => id === chart.id);
  const isPercent = known?.unit === "%";
  const series = chart.lines.map(
    (line, i): Series => ({
      id: line.label,
      label: line.label,
      slot: ((i % 8) + 1) as Slot,
      mean: line.values,
      ...(chart.id === "epoch" && { isStepped: true }),
    }),
  );
  return (
    <Drawn
      data={data}
      title={known?.title ?? chart.id}
      unit={isPercent ? "percent" : "count"}
      sub={isPercent ? "" : (known?.unit ?? "")}
      series={series}
      height={118}
    />
  );
}

type DrawnProps = {
  data: RunSeriesAnswer;
  title: string;
  unit: Unit;
  sub: string;
  series: Series[];
  height: number;
  isWide?: boolean;
};

function Drawn({ data, title, unit, sub, series, height, isWide = false }: DrawnProps) {
  const timeZone = useTimeZone();
  const model = chartModel({
    unit,
    timeZone,
    from: data.from,
    to: data.to,
    stepMs: data.stepMs,
    at: data.at,
    series,
    isSubject: isWide,
    ...(sub !== "" && { sub }),
  });
  return (
    <Panel {...(isWide && { className: "is-wide" })}>
      <TimeSeriesChart title={title} model={model} height={height} syncId="run" />
    </Panel>
  );
}
