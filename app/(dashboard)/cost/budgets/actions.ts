"use server";

import { BudgetChange, BudgetId, NewBudget } from "@/lib/domain/cost/budgets";
import { changeBudget, createBudget, removeBudget } from "@/lib/services/cost/budgets";
import { action } from "@/lib/web/action";

export const create = action(NewBudget, createBudget);
export const change = action(BudgetChange, changeBudget);
export const remove = action(BudgetId, removeBudget);
