"use client";

import { useMemo } from "react";
import { ChartFigure } from "@/components/charts/chart-figure";
import { chartModel } from "@/components/charts/model";
import { PlotFrame } from "@/components/charts/plot-frame";
import { StaticLines } from "@/components/charts/static-lines";
import type { Span, Unit } from "@/components/charts/types";
import { useTimeZone } from "@/components/ui/clock";
import { type BacktestAnswer, joinedSpells } from "@/lib/domain/alerts/backtest";
import { isUpward } from "@/lib/domain/alerts/condition";
import { type RuleDraft, thresholdOf } from "@/lib/domain/alerts/draft";
import { quantity } from "@/lib/domain/alerts/message";
import { metricOf } from "@/lib/domain/alerts/rules";
import { formatCount } from "@/lib/domain/format";
import { ThresholdLine } from "./threshold-line";

const HEIGHT_PX = 260;
const UNITS: Record<string, Unit> = { "%": "percent", "°C": "celsius", W: "watts", MHz: "megahertz", MiB: "mib" };
const MOST_SPANS = 200;

type Props = {
  draft: RuleDraft;
  /** The draft that the spans belong to. */
  tested: RuleDraft;
  onChange: (draft: RuleDraft) => void;
  result: NonNullable<BacktestAnswer["result"]>;
};

/** Highest and lowest of all GPUs, when it would have fired, and the threshold in between. */
export function BacktestChart({ draft, tested, onChange, result }: Props) {
  const timeZone = useTimeZone();
  const metric = metricOf(tested.kind, tested.metric);
  const isUp = isUpward(tested.comparison);
  const label = metric?.label ?? tested.metric;
  const limit = thresholdOf(tested, tested.threshold);
  const model = useMemo(() => {
    const { envelope, from, to, noisiest } = result;
    const at = envelope.high.map((_, i) => envelope.from + i * envelope.stepMs);
    const spans = joinedSpells(
      noisiest.flatMap(({ firing }) => firing),
      (to - from) / MOST_SPANS,
    );
    return chartModel({
      unit: UNITS[metric?.unit ?? ""] ?? "count",
      timeZone,
      from,
      to,
      stepMs: envelope.stepMs,
      at,
      series: [
        {
          id: "furthest",
          label: isUp ? "highest GPU" : "lowest GPU",
          slot: 1,
          mean: isUp ? envelope.high : envelope.low,
          min: envelope.low,
          max: envelope.high,
        },
      ],
      // It keeps the axis where the threshold is in sight.
      limits: limit === null ? [] : [{ value: limit, label: "", tone: "neutral", isDashed: true }],
      spans: spans.map(([a, b]): Span => ({ from: Math.max(a, from), to: b, kind: "firing", label: "" })),
      isSubject: true,
    });
  }, [result, metric?.unit, timeZone, isUp, limit]);
  const value = thresholdOf(draft, draft.threshold) ?? limit;
  const isSame = draft.kind === tested.kind && draft.metric === tested.metric;
  const { min, max } = model.y;
  return (
    <ChartFigure
      title={label}
      sub={`${isUp ? "highest" : "lowest"} of all GPUs, shade from lowest to highest; drag the line or use ↑ ↓`}
      summary={`${label} of all GPUs. With this threshold it would have fired ${formatCount(result.fired, "time")}.`}
      heightPx={HEIGHT_PX}
      state={
        model.isEmpty
          ? { kind: "empty", title: "Nothing was measured", text: "No GPU that this rule watches has reported it." }
          : { kind: "ready" }
      }
    >
      <PlotFrame frame={model} heightPx={HEIGHT_PX}>
        <StaticLines model={model} />
        {isSame && value !== null && (
          <ThresholdLine
            value={value}
            min={min}
            max={max}
            step={stepOf(max - min)}
            text={quantity(value, metric?.unit ?? "")}
            tone={draft.severity === "critical" ? "crit" : "warn"}
            onChange={(next) => onChange(movedTo(draft, value, next))}
          />
        )}
      </PlotFrame>
    </ChartFigure>
  );
}

/** Where it clears moves with the threshold: the distance between them is what keeps it from flapping. */
function movedTo(draft: RuleDraft, before: number, next: number): RuleDraft {
  const clear = thresholdOf(draft, draft.clearThreshold);
  const clearThreshold = clear === null ? draft.clearThreshold : String(Number((clear + next - before).toFixed(6)));
  return { ...draft, threshold: String(next), clearThreshold };
}

/** A round hundredth or so of the axis; whole numbers where there is room for them. */
function stepOf(span: number): number {
  if (span >= 20 && span <= 200) return 1;
  return 10 ** Math.round(Math.log10(span / 100));
}
