import {
  type AllocationAnswer,
  AllocationQuestion,
  AllocationTableQuestion,
  Assign,
  type AssignmentsAnswer,
  EndRule,
  MoveRule,
  RuleDraft,
  type RulePreview,
  type RulesAnswer,
  type SharesAnswer,
  SharesQuestion,
} from "@/lib/domain/cost/allocation-view";
import { shape } from "./answer-shape";
import { type ApiDoor, act, read } from "./api-door";

/** Routes of who pays. */
export const ALLOCATION_DOORS: readonly ApiDoor[] = [
  read(
    "/api/v1/cost/allocation",
    "Who bears a month: what nobody does, the rules, and how pots are spread; `?format=csv|xlsx` gives a `table`.",
    {
      question: { AllocationTableQuestion },
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
        things: "array",
        workspaces: "array",
      }),
      right: "cost:read",
    },
  ),
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
  read(
    "/api/v1/cost/allocation/rules",
    "The allocation rules in the order in which they are asked; `?format=csv|xlsx` as a file.",
    { answer: shape<RulesAnswer>({ now: "number", rules: "array" }), right: "cost:read" },
  ),
  act(
    "/api/v1/cost/allocation/rules",
    "Adds an allocation rule after all others; the same one again is the one that is there.",
    "allocation:write",
    { RuleDraft },
  ),
  {
    ...act(
      "/api/v1/cost/allocation/rules/preview",
      "What a rule would move in a month. Changes nothing.",
      "cost:read",
      {
        RuleDraft,
      },
    ),
    answer: shape<RulePreview>({
      resources: "number",
      micros: "string",
      looseMicros: "string",
      moves: "array",
      matched: "number",
    }),
  },
  act(
    "/api/v1/cost/allocation/rules/{id}/end",
    "Ends a rule now, or takes it back as if it had never been.",
    "allocation:write",
    { EndRule },
  ),
  act(
    "/api/v1/cost/allocation/rules/{id}/move",
    "Asks a rule before or after its neighbour; of the version that was read, so once.",
    "allocation:write",
    { MoveRule },
  ),
  read(
    "/api/v1/cost/allocation/assignments",
    "Who pays for each thing of a month, from when to when, and what says so; `?format=csv|xlsx` as a file.",
    {
      question: { AllocationQuestion },
      answer: shape<AssignmentsAnswer>({ now: "number", month: "string", zone: "string", assignments: "array" }),
      right: "cost:read",
    },
  ),
  {
    ...act(
      "/api/v1/cost/allocation/assignments",
      "Names who pays for things, wherever nobody is named yet.",
      "label:write",
      { Assign },
    ),
    answer: shape<{ count: number }>({ count: "number" }),
  },
];
