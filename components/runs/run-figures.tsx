"use client";

import type { ReactNode } from "react";
import { useLive } from "@/components/page/use-live";
import { KeyFigure } from "@/components/ui/key-figure";
import { Missing } from "@/components/ui/quantity";
import { formatPercent, formatUsd, formatUsdRate, NONE } from "@/lib/domain/format";
import { formatDuration } from "@/lib/domain/format-time";
import type { RunAnswer } from "@/lib/domain/workload/view";
import { runQuery } from "@/lib/queries/runs";
import { Took } from "./run-plan";
import { bigCount, latencyText, perSecondText, successText, unitUsd } from "./run-words";
import { Cost, GpuHours } from "./runs-table";

/** The numbers of a run at a glance: time, money, use, and what it said of its work. */
export function RunFigures({ runId }: { runId: string }) {
  const { data } = useLive(runQuery({ runId }));
  const { run, use } = data;
  return (
    <>
      <KeyFigure
        span={2}
        label={run.isOverdue ? "Overdue, took" : "Took"}
        value={<Took run={run} />}
        note={againstPlan(run)}
      />
      <KeyFigure
        span={2}
        label={run.state === "running" ? "Cost so far" : "Cost"}
        value={<Cost run={run} />}
        note={
          run.cost === null ? (
            "its instance is not known"
          ) : (
            <>
              <GpuHours run={run} /> GPU-hours
            </>
          )
        }
      />
      <KeyFigure span={2} {...restOf(data)} />
      <KeyFigure
        span={2}
        label="Mean utilisation"
        value={use.meanPct === null ? <Missing reason="its GPUs have not reported" /> : formatPercent(use.meanPct)}
        note={use.idlePct === null ? "of its GPUs" : `idle ${formatPercent(use.idlePct)} of the time`}
      />
      {workFigures(data).map((figure) => (
        <KeyFigure key={figure.label} span={2} {...figure} />
      ))}
    </>
  );
}

/** In few words, how it stands to its hours. */
function againstPlan({ expectedMs, overMs, leftMs, isOverdue, state }: RunAnswer["run"]): string {
  if (expectedMs === null) return "no hours were given";
  if (isOverdue) return `${formatDuration(overMs)} over`;
  if (state === "running") return `${formatDuration(leftMs)} left`;
  return overMs !== null && overMs > 0 ? `${formatDuration(overMs)} longer than planned` : "within its hours";
}

/** While it goes on what it will have cost; afterwards what a unit of its work cost. */
function restOf({ run, unitPrices }: RunAnswer): { label: string; value: ReactNode; note: string } {
  const { state, cost, isOverdue, expectedMs } = run;
  const [unit] = unitPrices;
  if (state !== "running")
    return unit
      ? { label: `Per ${unit.per}`, value: unitUsd(unit.micros), note: "of its work" }
      : {
          label: "Per unit of work",
          value: <Missing reason="its work was not counted" />,
          note: "not counted, or cost not known",
        };
  const label = "At its end";
  const rate = cost?.perHourMicros == null ? "price unknown" : formatUsdRate(cost.perHourMicros);
  if (cost?.atEndMicros != null) return { label, value: `≈ ${formatUsd(cost.atEndMicros)}`, note: `at ${rate}` };
  const why = isOverdue ? "past its hours" : expectedMs === null ? "no hours were given" : "not known";
  return { label, value: <Missing reason={why} />, note: `goes on at ${rate}` };
}

/** Two figures of its work: of a service latency and success, of training speed and epochs; of another what there is. */
function workFigures({ metrics }: RunAnswer): { label: string; value: string; note: string }[] {
  const { latency, tasks, successRatio, samples, tokens, epoch, exports } = metrics;
  const found: ({ label: string; value: string; note: string } | null)[] = [
    latency && {
      label: latency.p95Ms === null ? "Mean latency" : "p95 latency",
      value: latencyText(latency.p95Ms ?? latency.meanMs, latency.isAtLeast),
      note: tasks ? `${perSecondText(tasks.perSecond)} tasks` : "of its tasks",
    },
    successRatio === null
      ? null
      : {
          label: "Task success",
          value: successText(successRatio),
          note: tasks ? `${bigCount(tasks.count)} tasks` : "as it says",
        },
    samples && {
      label: "Samples",
      value: perSecondText(samples.perSecond),
      note: samples.count === null ? "as it says" : `${bigCount(samples.count)} in all`,
    },
    epoch && {
      label: "Epoch",
      value: bigCount(Math.floor(epoch.reached)),
      note: epoch.planned === null ? "reached" : `of ${bigCount(epoch.planned)}`,
    },
    tokens && {
      label: "Tokens",
      value: perSecondText(tokens.perSecond),
      note: tokens.count === null ? "as it says" : `${bigCount(tokens.count)} in all`,
    },
    exports && {
      label: "Exports",
      value: `${exports.succeeded} of ${exports.succeeded + exports.failed}`,
      note: "succeeded",
    },
  ];
  const shown = found.filter((figure) => figure !== null).slice(0, 2);
  const none = { label: "Its work", value: NONE, note: "it has said nothing of itself" };
  return shown.length === 0
    ? [none, { label: "Batch time", value: latencyText(metrics.batch?.meanMs), note: "mean" }]
    : shown;
}

/** How long something took, or a dash. */
export function minutesText(minutes: number | null): string {
  return minutes === null ? NONE : formatDuration(minutes * 60_000);
}
