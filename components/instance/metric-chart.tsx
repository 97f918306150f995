"use client";

import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { chartModel } from "@/components/charts/model";
import { TimeSeriesChart } from "@/components/charts/time-series-chart";
import type { Limit, Pool, Series, Slot, Span, Unit } from "@/components/charts/types";
import { happenings } from "@/components/events/marks";
import { useLive } from "@/components/page/use-live";
import { useTimeZone } from "@/components/ui/clock";
import { Panel } from "@/components/ui/panel";
import { nominalShareGb } from "@/lib/domain/alignment/pools";
import type { MachineAlignment } from "@/lib/domain/alignment/view";
import type { InstanceAnswer, InstancePageQuestion } from "@/lib/domain/fleet/view";
import { formatGib, formatMib } from "@/lib/domain/format";
import type { Metric } from "@/lib/domain/telemetry/catalogue";
import { machineAlignmentQuery } from "@/lib/queries/alignment";
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
  const isMemory = metric === "memoryUsedMib";
  const { data: aligned } = useQuery({ ...machineAlignmentQuery(question.instanceId), enabled: isMemory });
  const pools = isMemory && aligned ? poolsOf(aligned) : [];
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
    ...(pools.length > 0 && { pools }),
    ...(isLost && { staleSince: row.telemetry.at }),
  });
  return (
    <Panel {...(isWide && { className: "is-wide" })}>
      <TimeSeriesChart title={title} model={model} height={height} syncId="instance" />
    </Panel>
  );
}

/** The declared pools, to the scale of what the card reports: x ÷ nominal. */
function poolsOf({ pools, use }: MachineAlignment): Pool[] {
  return (pools ?? []).map(({ name, gb, existsGb, fromMib, toMib }, i) => {
    const free = use.find((one) => one.name === name)?.freeMib ?? null;
    const lacks = Math.round((gb - existsGb) * 1_000) / 1_000;
    const room = free === null ? "" : free < 0 ? `, ${formatGib(-free)} over` : `, ${formatGib(free)} free`;
    return {
      id: name,
      label: `${name} ${gb} GB`,
      verdict: `${lacks > 0 ? `${lacks} GB of it do not exist` : "fits"}${room}`,
      from: fromMib,
      to: toMib,
      slot: ((i % 8) + 1) as Slot,
    };
  });
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
          label: `${threshold.label} %, ${formatGib((threshold.value / 100) * whole)}${nominalText(threshold.value, instance)}`,
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

/** The same share in GB as the card is sold: 85 % of a nominal 96 GB is 81.6 GB. */
function nominalText(percent: number, { nominalMemoryGb }: InstanceAnswer): string {
  return nominalMemoryGb === null ? "" : ` (${nominalShareGb(percent, nominalMemoryGb)} of ${nominalMemoryGb} GB)`;
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
