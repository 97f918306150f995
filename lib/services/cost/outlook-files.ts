import type { Ctx } from "@/lib/domain/access";
import type { BudgetId } from "@/lib/domain/cost/budgets";
import {
  anomaliesTable,
  type BudgetsTableQuestion,
  budgetsTable,
  budgetTable,
  type UnitsTableQuestion,
  unitsTable,
  type WasteTableQuestion,
  wasteTable,
} from "@/lib/domain/cost/outlook-tables";
import { exporting } from "@/lib/services/table";
import { readAnomalies } from "./anomalies";
import { readBudget, readBudgets } from "./budgets";
import { readUnits } from "./units";
import { readWaste } from "./waste";

const EVERY_ESTIMATE = 1_000_000;

// As files: each reads what its page reads, so that both say the same.
export const exportBudgets = exporting((ctx: Ctx, _: BudgetsTableQuestion) => readBudgets(ctx), budgetsTable);
export const exportBudget = exporting((ctx: Ctx, question: BudgetId) => readBudget(ctx, question), budgetTable);
export const exportAnomalies = exporting(readAnomalies, anomaliesTable);
export const exportWaste = exporting((ctx: Ctx, question: WasteTableQuestion) => readWaste(ctx, question), wasteTable);
export const exportUnits = exporting(
  (ctx: Ctx, question: UnitsTableQuestion) => readUnits(ctx, question, EVERY_ESTIMATE),
  unitsTable,
);
