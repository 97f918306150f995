import { type AnomaliesAnswer, AnomaliesQuestion } from "@/lib/domain/cost/anomaly-view";
import { BudgetChange, BudgetId, NewBudget } from "@/lib/domain/cost/budgets";
import type { BudgetAnswer, BudgetsAnswer } from "@/lib/domain/cost/budgets-view";
import { BudgetsTableQuestion, UnitsTableQuestion, WasteTableQuestion } from "@/lib/domain/cost/outlook-tables";
import type { UnitsAnswer } from "@/lib/domain/cost/units";
import type { WasteAnswer } from "@/lib/domain/cost/waste";
import { shape } from "./answer-shape";
import { type ApiDoor, act, read } from "./api-door";

/** What is to come and what was not worth its money. */
export const OUTLOOK_DOORS: readonly ApiDoor[] = [
  read(
    "/api/v1/cost/budgets",
    "Budgets: spent, forecast with its band, and when each is gone; how good forecasts were. `?format=csv|xlsx` as a file.",
    {
      question: { BudgetsTableQuestion },
      answer: shape<BudgetsAnswer>({
        now: "number",
        zone: "string",
        budgets: "array",
        known: "object",
        scores: "array",
      }),
      right: "cost:read",
    },
  ),
  act("/api/v1/cost/budgets", "Sets up a budget.", "budget:write", { NewBudget }),
  read(
    "/api/v1/cost/budgets/{budgetId}",
    "One budget with its earlier periods (`?format=csv|xlsx` as a file) and its changes.",
    {
      question: { BudgetId },
      answer: shape<BudgetAnswer>({ now: "number", zone: "string", budget: "object", past: "array", acts: "array?" }),
      right: "cost:read",
    },
  ),
  act("/api/v1/cost/budgets/{budgetId}", "Changes a budget.", "budget:write", { BudgetChange }),
  act("/api/v1/cost/budgets/{budgetId}/remove", "Takes a budget away.", "budget:write", { BudgetId }),
  read(
    "/api/v1/cost/anomalies",
    "Days that cost more than expected, each with its cause; `?format=csv|xlsx` as a file.",
    {
      question: { AnomaliesQuestion },
      answer: shape<AnomaliesAnswer>({
        now: "number",
        zone: "string",
        from: "string",
        to: "string",
        minMicros: "string",
        historyDays: "number",
        neededDays: "number",
        rows: "array",
      }),
      right: "cost:read",
    },
  ),
  read(
    "/api/v1/cost/waste",
    "Money that bought nothing: idle, silent, unhealthy, throttled, unattached; `?format=csv|xlsx` as a file.",
    {
      question: { WasteTableQuestion },
      answer: shape<WasteAnswer>({
        now: "number",
        zone: "string",
        days: "number",
        from: "number",
        to: "number",
        fromDay: "string",
        toDay: "string",
        costMicros: "string",
        totals: "object",
        potentialMicros: "string",
        goneMicros: "string",
        gpu: "object",
        findings: "array",
      }),
      right: "cost:read",
    },
  ),
  read("/api/v1/cost/units", "What a task, a token, a sample, an epoch and a run cost; `?format=csv|xlsx` as a file.", {
    question: { UnitsTableQuestion },
    answer: shape<UnitsAnswer>({
      now: "number",
      zone: "string",
      days: "number",
      by: "string",
      from: "number",
      to: "number",
      groups: "array",
      total: "object",
      fleetMicros: "string",
      estimates: "array",
      estimated: "object",
    }),
    right: "cost:read",
  }),
];
