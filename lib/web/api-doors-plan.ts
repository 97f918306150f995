import { type CompareAnswer, CompareQuestion } from "@/lib/domain/plan/compare-view";
import { NewSpend, SpendFile, TargetsText } from "@/lib/domain/plan/mix";
import { type MixAnswer, MixQuestion } from "@/lib/domain/plan/mix-view";
import { NewQuote, QuoteFile, QuoteVerdict } from "@/lib/domain/plan/quote-input";
import { type QuotesAnswer, QuotesQuestion } from "@/lib/domain/plan/quote-view";
import {
  NewScenario,
  type ScenariosAnswer,
  ScenariosQuestion,
  type ScenarioView,
} from "@/lib/domain/plan/scenario-view";
import { type SpotAnswer, SpotQuestion } from "@/lib/domain/plan/spot-view";
import { SavedId } from "@/lib/domain/saved";
import { shape } from "./answer-shape";
import { type ApiDoor, act, read } from "./api-door";

const nothing = { type: "application/json", about: "null" };

/** Prices of providers, and what they make of a plan. */
export const PLAN_DOORS: readonly ApiDoor[] = [
  read(
    "/api/v1/plan/compare",
    "What a job, a machine or a month’s fleet costs at every price of the book, like with like. `?format=csv` and `?format=xlsx` give it as a file.",
    {
      question: { CompareQuestion },
      answer: shape<CompareAnswer>({
        now: "number",
        zone: "string",
        day: "string",
        today: "string",
        what: "string",
        words: "string",
        kinds: "array",
        types: "array",
        providers: "array",
        comparison: "object?",
        fleet: "object?",
      }),
      right: "cost:read",
    },
  ),
  read(
    "/api/v1/plan/quotes",
    "Prices of providers with source, day and status, as known on a day. `?format=csv` and `?format=xlsx` give them as a file.",
    {
      question: { QuotesQuestion },
      answer: shape<QuotesAnswer>({
        now: "number",
        day: "string",
        catalogueDay: "string",
        quotes: "array",
        doubts: "array",
        providers: "array",
      }),
      right: "cost:read",
    },
  ),
  { ...act("/api/v1/plan/quotes", "Enter a price that you read.", "price:write", { NewQuote }), answer: nothing },
  {
    ...act("/api/v1/plan/quotes/import", "Import a list of prices, all of it or nothing.", "price:write", {
      QuoteFile,
    }),
    answer: shape<{ written: number; same: number }>({ written: "number", same: "number" }),
  },
  {
    ...act("/api/v1/plan/quotes/verdicts", "Confirm, doubt or reject a price.", "price:write", { QuoteVerdict }),
    answer: nothing,
  },
  read("/api/v1/plan/spot", "Whether a piece of work belongs on spot machines, with lost work counted.", {
    question: { SpotQuestion },
    answer: shape<SpotAnswer>({
      now: "number",
      day: "string",
      kinds: "array",
      choice: "string",
      because: "string",
      matrix: "array",
      firmOffer: "object?",
      spotOffer: "object?",
      hasFirm: "boolean",
      hasSpot: "boolean",
      onDemand: "object",
      spot: "object?",
      saved: "object?",
      promisedPct: "number?",
      savedPct: "number?",
      interruptions: "object?",
      discounts: "array",
    }),
    right: "cost:read",
  }),
  read(
    "/api/v1/plan/scenarios",
    "Scenarios of one’s own and shared ones, worked out. `?format=csv` and `?format=xlsx` give their figures as a file.",
    {
      question: { ScenariosQuestion },
      answer: shape<ScenariosAnswer>({
        now: "number",
        day: "string",
        scenarios: "array",
        examples: "array",
        known: "object",
      }),
      right: "cost:read",
    },
  ),
  read("/api/v1/plan/scenarios/{id}", "One scenario, worked out.", {
    question: { SavedId },
    answer: shape<ScenarioView>({
      id: "string",
      name: "string",
      body: "object",
      version: "number",
      isShared: "boolean",
      owner: "string?",
      isOwn: "boolean",
      updatedAt: "number",
      result: "object",
    }),
    right: "cost:read",
  }),
  act("/api/v1/plan/scenarios", "Keep a scenario by name.", "plan:write", { NewScenario }),
  read(
    "/api/v1/plan/mix",
    "What was spent at which provider in a month, beside the targets. `?format=csv` and `?format=xlsx` give it as a file.",
    {
      question: { MixQuestion },
      answer: shape<MixAnswer>({
        now: "number",
        month: "string",
        months: "array",
        isRunning: "boolean",
        targets: "object",
        targetsText: "string",
        parts: "array",
        totalMicros: "string",
        isPartial: "boolean",
        unknownRows: "number",
        spends: "array",
        history: "array",
      }),
      right: "cost:read",
    },
  ),
  {
    ...act("/api/v1/plan/mix/targets", "Say which share each provider should have.", "price:write", { TargetsText }),
    answer: nothing,
  },
  {
    ...act("/api/v1/plan/spend", "Enter another provider’s bill of a month.", "price:write", { NewSpend }),
    answer: nothing,
  },
  {
    ...act("/api/v1/plan/spend/import", "Import bills of other providers, all or none.", "price:write", { SpendFile }),
    answer: shape<{ lines: number }>({ lines: "number" }),
  },
];
