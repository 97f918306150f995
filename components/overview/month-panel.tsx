"use client";

import type { Route } from "next";
import { chartModel } from "@/components/charts/model";
import { TimeSeriesChart } from "@/components/charts/time-series-chart";
import { useLive } from "@/components/page/use-live";
import { Meter } from "@/components/ui/meter";
import { Panel } from "@/components/ui/panel";
import { formatUsd, formatUsdWhole } from "@/lib/domain/format";
import { formatDuration, formatMonth } from "@/lib/domain/format-time";
import { overviewQuery } from "@/lib/queries/overview";
import { PanelLink } from "./overview-panels";

const DAY_MS = 24 * 3_600_000;

/** Spend so far this month, where it goes at this rate, and the budget. */
export function MonthPanel() {
  const { data } = useLive(overviewQuery());
  const { outlook } = data;
  // Accounting days are drawn as UTC days: the axis names the day, not an instant.
  const start = Date.parse(`${outlook.month}-01T00:00:00Z`);
  const at = Array.from({ length: outlook.days + 1 }, (_, day) => start + day * DAY_MS);
  const known = outlook.cumulative.map(({ micros }) => Number(micros));
  const actual = at.map((_, day) => (day === 0 ? 0 : (known[day - 1] ?? null)));
  const now = known.length;
  const spent = known.at(-1) ?? 0;
  const towards = (end: string) =>
    at.map((_, day) =>
      day < now ? null : spent + ((Number(end) - spent) * (day - now)) / Math.max(1, outlook.days - now),
    );
  const model = chartModel({
    unit: "usdMicros",
    timeZone: "UTC",
    from: start,
    to: start + outlook.days * DAY_MS,
    stepMs: DAY_MS,
    at,
    series: [
      { id: "actual", label: "spent", slot: 1, mean: actual, hasArea: true, hasEnd: false },
      {
        id: "forecast",
        label: "forecast",
        slot: 1,
        kind: "declared",
        mean: towards(outlook.forecast.micros),
        min: towards(outlook.forecast.lowMicros),
        max: towards(outlook.forecast.highMicros),
        hasEnd: false,
      },
    ],
    limits: outlook.budget
      ? [
          {
            value: Number(outlook.budget.micros),
            label: `Budget ${formatUsdWhole(outlook.budget.micros)}`,
            tone: "warn",
          },
        ]
      : [],
    sub: `${formatMonth(start, "UTC").split(" ")[0]}, ${data.zone}; forecast ${formatUsdWhole(outlook.forecast.micros)}`,
  });
  return (
    <Panel>
      <TimeSeriesChart title="Month to date" model={model} height={170} />
      <p className="muted pt-1 text-12">
        <PanelLink href={"/cost" as Route}>Cost by day and team</PanelLink>
      </p>
    </Panel>
  );
}

/** Where today's idle money went. */
export function IdlePanel() {
  const { data } = useLive(overviewQuery());
  const rows = data.idle.filter((row) => row.micros !== "0").slice(0, 4);
  const most = Math.max(1, ...rows.map((row) => Number(row.micros)));
  return (
    <Panel title="Idle today" sub="at most 5 % for 30 min or more" actions={<b>{formatUsd(data.idleMicros)}</b>}>
      {rows.length === 0 ? (
        <p className="muted">No machine was idle for half an hour today.</p>
      ) : (
        <ul>
          {rows.map((row) => (
            <li key={row.id} className="idle-line">
              <span className="ellipsis">{row.name}</span>
              <Meter value={Number(row.micros)} max={most} tone="warn" label={`${formatUsd(row.micros)} idle`} />
              <span className="num muted">{formatDuration(row.minutes * 60_000)}</span>
              <b className="num">{formatUsd(row.micros)}</b>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
