import type { Route } from "next";
import { Link } from "@/components/ui/link";
import type { RunRow } from "@/lib/domain/workload/view";
import { RunPlan, Took } from "./run-plan";
import { RunState } from "./run-state";
import { gpuWords } from "./run-words";
import { Cost } from "./runs-table";

/** Runs on a phone. */
export function RunsCards({ rows }: { rows: readonly RunRow[] }) {
  return (
    <ul>
      {rows.map((run) => (
        <li key={run.id}>
          <Link href={`/runs/${run.id}` as Route} className="run-card">
            <span className="min-w-0">
              <b className="ellipsis block">{run.name}</b>
              <span className="muted ellipsis block">
                {run.instanceName ?? "instance not known"}
                {run.instanceId !== null && `, ${gpuWords(run)}`}
              </span>
            </span>
            <span className="text-right">
              <b className="block">
                <Cost run={run} />
              </b>
              <span className="muted block">
                <Took run={run} />
              </span>
            </span>
            <span className="run-card-foot">
              <RunState run={run} />
              <RunPlan run={run} widthPx={90} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
