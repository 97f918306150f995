import { type ExploreAnswer, ExploreQuestion, type RowsAnswer, RowsQuestion } from "@/lib/domain/cost/explore";
import { WhyTableQuestion } from "@/lib/domain/cost/month-tables";
import type { WhyAnswer } from "@/lib/domain/cost/why-view";
import { shape } from "./answer-shape";
import { type ApiDoor, read } from "./api-door";

/** Spend of any days by any dimension, why it changed, and the rows behind every figure. */
export const SPEND_DOORS: readonly ApiDoor[] = [
  read(
    "/api/v1/cost/spend",
    "Spend of a month or of any days, per hour, day, week or month, stacked and filtered by any dimension. `?format=csv` and `?format=xlsx` give it as a file.",
    {
      question: { ExploreQuestion },
      answer: shape<ExploreAnswer>({
        now: "number",
        zone: "string",
        window: "object",
        knownFrom: "number?",
        ledger: "object",
        per: "string",
        by: "string",
        cost: "string",
        filter: "array",
        total: "object",
        corrections: "object?",
        compared: "object?",
        parts: "array",
        bars: "array",
        groups: "array",
      }),
      right: "cost:read",
    },
  ),
  read(
    "/api/v1/cost/rows",
    "The ledger rows that make a figure, page by page, with the sum of all of them. `?format=csv` and `?format=xlsx` give it as a file.",
    {
      question: { RowsQuestion },
      answer: shape<RowsAnswer>({
        now: "number",
        zone: "string",
        window: "object",
        cost: "string",
        filter: "array",
        total: "object",
        page: "number",
        pages: "number",
        rows: "array",
      }),
      right: "cost:read",
    },
  ),
  read(
    "/api/v1/cost/why",
    "Why a month is not the one before: price, volume, mix and hours, which add up to the difference. `?format=csv` and `?format=xlsx` give a `table` of it as a file.",
    {
      question: { WhyTableQuestion },
      answer: shape<WhyAnswer>({
        now: "number",
        zone: "string",
        month: "string",
        mix: "string",
        isCurrent: "boolean",
        knownFrom: "number?",
        own: "object?",
        before: "object?",
        steps: "array",
        lines: "array",
        resources: "array",
        newResources: "number",
        goneResources: "number",
      }),
      right: "cost:read",
    },
  ),
];
