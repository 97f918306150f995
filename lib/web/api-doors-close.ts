import { type CloseAnswer, MonthQuestion } from "@/lib/domain/cost/close";
import { type StatementAnswer, StatementQuestion } from "@/lib/domain/cost/statement";
import { shape } from "./answer-shape";
import { type ApiDoor, act, csvFile, read } from "./api-door";

/** Routes of a month's end. */
export const CLOSE_DOORS: readonly ApiDoor[] = [
  read("/api/v1/cost/close", "How a month stands on its way to being closed, or how it was closed.", {
    question: { MonthQuestion },
    answer: shape<CloseAnswer>({
      now: "number",
      month: "string",
      zone: "string",
      status: "string",
      isOver: "boolean",
      closesFrom: "string",
      rows: "number",
      totalMicros: "string",
      lowMicros: "string",
      highMicros: "string",
      points: "array",
      gaps: "array",
      review: "array",
      contentHash: "string?",
      closedAt: "number?",
      closedBy: "string?",
      statements: "array",
      corrections: "object",
      correctedLater: "array",
    }),
    right: "cost:read",
  }),
  act("/api/v1/cost/close", "Closes a month for ever, where nothing stands in the way.", "cost:close", {
    MonthQuestion,
  }),
  read(
    "/api/v1/cost/statement",
    "A month’s statement, of one team or of everybody; `?format=csv` and `?format=xlsx` give it as a file.",
    {
      question: { StatementQuestion },
      answer: shape<StatementAnswer>({
        now: "number",
        status: "string",
        asOf: "number",
        content: "object",
        hash: "string?",
        contentHash: "string?",
        closedBy: "string?",
        teams: "array",
      }),
      right: "cost:read",
    },
  ),
  read("/api/v1/cost/content.csv", "The bytes that a month’s content hash is taken of.", {
    question: { MonthQuestion },
    answer: csvFile,
    right: "export",
  }),
];
