"use client";

import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { PageTitle } from "@/components/ui/page";
import { Instant } from "@/components/ui/time";
import { WORKLOAD_WORDS } from "@/lib/domain/workload/run";
import { runQuery } from "@/lib/queries/runs";
import { RunActions, type RunVerbs } from "./run-form";
import { RunState } from "./run-state";
import { gpuWords } from "./run-words";
import { Place } from "./runs-table";

type Props = {
  runId: string;
  /** Null: this role sees runs and changes none. */
  verbs: Omit<RunVerbs, "create"> | null;
};

/** What it is, whether it goes on, where it runs, and what can be done with it. */
export function RunHead({ runId, verbs }: Props) {
  const { run } = useLive(runQuery({ runId })).data;
  return (
    <PageTitle
      title={run.name}
      badges={
        <>
          <RunState run={run} />
          {run.workload !== "unknown" && <Badge tone="plain">{WORKLOAD_WORDS[run.workload]}</Badge>}
        </>
      }
      meta={
        <>
          <span>
            on <Place run={run} />
            {run.instanceId !== null && `, ${gpuWords(run)}`}
          </span>
          {run.typeName && <span className="mono">{run.typeName}</span>}
          <span>
            from <Instant at={run.startedAt} />
            {run.endedAt !== null && (
              <>
                {" "}
                to <Instant at={run.endedAt} />
              </>
            )}
          </span>
          <span className="muted">
            {run.isPushed ? "pushed with" : "written down by"} {run.by ?? "somebody"}
          </span>
        </>
      }
      actions={verbs && <RunActions run={run} verbs={verbs} />}
    />
  );
}
