import {
  type AllocationAnswer,
  AllocationQuestion,
  RuleDraft,
  type SharesAnswer,
  SharesQuestion,
} from "@/lib/domain/cost/allocation-view";
import { shape } from "./answer-shape";
import { type ApiDoor, act, read } from "./api-door";

/** Routes of who pays. */
export const ALLOCATION_DOORS: readonly ApiDoor[] = [
  read("/api/v1/cost/allocation", "Who bears a month: what nobody does, the rules, and how pots are spread.", {
    question: { AllocationQuestion },
    answer: shape<AllocationAnswer>({
      now: "number",
      month: "string",
      zone: "string",
      isCurrent: "boolean",
      isClosed: "boolean",
      from: "number",
      to: "number",
      total: "object",
      allocatedMicros: "string",
      sharedMicros: "string",
      uncategorised: "object",
      after: "object",
      pending: "object",
      queue: "array",
      loose: "array",
      rules: "array",
      pots: "array",
      owners: "array",
      words: "object",
    }),
    right: "cost:read",
  }),
  read(
    "/api/v1/cost/allocation/shares",
    "A month by team, project, environment or cost centre: own cost, what pots gave, and both.",
    {
      question: { SharesQuestion },
      answer: shape<SharesAnswer>({
        now: "number",
        month: "string",
        zone: "string",
        by: "string",
        rows: "array",
        potsMicros: "string",
        unspreadMicros: "string",
        uncategorisedMicros: "string",
        totalMicros: "string",
      }),
      right: "cost:read",
    },
  ),
  act("/api/v1/cost/allocation/rules", "Adds an allocation rule after all others.", "allocation:write", { RuleDraft }),
];
