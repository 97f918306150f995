import { type ExportsAnswer, ExportsQuestion } from "@/lib/domain/cost/exports-view";
import { type FocusMetadata, FocusQuestion } from "@/lib/domain/focus/view";
import { shape } from "./answer-shape";
import { type ApiDoor, csvFile, read } from "./api-door";

/** A month as the FinOps Foundation's open format has it. */
export const FOCUS_DOORS: readonly ApiDoor[] = [
  read("/api/v1/cost/exports", "What the files of a month will say, and which months there are.", {
    question: { ExportsQuestion },
    answer: shape<ExportsAnswer>({
      now: "number",
      zone: "string",
      month: "string",
      status: "string",
      isRunning: "boolean",
      rows: "number",
      micros: "string",
      unknownRows: "number",
      unknownResources: "number",
      contentHash: "string?",
      months: "array",
    }),
    right: "export",
  }),
  read("/api/v1/cost/focus", "A month as a FOCUS “Cost and Usage” file, of version 1.2 or 1.4.", {
    question: { FocusQuestion },
    answer: { ...csvFile, about: "One line per charge, with the columns of the version." },
    right: "export",
  }),
  read("/api/v1/cost/focus/metadata", "What belongs beside that file: columns, sums, and what is not in it.", {
    question: { FocusQuestion },
    answer: shape<FocusMetadata>({
      focusVersion: "string",
      dataset: "string",
      generator: "string",
      month: "string",
      accountingZone: "string",
      billingPeriodBasis: "string",
      billingPeriodStatus: "string",
      createdAt: "string",
      dataRevision: "string",
      rows: "number",
      totals: "object",
      unknownPrices: "object",
      recency: "object",
      columns: "array",
    }),
    right: "export",
  }),
];
