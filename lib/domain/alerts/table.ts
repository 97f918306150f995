import { z } from "zod";
import { figureCell, instantCell, usdCell } from "@/lib/domain/cells";
import { cellsOf, type TableColumn, type WholeTable } from "@/lib/domain/table";
import type { AlertRow, InboxAnswer } from "./view";

const PARTS = ["firing", "acknowledged", "unknown", "pending", "resolved"];

/** The inbox, or one part of it. */
export const InboxTableQuestion = z.object({ part: z.enum(PARTS).optional().catch(undefined) });
export type InboxTableQuestion = z.output<typeof InboxTableQuestion>;

export const ALERT_COLUMNS: readonly TableColumn<AlertRow>[] = [
  { name: "alert_id", cell: (row) => row.id },
  { name: "part", cell: (row) => row.part },
  { name: "status", cell: (row) => row.status },
  { name: "severity", cell: (row) => row.severity },
  { name: "rule", cell: (row) => row.ruleName },
  { name: "rule_id", cell: (row) => row.ruleId },
  { name: "target", cell: (row) => row.targetName },
  { name: "instance_id", cell: (row) => row.resourceId },
  { name: "team", cell: (row) => row.team },
  { name: "metric", cell: (row) => row.metric },
  { name: "comparison", cell: (row) => row.comparison },
  { name: "threshold", cell: (row) => figureCell(row.threshold) },
  { name: "value", cell: (row) => figureCell(row.value) },
  { name: "unit", cell: (row) => row.unit },
  { name: "active_at_utc", cell: (row) => instantCell(row.activeAt) },
  { name: "fired_at_utc", cell: (row) => instantCell(row.firedAt) },
  { name: "resolved_at_utc", cell: (row) => instantCell(row.resolvedAt) },
  { name: "resolve_reason", cell: (row) => row.resolveReason },
  { name: "unknown_since_utc", cell: (row) => instantCell(row.unknownSince) },
  { name: "acknowledged_by", cell: (row) => row.acknowledgedBy },
  { name: "acknowledged_at_utc", cell: (row) => instantCell(row.acknowledgedAt) },
  { name: "acknowledge_note", cell: (row) => row.acknowledgeNote },
  { name: "price_usd_per_hour", cell: (row) => usdCell(row.microsPerHour) },
  { name: "spent_usd", cell: (row) => usdCell(row.spentMicros) },
];

export function inboxTable({ rows }: InboxAnswer, { part }: InboxTableQuestion): WholeTable {
  return {
    name: part === undefined ? "alerts" : `alerts-${part}`,
    title: "Alerts",
    about: [["Part", part ?? "all"]],
    ...cellsOf(ALERT_COLUMNS, part === undefined ? rows : rows.filter((row) => row.part === part)),
  };
}
