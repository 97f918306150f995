import { BudgetChange, BudgetId } from "@/lib/domain/cost/budgets";
import { changeBudget, readBudget } from "@/lib/services/cost/budgets";
import { get, post } from "@/lib/web/route";

export const GET = get(BudgetId, readBudget);
export const POST = post(BudgetChange, changeBudget);
