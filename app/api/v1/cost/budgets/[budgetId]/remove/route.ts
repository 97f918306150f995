import { BudgetId } from "@/lib/domain/cost/budgets";
import { removeBudget } from "@/lib/services/cost/budgets";
import { post } from "@/lib/web/route";

export const POST = post(BudgetId, removeBudget);
