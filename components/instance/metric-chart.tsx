"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { chartModel } from "@/components/charts/model";
import { TimeSeriesChart } from "@/components/charts/time-series-chart";
import type { Limit, Series, Slot, Span, Unit } from "@/components/charts/types";
import { happenings } from "@/components/events/marks";
import { useLive } from "@/components/page/use-live";
import { useTimeZone } from "@/components/ui/clock";
import { Panel } from "@/components/ui/panel";
import type { InstanceAnswer, InstancePageQuestion } from "@/lib/domain/fleet/view";
import { formatGib, formatMib } from "@/lib/domain/format";
import type { Metric } from "@/lib/domain/telemetry/catalogue";
import { eventsQuery } from "@/lib/queries/events";
import { instanceQuery } from "@/lib/queries/fleet";
import { seriesQuery } from "@/lib/queries/telemetry";
import { instanceSeries } from "./charts";

type Props = {
  question: InstancePageQuestion;
  metric: Metric;
  unit: Unit;
  title: string;
  height: number;
  isWide?: boolean;
};

/** One metric of the machine with its alert thresholds; one line per GPU where it has several. */
export function MetricChart({ question, metric, unit, title, height, isWide = false }: Props) {
  const timeZone = useTimeZone();
  const { data: instance } = useLive(instanceQuery(question));
  const { data } = useSuspenseQuery(seriesQuery(instanceSeries(question, metric)));
  const { data: events } = useLive(eventsQuery(question));
  const { row } = instance;
  const isSeveral = data.lines.length > 1;
  const all: Series = {
    id: "all",
    label: isSeveral ? "Mean" : title,
    slot: isSeveral ? "text" : 1,
    mean: data.mean,
    min: data.min,
    max: data.max,
  };
  const lines: Series[] = isSeveral
    ? data.lines.map((gpu) => ({
        id: gpu.id,
        label: gpu.name,
        slot: ((gpu.position % 8) + 1) as Slot,
        mean: gpu.mean,
        weight: "quiet",
      }))
    : [];
  const isLost = row.telemetry.state === "silent" || row.telemetry.state === "failing";
  const model = chartModel({
    unit,
    timeZone,
    from: data.from,
    to: data.to,
    stepMs: data.stepMs,
    at: data.at,
    series: [all, ...lines],
    limits: limitsOf(instance, metric),
    spans: spansOf(instance, metric),
    happenings: happenings(events),
    sub: isSeveral ? "mean, and one line per GPU" : "mean and min–max",
    isSubject: isWide,
    ...(metric === "memoryUsedMib" && wholeOf(instance) !== null && { whole: wholeOf(instance) ?? 0 }),
    ...(isLost && { staleSince: row.telemetry.at }),
  });
  return (
    <Panel {...(isWide && { className: "is-wide" })}>
      <TimeSeriesChart title={title} model={model} height={height} syncId="instance" />
    </Panel>
  );
}

/** Memory of one GPU: lines are per GPU, and so is what they are measured against. */
function wholeOf({ gpus }: InstanceAnswer): number | null {
  const sizes = gpus.flatMap((gpu) => (gpu.memoryTotalMib === null ? [] : [gpu.memoryTotalMib]));
  return sizes.length === 0 ? null : Math.max(...sizes);
}

function limitsOf(instance: InstanceAnswer, metric: Metric): Limit[] {
  const toneOf = (severity: string) => (severity === "critical" ? "crit" : "warn");
  const own: Limit[] = instance.thresholds
    .filter((threshold) => threshold.metric === metric)
    .map((threshold) => ({ value: threshold.value, label: threshold.label, tone: toneOf(threshold.severity) }));
  if (metric === "memoryUsedMib") {
    const whole = wholeOf(instance);
    if (whole === null) return own;
    return [
      { value: whole, label: `capacity ${formatGib(whole)} (${formatMib(whole)})`, tone: "neutral" },
      ...own,
      ...instance.thresholds
        .filter((threshold) => threshold.metric === "memoryUsedPct")
        .map((threshold) => ({
          value: (threshold.value / 100) * whole,
          label: `${threshold.label} %, ${formatGib((threshold.value / 100) * whole)}`,
          tone: toneOf(threshold.severity) as Limit["tone"],
        })),
    ];
  }
  if (metric === "powerW") {
    const limit = Math.max(0, ...instance.gpus.map((gpu) => gpu.powerLimitW ?? 0));
    return limit > 0 ? [{ value: limit, label: `cap ${limit} W`, tone: "neutral", isDashed: true }, ...own] : own;
  }
  if (metric === "temperatureC") {
    const slowdown = instance.gpus.map((gpu) => gpu.slowdownTemperatureC).find((value) => value !== null);
    return slowdown != null ? [{ value: slowdown, label: `slowdown ${slowdown} °C`, tone: "crit" }, ...own] : own;
  }
  return own;
}

/** When this metric raised alerts: several GPUs may have raised one at the same moment. */
function spansOf({ lifeline }: InstanceAnswer, metric: Metric): Span[] {
  const names = metric === "memoryUsedMib" ? ["memoryUsedMib", "memoryUsedPct"] : [metric];
  const spans = lifeline.alerts
    .filter((alert) => names.includes(alert.metric))
    .map(
      ({ from, to, severity }): Span => ({ from, to, kind: severity === "critical" ? "firing" : "noted", label: "" }),
    );
  const longestLast = spans.sort((a, b) => a.to - b.to);
  return [...new Map(longestLast.map((span) => [`${span.kind} ${span.from}`, span])).values()];
}
