import { BudgetChange, BudgetId } from "@/lib/domain/cost/budgets";
import { changeBudget, readBudget } from "@/lib/services/cost/budgets";
import { exportBudget } from "@/lib/services/cost/outlook-files";
import { get, post } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(BudgetId, readBudget), BudgetId, exportBudget);
export const POST = post(BudgetChange, changeBudget);
