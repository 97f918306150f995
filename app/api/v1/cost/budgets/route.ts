import { z } from "zod";
import { NewBudget } from "@/lib/domain/cost/budgets";
import { BudgetsTableQuestion } from "@/lib/domain/cost/outlook-tables";
import { createBudget, readBudgets } from "@/lib/services/cost/budgets";
import { exportBudgets } from "@/lib/services/cost/outlook-files";
import { get, post } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(z.object({}), readBudgets), BudgetsTableQuestion, exportBudgets);
export const POST = post(NewBudget, createBudget);
