import { z } from "zod";
import type { ChangeEvidence } from "./change";
import { SeenEvidence } from "./evidence";
import type { IntentKind, IntentState } from "./intent";

const reason = z
  .string()
  .max(500, "Use at most 500 characters")
  .transform((text) => text.trim())
  .default("");
const MOST = 500;

/** A second person agrees to some of what waits, each as it was read. */
export const ApproveMany = z.object({
  intents: z
    .array(
      z.object({
        intentId: z.uuid(),
        planHash: z.string().regex(/^[0-9a-f]{64}$/),
        /** What the approver saw of the machine, where it is about one. */
        seen: SeenEvidence.nullable().default(null),
      }),
    )
    .min(1)
    .max(MOST),
});
export type ApproveMany = z.output<typeof ApproveMany>;

export const RefuseMany = z.object({
  intentIds: z.array(z.uuid()).min(1).max(MOST),
  reason: reason.refine((text) => text.length >= 3, "Say why, in a few words"),
});
export type RefuseMany = z.output<typeof RefuseMany>;

export const BreakGlassMany = z.object({
  intentIds: z.array(z.uuid()).min(1).max(MOST),
  reason: reason.refine((text) => text.length >= 10, "Say in a sentence why nobody else was asked"),
});
export type BreakGlassMany = z.output<typeof BreakGlassMany>;

/** What became of each; `words` say why not. */
export type DecisionAnswer = { outcomes: { intentId: string; isDone: boolean; words: string }[] };

/** One request that waits for a second person. */
export type WaitingIntent = {
  id: string;
  planHash: string;
  name: string;
  instanceId: string | null;
  typeName: string | null;
  region: string | null;
  /** What a launch would cost, or what an end would save, per hour; null: not known. */
  microsPerHour: string | null;
  /** Of a machine: how it is now. */
  evidence: ChangeEvidence | null;
  /** What is otherwise than when it was asked for. */
  changed: string[];
  /** Points of its checklist. */
  checklist: { text: string; isTicked: boolean }[];
};

/** What was asked for in one act. */
export type WaitingAct = {
  /** Of the batch, or of its one intent. */
  id: string;
  kind: IntentKind;
  by: string;
  isOwn: boolean;
  at: number;
  until: number;
  /** Why a second person is asked. */
  why: string;
  reason: string | null;
  policy: string | null;
  intents: WaitingIntent[];
  /** How many people besides the one who asked could agree. */
  others: number;
  /** Why the reader may not agree; null: may. */
  denied: string | null;
  mayBreakGlass: boolean;
};

export type DecidedAct = {
  id: string;
  kind: IntentKind;
  name: string;
  instanceId: string | null;
  by: string;
  at: number;
  decision: "approved" | "glass_broken" | "refused" | "expired" | "taken_back";
  decidedBy: string | null;
  decidedAt: number;
  words: string | null;
  state: IntentState;
};

export type ApprovalsAnswer = { now: number; waiting: WaitingAct[]; decided: DecidedAct[] };
export type ApprovalCount = { now: number; waiting: number; own: number };
