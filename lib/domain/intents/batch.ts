import { z } from "zod";
import type { IntentState } from "./intent";

export const BatchQuestion = z.object({ batchId: z.uuid() });
export type BatchQuestion = z.output<typeof BatchQuestion>;

/** How far one machine of a batch came. */
export type BatchRow = {
  intentId: string;
  instanceId: string | null;
  name: string;
  state: IntentState;
  stage: "approval" | "queued" | "sent" | "accepted" | "gone" | "failed";
  words: string;
  /** When its turn comes; null: it is not waiting for one. */
  etaAt: number | null;
  microsPerHour: string | null;
  isCancellable: boolean;
};

export type BatchProgress = {
  now: number;
  id: string;
  by: string;
  at: number;
  reason: string | null;
  rows: BatchRow[];
  /** When the last one is sent, at Lambda's limit; null: nothing waits. */
  doneAt: number | null;
};
