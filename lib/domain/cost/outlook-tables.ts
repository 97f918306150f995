import { usdCell } from "@/lib/domain/cells";
import { cellsOf, type TableColumn, type WholeTable } from "@/lib/domain/table";
import type { AnomaliesAnswer, AnomalyView } from "./anomaly-view";
import type { BudgetsAnswer, BudgetView } from "./budgets-view";
import type { UnitsAnswer } from "./units";
import type { WasteAnswer, WasteFinding } from "./waste";

const usd = (micros: string | null) => usdCell(micros === null ? null : BigInt(micros));
const utc = (at: number | null) => (at === null ? null : new Date(at).toISOString());

const BUDGETS: readonly TableColumn<BudgetView>[] = [
  { name: "budget", cell: (row) => row.name },
  { name: "scope", cell: (row) => row.scope },
  { name: "each", cell: (row) => row.every },
  { name: "from_utc", cell: (row) => utc(row.from) },
  { name: "to_utc", cell: (row) => utc(row.to) },
  { name: "limit_usd", cell: (row) => usd(row.limitMicros) },
  { name: "spent_usd", cell: (row) => usd(row.spentMicros) },
  { name: "spent_pct", cell: (row) => row.actualPct },
  { name: "unknown_rows", cell: (row) => row.unknownRows },
  { name: "forecast_usd", cell: (row) => usd(row.forecast.micros) },
  { name: "forecast_low_usd", cell: (row) => usd(row.forecast.lowMicros) },
  { name: "forecast_high_usd", cell: (row) => usd(row.forecast.highMicros) },
  { name: "forecast_pct", cell: (row) => row.forecastPct },
  { name: "per_hour_usd", cell: (row) => usd(row.microsPerHour) },
  { name: "burn_pct", cell: (row) => row.burnPct },
  { name: "passed_at_utc", cell: (row) => utc(row.crossesAt) },
];

export function budgetsTable({ budgets }: BudgetsAnswer): WholeTable {
  return { name: "budgets", title: "Budgets", about: [], ...cellsOf(BUDGETS, budgets) };
}

const ANOMALIES: readonly TableColumn<AnomalyView>[] = [
  { name: "day", cell: (row) => row.day },
  { name: "scope", cell: (row) => row.scopeName },
  { name: "severity", cell: (row) => row.severity },
  { name: "actual_usd", cell: (row) => usd(row.actualMicros) },
  { name: "expected_usd", cell: (row) => usd(row.expectedMicros) },
  { name: "surplus_usd", cell: (row) => usd(row.surplusMicros) },
  { name: "score", cell: (row) => Number(row.score.toFixed(2)) },
  { name: "cause_dimension", cell: (row) => row.causes[0]?.dimension ?? null },
  { name: "cause", cell: (row) => row.causes[0]?.key ?? null },
  { name: "cause_usd", cell: (row) => usd(row.causes[0]?.deltaMicros ?? null) },
];

export function anomaliesTable({ from, to, rows }: AnomaliesAnswer): WholeTable {
  const about = [["Days", from === to ? from : `${from} to ${to}`] as const];
  return { name: `anomalies-${from}-${to}`, title: "Days that stand out", about, ...cellsOf(ANOMALIES, rows) };
}

const WASTE: readonly TableColumn<WasteFinding>[] = [
  { name: "kind", cell: (row) => row.kind },
  { name: "resource_id", cell: (row) => row.resourceId },
  { name: "name", cell: (row) => row.name },
  { name: "type", cell: (row) => row.typeName },
  { name: "region", cell: (row) => row.region },
  { name: "team", cell: (row) => row.team },
  { name: "since_utc", cell: (row) => utc(row.since) },
  { name: "minutes", cell: (row) => row.minutes },
  { name: "window_usd", cell: (row) => usd(row.micros) },
  { name: "month_730h_usd", cell: (row) => usd(row.monthMicros) },
  { name: "evidence_from_utc", cell: (row) => utc(row.from) },
  { name: "evidence_to_utc", cell: (row) => utc(row.to) },
  { name: "detail", cell: (row) => row.detail },
];

export function wasteTable({ fromDay, toDay, findings }: WasteAnswer): WholeTable {
  const about = [["Days", `${fromDay} to ${toDay}`] as const, ["A month", "730 h"] as const];
  return { name: `waste-${fromDay}-${toDay}`, title: "What could be saved", about, ...cellsOf(WASTE, findings) };
}

const UNITS: readonly TableColumn<UnitsAnswer["groups"][number]>[] = [
  { name: "group", cell: (row) => row.key },
  { name: "runs", cell: (row) => row.works },
  { name: "gpu_hours", cell: (row) => Number((row.gpuMinutes / 60).toFixed(4)) },
  { name: "cost_usd", cell: (row) => usd(row.costMicros) },
  { name: "runs_of_unknown_cost", cell: (row) => row.unknown },
  { name: "tasks", cell: (row) => row.units.tasks ?? null },
  { name: "tokens", cell: (row) => row.units.tokens ?? null },
  { name: "prompt_tokens", cell: (row) => row.units.promptTokens ?? null },
  { name: "samples", cell: (row) => row.units.samples ?? null },
  { name: "epochs", cell: (row) => row.units.epochs ?? null },
  { name: "per_1000_tasks_usd", cell: (row) => usd(row.prices.perThousandTasks) },
  { name: "per_1m_tokens_usd", cell: (row) => usd(row.prices.perMillionTokens) },
  { name: "per_1m_tokens_in_and_out_usd", cell: (row) => usd(row.prices.perMillionAllTokens) },
  { name: "per_1000_samples_usd", cell: (row) => usd(row.prices.perThousandSamples) },
  { name: "per_epoch_usd", cell: (row) => usd(row.prices.perEpoch) },
  { name: "per_run_usd", cell: (row) => usd(row.prices.perWork) },
];

export function unitsTable({ by, days, groups }: UnitsAnswer): WholeTable {
  const about = [["By", by] as const, ["Days", String(days)] as const];
  return { name: `unit-costs-${by}-${days}d`, title: `Unit costs by ${by}`, about, ...cellsOf(UNITS, groups) };
}
