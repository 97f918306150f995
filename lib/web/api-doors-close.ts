import { type CloseAnswer, type Closed, MonthQuestion, SignPoint, SignReview } from "@/lib/domain/cost/close";
import { CloseTableQuestion } from "@/lib/domain/cost/month-tables";
import { type StatementAnswer, StatementQuestion } from "@/lib/domain/cost/statement";
import { shape } from "./answer-shape";
import { type ApiDoor, act, csvFile, read } from "./api-door";

/** Routes of a month's end. */
export const CLOSE_DOORS: readonly ApiDoor[] = [
  read(
    "/api/v1/cost/close",
    "How a month stands on its way to being closed, or how it was closed; `?format=csv|xlsx` gives a `table` of it.",
    {
      question: { CloseTableQuestion },
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
    },
  ),
  {
    ...act("/api/v1/cost/close", "Closes a month for ever, where nothing stands in the way.", "cost:close", {
      MonthQuestion,
    }),
    answer: shape<Closed>({
      month: "string",
      contentHash: "string",
      rows: "number",
      totalMicros: "string",
      closedAt: "number",
      wasClosed: "boolean",
    }),
  },
  {
    ...act("/api/v1/cost/close/begin", "From now on a month that is over is being closed.", "cost:close", {
      MonthQuestion,
    }),
    answer: shape<{ month: string }>({ month: "string" }),
  },
  {
    ...act("/api/v1/cost/close/sign", "Settles a point that warns, as it was read, with a note.", "cost:close", {
      SignPoint,
    }),
    answer: shape<{ month: string }>({ month: "string" }),
  },
  {
    ...act("/api/v1/cost/close/review", "Signs doubtful lives off, as they were read, with a note.", "cost:close", {
      SignReview,
    }),
    answer: shape<{ signed: number }>({ signed: "number" }),
  },
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
