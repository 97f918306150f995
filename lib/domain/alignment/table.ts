import { figureCell, instantCell, usdCell } from "@/lib/domain/cells";
import { cellsOf, type TableColumn, type WholeTable } from "@/lib/domain/table";
import { SOURCE_WORDS } from "./check";
import type { FindingRow, FindingsQuestion } from "./view";

const COLUMNS: readonly TableColumn<FindingRow>[] = [
  { name: "finding_id", cell: (row) => row.id },
  { name: "fact", cell: (row) => row.fact },
  { name: "severity", cell: (row) => row.severity },
  { name: "state", cell: (row) => row.state },
  { name: "group", cell: (row) => row.group },
  { name: "instance_id", cell: (row) => row.instanceId },
  { name: "target", cell: (row) => row.target },
  { name: "declared", cell: (row) => row.declared },
  { name: "observed", cell: (row) => row.observed },
  { name: "why", cell: (row) => row.why },
  { name: "settled_by", cell: (row) => row.settle },
  { name: "effect_usd_per_month", cell: (row) => usdCell(row.monthMicros) },
  { name: "effect_gb", cell: (row) => figureCell(row.memoryGb) },
  { name: "since_utc", cell: (row) => instantCell(row.firstPollAt) },
  { name: "agreed_polls", cell: (row) => row.agreedPolls },
  { name: "last_poll_utc", cell: (row) => instantCell(row.lastPollAt) },
  { name: "settled_utc", cell: (row) => instantCell(row.settledAt) },
  { name: "accepted_by", cell: (row) => row.accepted?.by ?? null },
  { name: "accepted_reason", cell: (row) => row.accepted?.reason ?? null },
  { name: "accepted_until_utc", cell: (row) => instantCell(row.accepted?.until ?? null) },
  { name: "assignee", cell: (row) => row.assignee?.name ?? null },
  { name: "declaration_line", cell: (row) => row.line },
  {
    name: "evidence",
    cell: (row) =>
      row.evidence
        .map(
          ({ source, says, at }) =>
            `${SOURCE_WORDS[source]}: ${says ?? "nothing"}${at === null ? "" : ` at ${new Date(at).toISOString()}`}`,
        )
        .join("; "),
  },
];

export function findingsTable({ rows }: { rows: readonly FindingRow[] }, { state }: FindingsQuestion): WholeTable {
  return { name: "alignment", title: "Findings", about: [["State", state]], ...cellsOf(COLUMNS, rows) };
}
