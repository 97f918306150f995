"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { chartModel } from "@/components/charts/model";
import { TimeSeriesChart } from "@/components/charts/time-series-chart";
import type { Series, Slot } from "@/components/charts/types";
import { useTimeZone } from "@/components/ui/clock";
import { Panel } from "@/components/ui/panel";
import type { SeriesAsked } from "@/lib/domain/telemetry/view";
import { seriesQuery } from "@/lib/queries/telemetry";

type Props = { question: SeriesAsked; title: string; sub: string; height: number };

/** The fleet's mean, one line per machine where there are few, and a shade up to the 95th percentile. */
export function FleetChart({ question, title, sub, height }: Props) {
  const timeZone = useTimeZone();
  const { data } = useSuspenseQuery(seriesQuery(question));
  const lines: Series[] = data.lines.map((line) => ({
    id: line.id,
    label: line.name,
    slot: ((line.position % 8) + 1) as Slot,
    mean: line.mean,
    weight: "quiet",
  }));
  const mean: Series = {
    id: "mean",
    label: "Fleet mean",
    slot: "text",
    mean: data.mean,
    min: data.mean,
    max: data.p95,
  };
  const model = chartModel({
    unit: "percent",
    timeZone,
    from: data.from,
    to: data.to,
    stepMs: data.stepMs,
    at: data.at,
    series: [mean, ...lines],
    sub: data.hidden > 0 ? `${sub}; ${data.hidden} more are in the mean` : sub,
  });
  return (
    <Panel>
      <TimeSeriesChart title={title} model={model} height={height} syncId="overview" />
    </Panel>
  );
}
