"use client";

import { Meter } from "@/components/ui/meter";
import { Lasting } from "@/components/ui/time";
import { formatDuration } from "@/lib/domain/format-time";
import type { RunRow } from "@/lib/domain/workload/view";
import { planWords } from "./run-words";

/** How long it has taken, ticking while it goes on. */
export function Took({ run }: { run: RunRow }) {
  return <Lasting from={run.startedAt} to={run.endedAt} />;
}

/** How long it has taken against the hours it was planned to take. */
export function RunPlan({ run, widthPx }: { run: RunRow; widthPx?: number }) {
  const words = planWords(run);
  if (run.expectedMs === null || words === null) return null;
  return (
    <span className="run-plan">
      <Meter
        value={run.tookMs}
        max={Math.max(run.expectedMs, run.tookMs)}
        limit={run.expectedMs}
        tone={run.isOverdue ? "warn" : "neutral"}
        label={`${formatDuration(run.tookMs)} ${words}`}
        {...(widthPx !== undefined && { widthPx })}
      />
      <small className={run.isOverdue ? "text-warn" : "muted"}>{words}</small>
    </span>
  );
}
