"use client";

import { chartModel } from "@/components/charts/model";
import { TimeSeriesChart } from "@/components/charts/time-series-chart";
import type { Limit, Span } from "@/components/charts/types";
import { useLive } from "@/components/page/use-live";
import { useTimeZone } from "@/components/ui/clock";
import { Facts } from "@/components/ui/page";
import { Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { quantity } from "@/lib/domain/alerts/message";
import { episodeSpans } from "@/lib/domain/alerts/timeline";
import type { AlertAnswer, Happening } from "@/lib/domain/alerts/view";
import { conditionText, limitText, valueText } from "@/lib/domain/alerts/words";
import { formatDuration } from "@/lib/domain/format-time";
import { METRICS } from "@/lib/domain/telemetry/catalogue";
import { alertQuery } from "@/lib/queries/alerts";
import { CHART_UNITS } from "./chart-units";
import { When } from "./when";

/** The evidence: what was measured against the threshold, with the time it was pending and firing. */
export function AlertChart({ alertId }: { alertId: string }) {
  const timeZone = useTimeZone();
  const { data } = useLive(alertQuery({ alertId }));
  const { series, row } = data;
  if (!series) {
    return (
      <Panel title="What was measured" className="is-evidence">
        <Measured data={data} />
        {(row.resourceId !== null || data.happenings.length > 0) && <Happenings happenings={data.happenings} />}
      </Panel>
    );
  }
  const { metric } = series;
  const title = series.isJudged ? METRICS[metric].label : `${METRICS[metric].label} meanwhile`;
  const model = chartModel({
    unit: CHART_UNITS[METRICS[metric].unit],
    timeZone,
    from: series.from,
    to: series.to,
    stepMs: series.stepMs,
    at: series.at,
    series: [{ id: "all", label: title, slot: 1, mean: series.mean, min: series.min, max: series.max }],
    limits: series.isJudged ? limitsOf(data) : [],
    spans: spansOf(data),
    happenings: data.happenings.map(({ at, tone }) => ({ at, tone })),
    sub: series.isJudged ? row.targetName : `${row.targetName}; the rule watches something else`,
    isSubject: true,
  });
  return (
    <Panel className="is-evidence">
      <TimeSeriesChart title={title} model={model} height={220} />
      <div className="pt-3 evidence-facts">
        <Measured data={data} />
      </div>
      <Happenings happenings={data.happenings} />
    </Panel>
  );
}

const KINDS: Record<Happening["kind"], string> = {
  machine: "Machine",
  xid: "Xid",
  price: "Price",
  run: "Run",
  deploy: "Deploy",
  note: "Note",
};
const LISTED = 8;

/** The marks of the chart in words, the newest first. */
function Happenings({ happenings }: Pick<AlertAnswer, "happenings">) {
  if (happenings.length === 0)
    return <p className="muted pt-3">No launch, Xid event, price change, run, deploy or note lies in this window.</p>;
  return (
    <ul className="happenings" aria-label="What else happened">
      {happenings
        .toReversed()
        .slice(0, LISTED)
        .map(({ at, kind, tone, text }) => (
          <li key={`${kind} ${at} ${text}`} data-tone={tone}>
            <span className="muted">
              <When at={at} />
            </span>
            <span className="muted">{KINDS[kind]}</span>
            <span className="min-w-0">{text}</span>
          </li>
        ))}
      {happenings.length > LISTED && <li className="muted">and {happenings.length - LISTED} before them</li>}
    </ul>
  );
}

function limitsOf({ row, rule }: AlertAnswer): Limit[] {
  const fires: Limit = {
    value: row.threshold,
    label: `fires ${limitText(row)}`,
    tone: row.severity === "critical" ? "crit" : "warn",
  };
  if (rule.clearThreshold === null) return [fires];
  const label = `clears at ${quantity(rule.clearThreshold, row.unit)}`;
  return [fires, { value: rule.clearThreshold, label, tone: "neutral", isDashed: true }];
}

/** Stretches of an episode. Where it fired several times, the first carries the words. */
function spansOf({ row, history, now }: AlertAnswer): Span[] {
  const spans = episodeSpans(history, row, now);
  const first = spans.findIndex(({ kind }) => kind === "firing");
  return spans.map(({ kind, from, to }, index) => {
    if (kind === "pending") return { kind, from, to };
    if (kind === "firing") return index === first ? { kind, from, to, label: "firing" } : { kind, from, to, label: "" };
    return { kind: "noted", from, to, label: `${kind} ${formatDuration(to - from)}` };
  });
}

function Measured({ data: { row, rule, peakValue } }: { data: AlertAnswer }) {
  const missing = <Missing reason="no sample" />;
  return (
    <Facts
      rows={[
        [row.resolvedAt === null ? "Last value" : "Value at the end", valueText(row, row.value) ?? missing],
        ["Furthest beyond", valueText(row, peakValue) ?? missing],
        ["The rule", conditionText(row)],
        ...(rule.clearThreshold === null ? [] : [["Clears at", quantity(rule.clearThreshold, row.unit)] as const]),
        ...(rule.isCurrent ? [] : [["Changed since", "the rule has been edited after this alert was judged"] as const]),
      ]}
    />
  );
}
