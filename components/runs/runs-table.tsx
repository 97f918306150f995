import type { Route } from "next";
import { Link } from "@/components/ui/link";
import { Missing } from "@/components/ui/quantity";
import { Table } from "@/components/ui/table";
import { Instant } from "@/components/ui/time";
import { formatNumber, formatUsd } from "@/lib/domain/format";
import { WORKLOAD_WORDS } from "@/lib/domain/workload/run";
import type { RunRow } from "@/lib/domain/workload/view";
import { RunPlan, Took } from "./run-plan";
import { RunState } from "./run-state";
import { boundWords, costGap, gpuWords } from "./run-words";

/** One row per run, those that go on first. */
export function RunsTable({ rows }: { rows: readonly RunRow[] }) {
  return (
    <Table label="Runs">
      <thead>
        <tr>
          <th scope="col">Run</th>
          <th scope="col">State</th>
          <th scope="col">Instance</th>
          <th scope="col">Started</th>
          <th scope="col">Against its hours</th>
          <th scope="col" className="num">
            Took
          </th>
          <th scope="col" className="num">
            GPU-hours
          </th>
          <th scope="col" className="num">
            Cost so far
          </th>
          <th scope="col" className="num">
            At its end
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((run) => (
          <tr key={run.id}>
            <th scope="row">
              <Link className="name-link" href={`/runs/${run.id}` as Route}>
                {run.name}
              </Link>
              <small className="run-sub">{WORKLOAD_WORDS[run.workload]}</small>
            </th>
            <td>
              <RunState run={run} />
            </td>
            <td>
              <Place run={run} />
              {run.instanceId !== null && <small className="run-sub">{gpuWords(run)}</small>}
            </td>
            <td className="whitespace-nowrap text-text-2">
              <Instant at={run.startedAt} />
            </td>
            <td>
              {run.expectedMs === null ? (
                <span className="muted">no hours given</span>
              ) : (
                <RunPlan run={run} widthPx={150} />
              )}
            </td>
            <td className="num">
              <Took run={run} />
            </td>
            <td className="num">
              <GpuHours run={run} />
            </td>
            <td className="num">
              <Cost run={run} />
            </td>
            <td className="num">
              {run.cost?.atEndMicros == null ? (
                <Missing reason={whyNoEnd(run)} />
              ) : (
                <span className="text-text-2">≈ {formatUsd(run.cost.atEndMicros)}</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** GPU-hours that were paid for; where the ledger does not reach back to its start, at least those. */
export function GpuHours({ run }: { run: RunRow }) {
  if (run.cost === null) return <Missing reason="its instance is not known" />;
  const { gpuMinutes, unknownMinutes } = run.cost;
  if (unknownMinutes > 0 && gpuMinutes === 0) return <Missing reason={costGap(run.cost) ?? ""} />;
  return (
    <>
      {unknownMinutes > 0 && "≥ "}
      {formatNumber(gpuMinutes / 60, 1)}
    </>
  );
}

export function Place({ run }: { run: RunRow }) {
  if (run.instanceId === null) return <span className="muted">not known</span>;
  return (
    <Link className="link" href={`/fleet/${run.instanceId}` as Route}>
      {run.instanceName}
    </Link>
  );
}

/** What it cost; where that is not sure, the bound on hover. */
export function Cost({ run }: { run: RunRow }) {
  if (run.cost === null) return <Missing reason="its instance is not known, so nothing is known of its cost" />;
  const { cost } = run;
  const gap = costGap(cost);
  if (gap !== null && cost.micros === "0") return <Missing reason={gap} />;
  const bounds = boundWords(cost);
  return (
    <span title={gap ?? (bounds === null ? undefined : `between ${bounds.replace(" to ", " and ")}`)}>
      {gap !== null && "≥ "}
      {formatUsd(cost.micros)}
    </span>
  );
}

function whyNoEnd(run: RunRow): string {
  if (run.state !== "running") return "it is over";
  if (run.expectedMs === null) return "nobody said how long it takes";
  if (run.isOverdue) return "its hours are over";
  return run.cost && run.cost.unknownMinutes > 0 ? "not all of its cost is known" : "the price is unknown";
}
