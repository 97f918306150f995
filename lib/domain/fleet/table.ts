import { z } from "zod";
import { figureCell, instantCell, usdCell } from "@/lib/domain/cells";
import { cellsOf, type TableColumn, type WholeTable } from "@/lib/domain/table";
import { FLEET_SORTS, type FleetSort, readFilter, sortRows } from "./filter";
import type { FleetAnswer, InstanceRow } from "./view";

/** The fleet as its page filters and sorts it. */
export const FleetTableQuestion = z.object({
  q: z.string().max(500).catch("").default(""),
  sort: z.string().max(20).catch("").default(""),
});
export type FleetTableQuestion = z.output<typeof FleetTableQuestion>;

export const FLEET_COLUMNS: readonly TableColumn<InstanceRow>[] = [
  { name: "instance_id", cell: (row) => row.id },
  { name: "provider_id", cell: (row) => row.externalId },
  { name: "name", cell: (row) => row.name },
  { name: "status", cell: (row) => row.rawStatus ?? row.status },
  { name: "is_billed", cell: (row) => row.isBilled },
  { name: "type", cell: (row) => row.typeName },
  { name: "gpu_model", cell: (row) => row.gpuModel },
  { name: "gpus", cell: (row) => row.gpus },
  { name: "region", cell: (row) => row.region },
  { name: "ip", cell: (row) => row.ip },
  { name: "owner", cell: (row) => row.labels.owner },
  { name: "team", cell: (row) => row.labels.team },
  { name: "project", cell: (row) => row.labels.project },
  { name: "environment", cell: (row) => row.labels.environment },
  { name: "cost_centre", cell: (row) => row.labels.costCenter },
  { name: "workload", cell: (row) => row.labels.workload },
  { name: "launched_by", cell: (row) => row.launchedBy },
  { name: "active_since_utc", cell: (row) => instantCell(row.activeSince) },
  { name: "price_usd_per_hour", cell: (row) => usdCell(row.priceMicros) },
  { name: "today_usd", cell: (row) => usdCell(row.todayMicros) },
  { name: "telemetry", cell: (row) => row.telemetry.state },
  { name: "telemetry_at_utc", cell: (row) => instantCell(row.telemetry.at) },
  { name: "utilisation_pct", cell: (row) => figureCell(row.utilizationPct) },
  { name: "vram_used_mib", cell: (row) => figureCell(row.memoryUsedMib) },
  { name: "vram_total_mib", cell: (row) => figureCell(row.memoryTotalMib) },
  { name: "temperature_c", cell: (row) => figureCell(row.temperatureC) },
  { name: "power_w", cell: (row) => figureCell(row.powerW) },
  { name: "idle", cell: (row) => row.idle?.kind ?? null },
  { name: "idle_since_utc", cell: (row) => instantCell(row.idle?.since ?? null) },
  { name: "alert", cell: (row) => row.alert },
];

export function fleetTable(answer: FleetAnswer, { q, sort }: FleetTableQuestion): WholeTable {
  const by = FLEET_SORTS.find((one): one is FleetSort => one === sort.replace(/^-/, "")) ?? "name";
  const filter = readFilter(q);
  const matching = answer.rows.filter((row) => filter.matches(row, answer.now));
  return {
    name: "fleet",
    title: "Instances",
    about: [["Filter", q.trim() || "none"]],
    ...cellsOf(FLEET_COLUMNS, sortRows(matching, by, sort.startsWith("-"), answer.now)),
  };
}
