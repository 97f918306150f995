"use client";

import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { Instant } from "@/components/ui/time";
import type { InstancePageQuestion } from "@/lib/domain/fleet/view";
import { instanceQuery } from "@/lib/queries/fleet";
import { runsQuery } from "@/lib/queries/runs";
import { RunPlan, Took } from "./run-plan";
import { RunState } from "./run-state";
import { Cost } from "./runs-table";

const SHOWN = 3;

/** What runs on an instance now, and what ran before. */
export function InstanceRuns({ question }: { question: InstancePageQuestion }) {
  const { row } = useLive(instanceQuery(question)).data;
  const { data } = useLive(runsQuery({ instanceId: question.instanceId }));
  const running = data.rows.filter((run) => run.state === "running");
  const shown = [...running, ...data.rows.filter((run) => run.state !== "running")].slice(
    0,
    Math.max(SHOWN, running.length),
  );
  const all = `/runs?q=${encodeURIComponent(row.name)}` as Route;
  return (
    <Panel
      title="Runs"
      actions={
        <Link className="link" href={data.rows.length > 0 ? all : ("/runs" as Route)}>
          {data.rows.length > shown.length ? `All ${data.rows.length}` : "Runs"}
        </Link>
      }
    >
      {shown.length === 0 ? (
        <p className="muted">
          No run was ever written down for it. A program can push one, or somebody writes it down under Runs.
        </p>
      ) : (
        <ul className="run-list">
          {shown.map((run) => (
            <li key={run.id}>
              <span className="run-list-head">
                <Link className="link ellipsis" href={`/runs/${run.id}` as Route}>
                  {run.name}
                </Link>
                <RunState run={run} />
              </span>
              <span className="muted">
                {run.state === "running" ? "for" : "took"} <Took run={run} />, <Cost run={run} />
                {run.state !== "running" && (
                  <>
                    , from <Instant at={run.startedAt} />
                  </>
                )}
              </span>
              {run.state === "running" && <RunPlan run={run} />}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
