import { type SavingsAnswer, SavingsQuestion } from "@/lib/domain/plan/savings-view";
import { SizingQuestion } from "@/lib/domain/plan/sizing";
import type { SizingAnswer } from "@/lib/domain/plan/sizing-view";
import type { WorkloadsAnswer } from "@/lib/domain/plan/workload-view";
import { shape } from "./answer-shape";
import { type ApiDoor, read } from "./api-door";

/** Routes of savings, sizing and kinds of work. */
export const SIZING_DOORS: readonly ApiDoor[] = [
  read(
    "/api/v1/plan/savings",
    "What idle stops, a schedule, early stopping, other prices or a commitment would have saved of a period; `?format=csv` and `?format=xlsx` give every instance as a file.",
    {
      question: { SavingsQuestion },
      answer: shape<SavingsAnswer>({
        now: "number",
        zone: "string",
        asked: "object",
        fromDay: "string",
        toDay: "string",
        from: "number",
        to: "number",
        windowMs: "number",
        offHoursOfWeek: "number",
        costMicros: "string",
        unmeasuredMicros: "string",
        monthMicros: "string",
        billedMinutes: "number",
        heardMinutes: "number",
        machinesInAll: "number",
        measures: "array",
        total: "object",
        machines: "array",
        more: "number",
        deals: "array",
      }),
      right: "cost:read",
    },
  ),
  read(
    "/api/v1/plan/sizing",
    "The memory that a model needs, the GPUs that hold it and what they cost; `?format=csv` and `?format=xlsx` give the GPUs as a file.",
    {
      question: { SizingQuestion },
      answer: shape<SizingAnswer>({
        now: "number",
        day: "string",
        asked: "object",
        plan: "object",
        memory: "object",
        gpus: "array",
        best: "string?",
        shown: "string",
        offers: "array",
        hints: "array",
        measured: "array",
        measuredDays: "number",
      }),
      right: "cost:read",
    },
  ),
  read(
    "/api/v1/plan/workloads",
    "Kinds of work with what they need, prices of every GPU, and Lambda's prices with the ones before.",
    {
      answer: shape<WorkloadsAnswer>({
        now: "number",
        day: "string",
        types: "array",
        prices: "array",
        lambda: "array",
        providers: "array",
        measured: "array",
        measuredDays: "number",
      }),
      right: "cost:read",
    },
  ),
];
