import { type AftermathAnswer, AftermathQuestion } from "@/lib/domain/intents/aftermath";
import { ApproveIntent, BreakGlass, RefuseIntent } from "@/lib/domain/intents/approval";
import { type BatchProgress, BatchQuestion } from "@/lib/domain/intents/batch";
import {
  type BatchAnswer,
  DryRun,
  type DryRunAnswer,
  type EvidencesAnswer,
  MachineChoice,
  RequestBatch,
} from "@/lib/domain/intents/change";
import type { ChecklistsAnswer } from "@/lib/domain/intents/checklist";
import { ChangeProtection } from "@/lib/domain/intents/protection";
import type { ApprovalCount, ApprovalsAnswer } from "@/lib/domain/intents/waiting";
import { SavedChange, SavedFields, SavedId } from "@/lib/domain/saved";
import { shape } from "./answer-shape";
import { type ApiDoor, act, read } from "./api-door";

/** Routes by which machines are ended: evidence, several at once, a second person, and what came of it. */
export const TERMINATE_DOORS: readonly ApiDoor[] = [
  {
    path: "/api/v1/fleet/evidence",
    method: "post",
    summary:
      "What speaks against ending several machines now, by their ids or a filter of the fleet. Nothing is written.",
    question: { MachineChoice },
    answer: shape<EvidencesAnswer>({
      now: "number",
      rows: "array",
      refused: "array",
      denied: "string?",
      frozen: "boolean",
    }),
    right: "fleet:read",
  },
  {
    path: "/api/v1/intents/terminate/dry-run",
    method: "post",
    summary: "Exactly what would be sent to end machines, and which would be refused and why. Nothing is written.",
    question: { DryRun },
    answer: shape<DryRunAnswer>({
      now: "number",
      outcomes: "array",
      calls: "array",
      seconds: "number",
      microsPerHour: "string",
    }),
    right: "intent:terminate",
  },
  {
    path: "/api/v1/intents/batches",
    method: "post",
    summary: "Asks to end several machines, each by its own evidence; those that are refused are said, the others go.",
    question: { RequestBatch },
    answer: shape<BatchAnswer>({ id: "string", outcomes: "array" }),
    right: "intent:terminate-many",
  },
  read("/api/v1/intents/batches/{batchId}", "How far the machines of a batch came, and when their turn is.", {
    question: { BatchQuestion },
    answer: shape<BatchProgress>({
      now: "number",
      id: "string",
      by: "string",
      at: "number",
      reason: "string?",
      rows: "array",
      doneAt: "number?",
    }),
  }),
  read("/api/v1/approvals", "What waits for a second person, with its evidence as it is now, and what was decided.", {
    answer: shape<ApprovalsAnswer>({ now: "number", waiting: "array", decided: "array" }),
  }),
  read("/api/v1/approvals/count", "How much waits for a second person.", {
    answer: shape<ApprovalCount>({ now: "number", waiting: "number", own: "number" }),
  }),
  act("/api/v1/intents/{intentId}/approve", "Agrees to what somebody else asked for.", "intent:approve", {
    ApproveIntent,
  }),
  act("/api/v1/intents/{intentId}/refuse", "Says no to what somebody else asked for.", "intent:approve", {
    RefuseIntent,
  }),
  act(
    "/api/v1/intents/{intentId}/break-glass",
    "Goes ahead without the second person, with a reason and an alarm.",
    "intent:break-glass",
    { BreakGlass },
  ),
  read("/api/v1/fleet/{instanceId}/aftermath", "Whether a machine's end came true: list, bill, storage, tokens.", {
    question: { AftermathQuestion },
    answer: shape<AftermathAnswer>({
      now: "number",
      isGone: "boolean",
      checks: "array",
      ended: "object?",
      finalMicros: "string",
      zone: "string",
    }),
  }),
  act("/api/v1/fleet/{instanceId}/protect", "No automation ends this machine from now on.", "protection:set", {
    ChangeProtection,
  }),
  act("/api/v1/fleet/{instanceId}/unprotect", "Lifts a machine's protection.", "protection:lift", {
    ChangeProtection,
  }),
  read("/api/v1/checklists", "What teams want looked at before a machine ends.", {
    answer: shape<ChecklistsAnswer>({ now: "number", rows: "array", usual: "object" }),
  }),
  act("/api/v1/checklists", "Makes a checklist.", "checklist:write", { SavedFields }),
  act("/api/v1/checklists/{id}", "Changes a checklist.", "checklist:write", { SavedChange }),
  act("/api/v1/checklists/{id}/remove", "Removes a checklist.", "checklist:write", { SavedId }),
];
