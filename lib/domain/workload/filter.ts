import type { RunRow, RunsQuestion } from "./view";

type Asked = Pick<RunsQuestion, "q" | "workload" | "state">;

/** Whether a run is what is asked for: all words in its name, its id or its instance. */
export function matchesRun(row: RunRow, { q, workload, state }: Asked): boolean {
  const text = [row.name, row.externalId, row.instanceName ?? ""].join(" ").toLowerCase();
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return (
    words.every((word) => text.includes(word)) && (workload === "all" || row.workload === workload) && isIn(row, state)
  );
}

export function isIn(row: Pick<RunRow, "state" | "isOverdue">, state: RunsQuestion["state"]): boolean {
  if (state === "running") return row.state === "running";
  if (state === "overdue") return row.isOverdue;
  return state === "ended" ? row.state !== "running" : true;
}
