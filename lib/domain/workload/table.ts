import { instantCell, usdCell } from "@/lib/domain/cells";
import { cellsOf, type TableColumn, type WholeTable } from "@/lib/domain/table";
import type { RunRow, RunsAnswer, RunsQuestion } from "./view";

const hours = (ms: number | null) => (ms === null ? null : Number((ms / 3_600_000).toFixed(4)));

const RUNS: readonly TableColumn<RunRow>[] = [
  { name: "run_id", cell: (row) => row.id },
  { name: "name", cell: (row) => row.name },
  { name: "external_id", cell: (row) => row.externalId },
  { name: "workload", cell: (row) => row.workload },
  { name: "state", cell: (row) => row.state },
  { name: "is_overdue", cell: (row) => row.isOverdue },
  { name: "instance_id", cell: (row) => row.instanceId },
  { name: "instance", cell: (row) => row.instanceName },
  { name: "type", cell: (row) => row.typeName },
  { name: "region", cell: (row) => row.region },
  { name: "gpus_held", cell: (row) => row.gpusHeld },
  { name: "gpus_of_instance", cell: (row) => row.gpusOfInstance },
  { name: "started_at_utc", cell: (row) => instantCell(row.startedAt) },
  { name: "ended_at_utc", cell: (row) => instantCell(row.endedAt) },
  { name: "took_hours", cell: (row) => hours(row.tookMs) },
  { name: "expected_hours", cell: (row) => hours(row.expectedMs) },
  { name: "amount_usd", cell: (row) => usdCell(row.cost?.micros ?? null) },
  { name: "at_least_usd", cell: (row) => usdCell(row.cost?.lowMicros ?? null) },
  { name: "at_most_usd", cell: (row) => usdCell(row.cost?.highMicros ?? null) },
  { name: "gpu_minutes", cell: (row) => row.cost?.gpuMinutes ?? null },
  { name: "minutes_without_price", cell: (row) => row.cost?.unpricedMinutes ?? null },
  { name: "minutes_unknown", cell: (row) => row.cost?.unknownMinutes ?? null },
  { name: "written_by", cell: (row) => row.by },
];

/** Runs as they are filtered; a workbook or file says where older ones are left out. */
export function runsTable({ rows, isCut }: RunsAnswer, { q, workload, state }: RunsQuestion): WholeTable {
  const about = [
    ...(q === "" ? [] : [["Words", q] as const]),
    ["Workload", workload] as const,
    ["State", state] as const,
    ...(isCut ? [["Older runs", "left out"] as const] : []),
  ];
  return { name: "runs", title: "Runs", about, ...cellsOf(RUNS, rows) };
}
