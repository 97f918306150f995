import { queryOptions } from "@tanstack/react-query";
import type { AnomaliesAnswer, AnomaliesQuestion } from "@/lib/domain/cost/anomaly-view";
import type { BudgetId } from "@/lib/domain/cost/budgets";
import type { BudgetAnswer, BudgetsAnswer } from "@/lib/domain/cost/budgets-view";
import type { UnitsAnswer, UnitsQuestion } from "@/lib/domain/cost/units";
import type { WasteAnswer, WasteQuestion } from "@/lib/domain/cost/waste";
import { getJson } from "./fetch";

const OFTEN_MS = 15_000;
const SELDOM_MS = 60_000;

export function budgetsQuery() {
  return queryOptions({
    queryKey: ["cost", "budgets"],
    queryFn: ({ signal }) => getJson<BudgetsAnswer>("/api/v1/cost/budgets", {}, signal),
    refetchInterval: OFTEN_MS,
  });
}

export function budgetQuery({ budgetId }: BudgetId) {
  return queryOptions({
    queryKey: ["cost", "budget", budgetId],
    queryFn: ({ signal }) => getJson<BudgetAnswer>(`/api/v1/cost/budgets/${budgetId}`, {}, signal),
    refetchInterval: SELDOM_MS,
  });
}

export function anomaliesQuery(question: AnomaliesQuestion = {}) {
  return queryOptions({
    queryKey: ["cost", "anomalies", question],
    queryFn: ({ signal }) => getJson<AnomaliesAnswer>("/api/v1/cost/anomalies", question, signal),
    refetchInterval: SELDOM_MS,
  });
}

export function wasteQuery(question: WasteQuestion) {
  return queryOptions({
    queryKey: ["cost", "waste", question],
    queryFn: ({ signal }) => getJson<WasteAnswer>("/api/v1/cost/waste", question, signal),
    refetchInterval: SELDOM_MS,
  });
}

export function unitsQuery(question: UnitsQuestion) {
  return queryOptions({
    queryKey: ["cost", "units", question],
    queryFn: ({ signal }) => getJson<UnitsAnswer>("/api/v1/cost/units", question, signal),
    refetchInterval: SELDOM_MS,
  });
}
