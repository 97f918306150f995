"use client";

import { useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { chartModel } from "@/components/charts/model";
import { TimeSeriesChart } from "@/components/charts/time-series-chart";
import type { Limit, Slot } from "@/components/charts/types";
import { useTimeZone } from "@/components/ui/clock";
import { Panel } from "@/components/ui/panel";
import { ErrorState, Loading } from "@/components/ui/states";
import { type RuleDraft, selectorOf, thresholdOf } from "@/lib/domain/alerts/draft";
import { quantity } from "@/lib/domain/alerts/message";
import type { RulePreview as Preview } from "@/lib/domain/alerts/rule-view";
import { metricOf } from "@/lib/domain/alerts/rules";
import { limitText } from "@/lib/domain/alerts/words";
import { formatCount } from "@/lib/domain/format";
import { isMetric, METRICS } from "@/lib/domain/telemetry/catalogue";
import { rulePreviewQuery } from "@/lib/queries/alerts";
import { CHART_UNITS } from "./chart-units";

/** What the draft would watch, and its threshold on what was measured there over the last day. */
export function RulePreview({ draft }: { draft: RuleDraft }) {
  const settled = useDeferredValue(draft);
  const { data, isError, refetch, isPlaceholderData } = useQuery(
    rulePreviewQuery({ kind: settled.kind, metric: settled.metric, selector: selectorOf(settled) }),
  );
  if (isError)
    return (
      <Panel>
        <ErrorState
          title="The last day could not be drawn"
          text="The rule can be saved all the same."
          onRetry={() => void refetch()}
        />
      </Panel>
    );
  if (!data)
    return (
      <Panel>
        <Loading rows={9} />
      </Panel>
    );
  return (
    <>
      <History draft={draft} preview={data} isOld={isPlaceholderData} />
      <Watched draft={draft} preview={data} />
    </>
  );
}

function History({ draft, preview, isOld }: { draft: RuleDraft; preview: Preview; isOld: boolean }) {
  const timeZone = useTimeZone();
  const { series } = preview;
  if (!series || !isMetric(draft.metric)) {
    return (
      <Panel title="The last day">
        <p className="muted">What this rule looks at is judged at each look and not kept as a line.</p>
      </Panel>
    );
  }
  const metric = METRICS[draft.metric];
  const model = chartModel({
    unit: CHART_UNITS[metric.unit],
    timeZone,
    from: series.from,
    to: series.to,
    stepMs: series.stepMs,
    at: series.at,
    series: series.lines.map((line, index) => ({
      id: line.id,
      label: line.name,
      slot: slotAt(index),
      mean: line.mean,
    })),
    limits: limitsOf(draft),
    sub: `mean of each instance, last 24 h${series.hidden > 0 ? `; ${series.hidden} more match` : ""}`,
    isSubject: true,
  });
  return (
    <Panel isRefreshing={isOld}>
      <TimeSeriesChart title={metric.label} model={model} height={300} />
    </Panel>
  );
}

function slotAt(index: number): Slot {
  const slots = [1, 2, 3, 4, 5, 6, 7, 8] as const;
  return slots[index % slots.length] ?? 1;
}

function limitsOf(draft: RuleDraft): Limit[] {
  const threshold = thresholdOf(draft, draft.threshold);
  if (threshold === null) return [];
  const clear = thresholdOf(draft, draft.clearThreshold);
  const fires: Limit = {
    value: threshold,
    label: `fires ${limitText({ ...draft, threshold, forMs: 0 })}`,
    tone: draft.severity === "critical" ? "crit" : "warn",
  };
  if (clear === null) return [fires];
  const unit = metricOf(draft.kind, draft.metric)?.unit ?? "";
  return [fires, { value: clear, label: `clears at ${quantity(clear, unit)}`, tone: "neutral", isDashed: true }];
}

function Watched({ draft, preview }: { draft: RuleDraft; preview: Preview }) {
  const target = metricOf(draft.kind, draft.metric)?.target;
  if (target === "fleet" || target === "connection") return null;
  const { matching } = preview;
  return (
    <Panel title="Watches now" sub={formatCount(matching.length, "instance")}>
      {matching.length === 0 ? (
        <p className="text-warn">
          No instance of the fleet matches. The rule can be saved; it begins to watch when one does.
        </p>
      ) : (
        <p>
          {matching
            .slice(0, 12)
            .map(({ name }) => name)
            .join(", ")}
          {matching.length > 12 && ` and ${matching.length - 12} more`}
        </p>
      )}
    </Panel>
  );
}
