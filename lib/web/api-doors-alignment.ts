import {
  AcceptFinding,
  type AlignmentAnswer,
  AssignFinding,
  type BadgesAnswer,
  CorrectionQuestion,
  type DeclarationAnswer,
  DeclarationDraft,
  type DeclarationPreview,
  EndMigration,
  type FindingCount,
  FindingId,
  type FindingRow,
  FindingsQuestion,
  type MachineAlignment,
  MachineAlignmentQuestion,
  NewDeclaration,
  RestoreDeclaration,
  SignReview,
  type SoftwareAnswer,
  StartMigration,
  VersionQuestion,
} from "@/lib/domain/alignment/view";
import { shape } from "./answer-shape";
import { type ApiDoor, act, read } from "./api-door";

const versioned = shape<{ version: number }>({ version: "number" });

/** Routes by which the declared fleet is compared with the one there is. */
export const ALIGNMENT_DOORS: readonly ApiDoor[] = [
  read("/api/v1/alignment", "What was declared against what Lambda records and what the GPUs report.", {
    answer: shape<AlignmentAnswer>({
      now: "number",
      zone: "string",
      declared: "object?",
      poll: "object",
      verdict: "string",
      counts: "object",
      totals: "object",
      groups: "array",
      strangers: "array",
      findings: "array",
    }),
  }),
  read("/api/v1/alignment/count", "How many findings stand; notes and what was accepted are left out.", {
    answer: shape<FindingCount>({ now: "number", verdict: "string", findings: "number" }),
  }),
  read("/api/v1/alignment/badges", "The same by machine.", {
    answer: shape<BadgesAnswer>({ now: "number", byInstance: "object" }),
  }),
  read("/api/v1/alignment/findings", "Findings. `?format=csv` and `?format=xlsx` give them as a file.", {
    question: { FindingsQuestion },
    answer: shape<{ now: number; rows: FindingRow[] }>({ now: "number", rows: "array" }),
  }),
  act(
    "/api/v1/alignment/findings/{findingId}/accept",
    "Bears a difference until a day, with a reason.",
    "alignment:write",
    { AcceptFinding },
  ),
  act("/api/v1/alignment/findings/{findingId}/reopen", "Takes an acceptance back.", "alignment:write", { FindingId }),
  act("/api/v1/alignment/findings/{findingId}/assign", "Names who settles it.", "alignment:write", { AssignFinding }),
  read("/api/v1/alignment/report", "The whole comparison as a dated Markdown report.", {
    answer: { type: "text/markdown", about: "Summary, comparison, findings, actions and validation steps." },
    right: "export",
  }),
  read("/api/v1/alignment/declaration", "The declared fleet as YAML, with its versions.", {
    question: { VersionQuestion },
    answer: shape<DeclarationAnswer>({
      now: "number",
      version: "number?",
      at: "number?",
      by: "string?",
      yaml: "string",
      versions: "array",
    }),
  }),
  {
    ...act("/api/v1/alignment/declaration", "Declares the fleet anew.", "alignment:write", { NewDeclaration }),
    answer: versioned,
  },
  {
    ...act("/api/v1/alignment/declaration/preview", "What a text would declare, without it.", "alignment:write", {
      DeclarationDraft,
    }),
    answer: shape<DeclarationPreview>({
      now: "number",
      problems: "array",
      diff: "array",
      findings: "array",
      totals: "object?",
    }),
  },
  {
    ...act("/api/v1/alignment/declaration/restore", "Declares an older version again.", "alignment:write", {
      RestoreDeclaration,
    }),
    answer: versioned,
  },
  read("/api/v1/alignment/declaration/now", "What runs now, written as a declaration.", {
    answer: shape<{ now: number; yaml: string }>({ now: "number", yaml: "string" }),
  }),
  read("/api/v1/alignment/declaration/corrected", "The declaration with one group as its machines are.", {
    question: { CorrectionQuestion },
    answer: shape<{ now: number; yaml: string }>({ now: "number", yaml: "string" }),
  }),
  read("/api/v1/alignment/software", "Software policies against what machines run, and what is deprecated.", {
    answer: shape<SoftwareAnswer>({
      now: "number",
      policies: "array",
      lines: "array",
      calendar: "array",
      quarter: "string",
      dueAt: "number",
      reviews: "array",
      migrations: "array",
    }),
  }),
  act("/api/v1/alignment/reviews", "Signs the software review of a quarter.", "alignment:write", { SignReview }),
  act("/api/v1/alignment/migrations", "Begins an emergency migration.", "alignment:write", { StartMigration }),
  act("/api/v1/alignment/migrations/{migrationId}/end", "Ends one.", "alignment:write", { EndMigration }),
  read("/api/v1/fleet/{instanceId}/alignment", "One machine against what was declared, with its memory pools.", {
    question: { MachineAlignmentQuestion },
    answer: shape<MachineAlignment>({
      now: "number",
      group: "string?",
      hours: "number",
      nominalGb: "number?",
      reportedMib: "number?",
      card: "string?",
      pools: "array?",
      use: "array",
      hasProcesses: "boolean",
      findings: "array",
      facts: "array",
    }),
  }),
];
