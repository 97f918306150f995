"use client";

import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { useClock } from "@/components/ui/clock";
import { KeyFigure } from "@/components/ui/key-figure";
import { Link } from "@/components/ui/link";
import { Lede } from "@/components/ui/page";
import { ClockTime } from "@/components/ui/time";
import {
  formatCount,
  formatNumber,
  formatPercent,
  formatUsd,
  formatUsdRate,
  NBSP,
  splitUnit,
} from "@/lib/domain/format";
import { formatDay } from "@/lib/domain/format-time";
import type { OverviewAnswer } from "@/lib/domain/overview";
import { overviewQuery } from "@/lib/queries/overview";
import { overviewSentence } from "./sentence";

const wholeGib = (mib: number | null) => formatNumber(mib === null ? null : mib / 1024);

export function OverviewLede() {
  const { data } = useLive(overviewQuery());
  const { lead, rest } = overviewSentence(data);
  const second = useClock((now) => Math.floor(now / 1_000) * 1_000);
  return (
    <Lede aside={<ClockTime at={second} />}>
      <b>{lead}</b> {rest}
    </Lede>
  );
}

/** Six numbers, each a way to the rows behind it. */
export function OverviewFigures() {
  const { data } = useLive(overviewQuery());
  const { totals } = data.fleet;
  const isStale = data.fleet.freshness.staleSince !== null;
  const memoryPct =
    data.memory.usedMib === null || !data.memory.totalMib ? null : (data.memory.usedMib / data.memory.totalMib) * 100;
  const today = BigInt(data.today.micros);
  const idleShare = today > 0n ? Number((BigInt(data.idleMicros) * 1000n) / today) / 10 : null;
  return (
    <>
      <KeyFigure
        span={2}
        href={"/fleet?q=billing:yes" as Route}
        label="GPUs billing now"
        value={totals.gpusBilled}
        unit={`on ${formatCount(totals.billed, "instance")}`}
        isStale={isStale}
        note={<Reporting data={data} />}
      />
      <Percent
        label="Utilisation, mean"
        percent={data.utilization.nowPct}
        href={"/fleet?sort=util" as Route}
        note={
          data.utilization.dayMeanPct === null
            ? "no sample in 24 h"
            : `p95 ${formatPercent(data.utilization.p95Pct)}, 24 h mean ${formatPercent(data.utilization.dayMeanPct)}`
        }
      />
      <Percent
        label="VRAM used"
        percent={memoryPct}
        href={"/fleet?sort=-vram" as Route}
        note={
          data.memory.totalMib === null
            ? "no sample yet"
            : `${wholeGib(data.memory.usedMib)} of ${wholeGib(data.memory.totalMib)} GiB, ${formatCount(data.memory.instances, "instance")}`
        }
      />
      <KeyFigure
        span={2}
        href={"/cost" as Route}
        label="Cost per hour"
        value={formatUsd(totals.microsPerHour)}
        unit="/h"
        isStale={isStale}
        note={
          totals.unknownPrices > 0
            ? `without ${totals.unknownPrices} of unknown price`
            : `${formatUsd(BigInt(totals.microsPerHour) * 24n)} per day at this rate`
        }
      />
      <KeyFigure
        span={2}
        href={"/cost" as Route}
        label="Month to date"
        value={formatUsd(data.outlook.monthToDateMicros)}
        note={<BudgetNote data={data} />}
      />
      <KeyFigure
        span={2}
        href={"/cost" as Route}
        label="Idle today"
        value={formatUsd(data.idleMicros)}
        note={
          idleShare === null
            ? `nothing spent today, ${data.zone}`
            : `${formatPercent(idleShare)} of ${formatUsd(data.today.micros)} since 00:00`
        }
      />
    </>
  );
}

function Percent({ label, percent, note, href }: { label: string; percent: number | null; note: string; href: Route }) {
  const { value, unit } = splitUnit(formatPercent(percent));
  return <KeyFigure span={2} href={href} label={label} value={value} unit={unit ?? undefined} note={note} />;
}

function Reporting({ data }: { data: OverviewAnswer }) {
  const { reporting, silent, never } = data.reporting;
  return (
    <>
      {reporting} report
      {silent > 0 && (
        <>
          , <b className="text-crit">{silent} silent</b>
        </>
      )}
      {never > 0 && `, ${never} no agent`}
    </>
  );
}

function BudgetNote({ data }: { data: OverviewAnswer }) {
  const { budget, forecast, rateMicrosPerHour } = data.outlook;
  if (data.outlook.unknownRows > 0) return <>without {formatCount(data.outlook.unknownRows, "row")} of unknown price</>;
  if (!budget) return <>{formatUsdRate(rateMicrosPerHour)} now, no budget set</>;
  const atEnd = Number((BigInt(forecast.micros) * 100n) / BigInt(budget.micros || "1"));
  const words = `${atEnd} % of budget`;
  return (
    <>
      {atEnd > 100 ? <b className="text-warn">{words}</b> : words} by {data.outlook.days}{" "}
      {formatDay(data.now, data.zone).split(NBSP)[1]}
    </>
  );
}

export function PanelLink({ href, children }: { href: Route; children: string }) {
  return (
    <Link className="link" href={href}>
      {children}
    </Link>
  );
}
