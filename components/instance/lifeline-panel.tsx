"use client";

import type { Route } from "next";
import type { ReactNode } from "react";
import { eventMarks } from "@/components/events/marks";
import { useLive } from "@/components/page/use-live";
import { useTimeZone } from "@/components/ui/clock";
import { cx } from "@/components/ui/cx";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { machineStatus, STATUS } from "@/components/ui/status-vocabulary";
import { Instant } from "@/components/ui/time";
import type { InstancePageQuestion, Lifeline } from "@/lib/domain/fleet/view";
import { formatUsdRate } from "@/lib/domain/format";
import { formatClock, formatPeriod } from "@/lib/domain/format-time";
import { eventsQuery } from "@/lib/queries/events";
import { instanceQuery } from "@/lib/queries/fleet";

/** Of the axis: what is narrower would be smaller than 24 px on a wide screen. */
const LEAST_LINK_SHARE = 0.03;

/** State, alerts and price on one axis, with what was done to it below. Drawn as boxes: a lane holds a handful of them. */
export function LifelinePanel({ question }: { question: InstancePageQuestion }) {
  const { data } = useLive(instanceQuery(question));
  const { data: events } = useLive(eventsQuery(question));
  const timeZone = useTimeZone();
  const { lifeline, row } = data;
  const box = boxOf(lifeline);
  const share = (span: { from: number; to: number | null }) =>
    ((span.to ?? lifeline.to) - Math.max(span.from, lifeline.from)) / (lifeline.to - lifeline.from);
  const marks = eventMarks(events).filter(({ at }) => at >= lifeline.from && at < lifeline.to);
  const ticks = [0.1, 0.3, 0.5, 0.7, 0.9].map((share) => ({
    share,
    at: lifeline.from + share * (lifeline.to - lifeline.from),
  }));
  return (
    <Panel
      span={12}
      title="Lifeline"
      sub={
        <>
          {formatPeriod(lifeline.from, lifeline.to, timeZone)} · first seen <Instant at={row.firstSeenAt} />
          {row.launchedBy && `, launched by ${row.launchedBy}`}
          {row.isOurs && ", from here"}
        </>
      }
    >
      <div className="lifeline">
        <Lane name="State">
          {lifeline.states.map((span) => {
            const { word, tone } = STATUS[machineStatus(span.status)];
            return (
              <span key={span.from} className={cx("lane-box", `tone-${tone}`)} style={box(span)} title={word}>
                {word}
              </span>
            );
          })}
        </Lane>
        <Lane name="Alerts">
          {lifeline.alerts.map((span) => {
            const look = {
              className: cx("lane-box", `tone-${span.severity === "critical" ? "crit" : "warn"}`),
              style: box(span),
              title: `${span.name}, ${span.severity}`,
            };
            // Too narrow for a finger: the list of alerts below leads to the same page.
            return share(span) < LEAST_LINK_SHARE ? (
              <span key={span.id} {...look} />
            ) : (
              <Link key={span.id} href={`/alerts/${span.id}` as Route} {...look}>
                {span.name}
              </Link>
            );
          })}
        </Lane>
        <Lane name="Events">
          {marks.map((mark, i) => (
            <span
              key={mark.key}
              className={cx("lane-mark", mark.tone !== "neutral" && `tone-${mark.tone}`)}
              style={box({ from: mark.at, to: marks[i + 1]?.at ?? lifeline.to })}
              title={mark.title}
            >
              {mark.text}
            </span>
          ))}
        </Lane>
        <Lane name="Price">
          {lifeline.prices.map((span) => (
            <span key={span.from} className="lane-box" style={box(span)}>
              {span.micros === null ? "unknown" : formatUsdRate(span.micros)}
            </span>
          ))}
        </Lane>
        <div className="lane-axis" aria-hidden="true">
          {ticks.map((tick) => (
            <span key={tick.share} style={{ left: `${tick.share * 100}%` }}>
              {formatClock(tick.at, timeZone)}
            </span>
          ))}
        </div>
      </div>
    </Panel>
  );
}

function Lane({ name, children }: { name: string; children: ReactNode[] }) {
  return (
    <>
      <span className="lane-name">{name}</span>
      <span className="lane">{children.length > 0 ? children : <span className="lane-none">none</span>}</span>
    </>
  );
}

function boxOf({ from, to }: Lifeline) {
  const share = (at: number) => `${((at - from) / Math.max(1, to - from)) * 100}%`;
  return (span: { from: number; to: number }) => ({
    left: share(span.from),
    width: `max(2px, ${share(from + span.to - span.from)})`,
  });
}
