import { z } from "zod";
import { usdCell } from "@/lib/domain/cells";
import { cellsOf, type TableColumn, type WholeTable } from "@/lib/domain/table";
import type { AnomaliesAnswer, AnomalyView } from "./anomaly-view";
import type { BudgetAnswer, BudgetsAnswer, BudgetView, MonthScore } from "./budgets-view";
import { type UnitsAnswer, UnitsQuestion } from "./units";
import { WASTE_KINDS, type WasteAnswer, type WasteFinding, type WasteKind, WasteQuestion } from "./waste";

const usd = (micros: string | null) => usdCell(micros === null ? null : BigInt(micros));
const pct = (text: string | null) => (text === null ? null : { number: text });
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

/** The budgets, or how good the forecasts of months that are over were. */
export const BudgetsTableQuestion = z.object({ table: z.enum(["budgets", "scores"]).default("budgets") });
export type BudgetsTableQuestion = z.output<typeof BudgetsTableQuestion>;

const SCORES: readonly TableColumn<MonthScore>[] = [
  { name: "month", cell: (row) => row.month },
  { name: "scope", cell: (row) => row.scope },
  { name: "actual_usd", cell: (row) => usd(row.actualMicros) },
  { name: "may_still_change", cell: (row) => row.isOpen },
  { name: "days", cell: (row) => row.count },
  { name: "wmape_pct", cell: (row) => pct(row.wmapePct) },
  { name: "bias_pct", cell: (row) => pct(row.biasPct) },
  { name: "coverage_pct", cell: (row) => pct(row.coveragePct) },
  { name: "skill_pct", cell: (row) => pct(row.skillPct) },
  { name: "first_pct", cell: (row) => pct(row.firstPct) },
];

type Past = BudgetAnswer["past"][number];

const PAST: readonly TableColumn<Past>[] = [
  { name: "from_day", cell: (row) => row.fromDay },
  { name: "to_day", cell: (row) => row.toDay },
  { name: "spent_usd", cell: (row) => usd(row.spentMicros) },
  { name: "unknown_rows", cell: (row) => row.unknownRows },
  { name: "is_partly_known", cell: (row) => row.isPartlyKnown },
];

/** Earlier periods of one budget. */
export function budgetTable({ budget, past }: BudgetAnswer): WholeTable {
  const about = [["Budget", budget.name] as const, ["Scope", budget.scope] as const, ["Each", budget.every] as const];
  return { name: `budget-${budget.id.slice(-6)}`, title: "Earlier periods", about, ...cellsOf(PAST, past) };
}

export function budgetsTable({ budgets, scores }: BudgetsAnswer, { table }: BudgetsTableQuestion): WholeTable {
  if (table === "scores")
    return { name: "forecast-scores", title: "How good forecasts were", about: [], ...cellsOf(SCORES, scores) };
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

/** Each finding, or the money of the window by kind. */
export const WasteTableQuestion = WasteQuestion.extend({ table: z.enum(["findings", "kinds"]).default("findings") });
export type WasteTableQuestion = z.output<typeof WasteTableQuestion>;

type KindLine = WasteAnswer["totals"][WasteKind] & { kind: WasteKind };

const WASTE_BY_KIND: readonly TableColumn<KindLine>[] = [
  { name: "kind", cell: (row) => row.kind },
  { name: "resources", cell: (row) => row.resources },
  { name: "minutes", cell: (row) => row.minutes },
  { name: "window_usd", cell: (row) => usd(row.micros) },
];

export function wasteTable(
  { fromDay, toDay, findings, totals }: WasteAnswer,
  { table }: WasteTableQuestion,
): WholeTable {
  const about = [["Days", `${fromDay} to ${toDay}`] as const, ["A month", "730 h"] as const];
  if (table === "kinds") {
    const kinds = WASTE_KINDS.map((kind) => ({ kind, ...totals[kind] }));
    return { name: `waste-kinds-${fromDay}-${toDay}`, title: "Waste by kind", about, ...cellsOf(WASTE_BY_KIND, kinds) };
  }
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

/** What a unit costs by group, or planned runs beside what they came to. */
export const UnitsTableQuestion = UnitsQuestion.extend({ table: z.enum(["groups", "estimates"]).default("groups") });
export type UnitsTableQuestion = z.output<typeof UnitsTableQuestion>;

const ESTIMATES: readonly TableColumn<UnitsAnswer["estimates"][number]>[] = [
  { name: "run_id", cell: (row) => row.runId },
  { name: "name", cell: (row) => row.name },
  { name: "workload", cell: (row) => row.workload },
  { name: "ended_at_utc", cell: (row) => utc(row.endedAt) },
  { name: "estimate_usd", cell: (row) => usd(row.estimateMicros) },
  { name: "actual_usd", cell: (row) => usd(row.actualMicros) },
  { name: "off_pct", cell: (row) => row.offPct },
  { name: "within_10_pct", cell: (row) => row.isGood },
];

export function unitsTable({ by, days, groups, estimates }: UnitsAnswer, { table }: UnitsTableQuestion): WholeTable {
  const about = [["By", by] as const, ["Days", String(days)] as const];
  if (table === "estimates")
    return {
      name: `estimates-${days}d`,
      title: "Runs against their estimates",
      about,
      ...cellsOf(ESTIMATES, estimates),
    };
  return { name: `unit-costs-${by}-${days}d`, title: `Unit costs by ${by}`, about, ...cellsOf(UNITS, groups) };
}
