"use client";

import type { Route } from "next";
import type { ReactNode } from "react";
import { useLive } from "@/components/page/use-live";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { Facts } from "@/components/ui/page";
import { Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Age } from "@/components/ui/time";
import { formatCount, formatPercent, formatUsd, formatUsdRate } from "@/lib/domain/format";
import { formatDuration } from "@/lib/domain/format-time";
import type { RunAnswer } from "@/lib/domain/workload/view";
import { runQuery } from "@/lib/queries/runs";
import { minutesText } from "./run-figures";
import { RunPlan, Took } from "./run-plan";
import { bigCount, boundWords, costGap, latencyText, perSecondText, successText, unitUsd } from "./run-words";
import { Cost, GpuHours } from "./runs-table";

type Props = { runId: string };
type Row = readonly [name: ReactNode, value: ReactNode];

/** How far it is, and what it cost until now. */
export function RunCostPanel({ runId }: Props) {
  const { data } = useLive(runQuery({ runId }));
  const { run, unitPrices } = data;
  const { cost } = run;
  const bounds = cost && boundWords(cost);
  const gap = cost && costGap(cost);
  return (
    <Panel
      title="Time and cost"
      sub="by the ledger’s minutes"
      actions={
        <Link className="link" href={"/cost?by=instance" as Route}>
          Cost
        </Link>
      }
    >
      {run.expectedMs !== null && (
        <div className="run-progress">
          <RunPlan run={run} />
        </div>
      )}
      <Facts
        rows={[
          ["Took", <Took key="took" run={run} />],
          ...(run.expectedMs === null ? [] : [["Expected", formatDuration(run.expectedMs)] as const]),
          [
            run.state === "running" ? "Cost so far" : "Cost",
            <b key="cost">
              <Cost run={run} />
            </b>,
          ],
          ...(bounds ? [["Could be", bounds] as const] : []),
          ...(cost
            ? ([
                ["GPU-hours paid for", <GpuHours key="hours" run={run} />],
                ["Share of the instance", `${run.gpusHeld} of ${formatCount(run.gpusOfInstance, "GPU")}`],
              ] as const)
            : []),
          ...(cost?.perHourMicros != null ? [["Now", formatUsdRate(cost.perHourMicros)] as const] : []),
          ...(cost?.atEndMicros != null ? [["At its end", `≈ ${formatUsd(cost.atEndMicros)}`] as const] : []),
          ...unitPrices.map(({ per, micros }): Row => [`Per ${per}`, unitUsd(micros)]),
        ]}
      />
      {gap !== null && <p className="muted pt-2">{gap}; what that cost is not in the sum.</p>}
      <p className="run-id">
        <span className="mono">{run.externalId}</span> <CopyButton isIcon text={run.externalId} what="run id" />
      </p>
      {run.note && <p className="pt-2 text-text-2">{run.note}</p>}
    </Panel>
  );
}

/** How it used what it was given. */
export function RunUsePanel({ runId }: Props) {
  const { data } = useLive(runQuery({ runId }));
  const { use } = data;
  const none = (reason: string) => <Missing reason={reason} />;
  const silent = "its GPUs have not reported";
  return (
    <Panel title="Use of its GPUs">
      <Facts
        rows={[
          ["Mean utilisation", use.meanPct === null ? none(silent) : formatPercent(use.meanPct)],
          [
            <>Effective{use.effectiveBy !== null && <span className="muted">, by {use.effectiveBy}</span>}</>,
            use.effectivePct === null ? none(silent) : formatPercent(use.effectivePct),
          ],
          [
            "Idle, of what was reported",
            use.idlePct === null ? none(use.idleWhy ?? silent) : formatPercent(use.idlePct),
          ],
          ...(use.idleMinutes !== null && use.idleMinutes > 0
            ? [["Idle GPU time", minutesText(use.idleMinutes)] as const]
            : []),
        ]}
      />
      {use.idlePct === null && use.idleWhy && <p className="muted pt-2">Idle time: {use.idleWhy}.</p>}
    </Panel>
  );
}

/** What it said of its work over the whole run. */
export function RunWorkPanel({ runId }: Props) {
  const { data } = useLive(runQuery({ runId }));
  const rows = workRows(data);
  if (rows.length === 0) return null;
  return (
    <Panel
      title="Its work"
      sub={
        data.lastValueAt === null ? undefined : (
          <>
            newest value <Age at={data.lastValueAt} />
          </>
        )
      }
    >
      <Facts rows={rows} />
      {data.isByInstance && (
        <p className="muted pt-2">
          Some values carry no run’s name: they are those of {data.run.instanceName ?? "its instance"} in this time.
        </p>
      )}
    </Panel>
  );
}

function workRows({ metrics }: RunAnswer): Row[] {
  const { latency, firstTokenP95Ms, batch, tasks, successRatio, samples, tokens, promptTokens } = metrics;
  const { epoch, exports, queueDepth } = metrics;
  const row = (name: string, value: string | null): Row[] => (value === null ? [] : [[name, value]]);
  const given = (value: number | null | undefined, text: (value: number) => string) =>
    value == null ? null : text(value);
  return [
    ...row(
      "Latency, p95",
      given(latency?.p95Ms, (ms) => latencyText(ms, latency?.isAtLeast)),
    ),
    ...row("Latency, p50", given(latency?.p50Ms, latencyText)),
    ...row("Latency, mean", given(latency?.meanMs, latencyText)),
    ...row("First token, p95", given(firstTokenP95Ms, latencyText)),
    ...row("Tasks", given(tasks?.count, bigCount)),
    ...row("Throughput", given(tasks?.perSecond, perSecondText)),
    ...row("Task success", given(successRatio, successText)),
    ...row("Samples", given(samples?.count, bigCount)),
    ...row("Samples per second", given(samples?.perSecond, perSecondText)),
    ...row("Tokens", given(tokens?.count, bigCount)),
    ...row("Tokens per second", given(tokens?.perSecond, perSecondText)),
    ...row("Prompt tokens", given(promptTokens, bigCount)),
    ...row(
      "Epoch",
      epoch &&
        `${bigCount(Math.floor(epoch.reached))}${epoch.planned === null ? "" : ` of ${bigCount(epoch.planned)}`}`,
    ),
    ...row("Batch time, p95", given(batch?.p95Ms, latencyText)),
    ...row("Batch time, mean", given(batch?.meanMs, latencyText)),
    ...row("Exports", exports && `${exports.succeeded} succeeded, ${exports.failed} failed`),
    ...row(
      "Queue, mean",
      given(queueDepth?.mean, (mean) => perSecondText(mean).replace(/\s?\/s$/, "")),
    ),
  ];
}
