import type { Ctx } from "@/lib/domain/access";
import { anomaliesTable, budgetsTable, unitsTable, wasteTable } from "@/lib/domain/cost/outlook-tables";
import { exporting } from "@/lib/services/table";
import { readAnomalies } from "./anomalies";
import { readBudgets } from "./budgets";
import { readUnits } from "./units";
import { readWaste } from "./waste";

// As files: each reads what its page reads, so that both say the same.
export const exportBudgets = exporting((ctx: Ctx, _: Record<string, never>) => readBudgets(ctx), budgetsTable);
export const exportAnomalies = exporting(readAnomalies, anomaliesTable);
export const exportWaste = exporting(readWaste, wasteTable);
export const exportUnits = exporting(readUnits, unitsTable);
