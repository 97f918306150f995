import { z } from "zod";
import type { IntentKind, IntentState } from "./intent";

export const IntentQuestion = z.object({ intentId: z.uuid() });
export type IntentQuestion = z.output<typeof IntentQuestion>;

export const EvidenceQuestion = z.object({ instanceId: z.uuid(), kind: z.enum(["terminate", "restart"]) });
export type EvidenceQuestion = z.output<typeof EvidenceQuestion>;

/** A request to the provider and how far it came. */
export type IntentRow = {
  id: string;
  kind: IntentKind;
  state: IntentState;
  name: string;
  typeName: string | null;
  region: string | null;
  by: string;
  reason: string | null;
  createdAt: number;
  /** When its turn comes at the provider's launch limit; null: it is not waiting for one. */
  etaAt: number | null;
  sentAt: number | null;
  acceptedAt: number | null;
  settledAt: number | null;
  error: string | null;
  /** Nothing was sent yet: it can be taken back. */
  isCancellable: boolean;
  /** The machine it made or is about, once known. */
  instance: { id: string; status: string; activeAt: number | null; firstSampleAt: number | null } | null;
};

export type IntentAnswer = { now: number; row: IntentRow };
export type IntentsAnswer = { now: number; rows: IntentRow[] };
