"use client";

import type { Route } from "next";
import { useClock } from "@/components/ui/clock";
import { KeyFigure } from "@/components/ui/key-figure";
import type { CostAnswer } from "@/lib/domain/cost/view";
import {
  formatCount,
  formatNumber,
  formatPercent,
  formatPercentChange,
  formatUsd,
  formatUsdChange,
  formatUsdRate,
  formatUsdWhole,
  NONE,
} from "@/lib/domain/format";
import { formatDay } from "@/lib/domain/format-time";
import { isLedgerOld } from "./ledger-note";
import { rowsHref } from "./spend-words";
import { boundWords, dayRangeWords, dayWords, monthName, unknownWords } from "./words";

/** Fewer finished days than this say nothing of how much they differ. */
const BAND_DAYS = 3;

/** The month in six numbers. */
export function MonthFigures({ data }: { data: CostAnswer }) {
  const isStale = useClock((now) => isLedgerOld(data, now));
  const { rate, gpus, instances, storage } = data;
  const idle = BigInt(data.idle.emptyMicros) + BigInt(data.idle.heldMicros);
  const total = BigInt(data.total.micros);
  return (
    <>
      <KeyFigure
        span={2}
        href={rowsHref({ month: data.month })}
        label={data.isCurrent ? "Month to date" : monthName(data.month)}
        value={formatUsd(data.total.micros)}
        isStale={isStale}
        note={unknownWords(data.total.unknownRows) ?? boundWords(data.total)}
      />
      {rate && (
        <>
          <ForecastFigure data={data} />
          <BudgetFigure data={data} />
          <KeyFigure
            span={2}
            href={"/fleet?q=billing:yes" as Route}
            label="Per hour now"
            value={formatUsd(rate.microsPerHour)}
            unit="/h"
            note={
              rate.unknownPrices > 0
                ? `plus ${formatCount(rate.unknownPrices, "instance")} unpriced`
                : rate.storageMicrosPerHour === null
                  ? "instances; storage unknown"
                  : `instances; storage ${formatUsdRate(rate.storageMicrosPerHour)}`
            }
          />
        </>
      )}
      <ComparedFigure data={data} />
      <KeyFigure
        span={2}
        href={"/cost/waste" as Route}
        label="Idle"
        value={formatUsd(idle)}
        note={total > 0n ? `${formatPercent(Number((idle * 10_000n) / total) / 100)} of spend` : "nothing spent"}
      />
      {!rate && (
        <>
          <KeyFigure
            span={2}
            href={rowsHref({ month: data.month, charge: "usage" })}
            label="Instances"
            value={formatUsd(instances.micros)}
            note={`${formatCount(instances.count, "instance")}, ${formatNumber(instances.minutes / 60, 1)} h`}
          />
          <KeyFigure
            span={2}
            href={rowsHref({ month: data.month, charge: "storage" })}
            label="Storage"
            value={formatUsd(storage.micros)}
            note={
              data.otherMicros === "0"
                ? formatCount(storage.count, "file system")
                : `and ${formatUsdChange(data.otherMicros)} of other charges`
            }
          />
          <KeyFigure
            span={2}
            label="Per GPU-hour"
            value={gpus && gpus.minutes > 0 ? formatUsd((BigInt(gpus.micros) * 60n) / BigInt(gpus.minutes)) : NONE}
            note={gpus ? `${formatNumber(gpus.minutes / 60, 1)} GPU-hours` : "no GPU was billed"}
          />
        </>
      )}
    </>
  );
}

function ForecastFigure({ data }: { data: CostAnswer }) {
  const { forecast, rate } = data;
  if (!forecast) return null;
  const last = data.days.at(-1)?.day ?? data.toDay;
  const unknown = rate?.unknownPrices ?? 0;
  const hasStorage = rate?.storageMicrosPerHour !== null;
  return (
    <KeyFigure
      span={2}
      label={`Forecast, ${dayWords(last)}`}
      value={formatUsdWhole(forecast.micros)}
      note={
        unknown > 0
          ? `plus ${formatCount(unknown, "instance")} unpriced`
          : !hasStorage
            ? "plus storage, unpriced"
            : forecast.bandDays < BAND_DAYS
              ? "what runs now, to the end"
              : `${formatUsdWhole(forecast.lowMicros)} to ${formatUsdWhole(forecast.highMicros)}, 8 in 10`
      }
    />
  );
}

function BudgetFigure({ data }: { data: CostAnswer }) {
  const { budget } = data;
  const href = "/cost/budgets" as Route;
  if (!budget) return <KeyFigure span={2} href={href} label="Budget" value={NONE} note="none is set" />;
  const isOver = budget.reachedAt !== null && budget.reachedAt <= data.now;
  return (
    <KeyFigure
      span={2}
      href={href}
      label="Budget used"
      value={formatNumber(budget.usedPct)}
      unit={`% of ${formatUsdWhole(budget.micros)}`}
      note={
        budget.reachedAt === null ? (
          "not reached at this rate"
        ) : (
          <b className="text-warn">
            {isOver ? "used up" : `reached ${formatDay(budget.reachedAt, data.zone)} at this rate`}
          </b>
        )
      }
    />
  );
}

function ComparedFigure({ data }: { data: CostAnswer }) {
  const { compared } = data;
  if (!compared)
    return (
      <KeyFigure
        span={2}
        label="Against the month before"
        value={NONE}
        note={data.isCurrent && data.fromDay === data.toDay ? "no day is over yet" : "nothing is known of it"}
      />
    );
  const { before } = compared;
  const was = BigInt(before.micros);
  const change = BigInt(compared.micros) - was;
  const percent = was > 0n ? formatPercentChange(Number((change * 1_000n) / was) / 10) : null;
  const isWhole = !data.isCurrent;
  const month = monthName(before.fromDay.slice(0, 7), false);
  return (
    <KeyFigure
      span={2}
      label={`Against ${isWhole ? month : dayRangeWords(before.fromDay, before.toDay)}`}
      value={formatUsdChange(change)}
      note={
        before.isPartlyKnown && data.knownFrom !== null
          ? `known only from ${formatDay(data.knownFrom, data.zone)}`
          : [percent, `was ${formatUsd(before.micros)}`].filter(Boolean).join(", ")
      }
    />
  );
}
