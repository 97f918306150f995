import { z } from "zod";

export const AftermathQuestion = z.object({ instanceId: z.uuid() });
export type AftermathQuestion = z.output<typeof AftermathQuestion>;

export type AfterCheck = {
  key: "listed" | "billing" | "storage" | "tokens";
  state: "ok" | "waiting" | "problem";
  title: string;
  detail: string;
};

export type AftermathAnswer = {
  now: number;
  isGone: boolean;
  checks: AfterCheck[];
  /** The request that ended it, if one from here did. */
  ended: {
    id: string;
    by: string;
    at: number;
    reason: string | null;
    approvedBy: string | null;
    breakGlassReason: string | null;
    concerns: string[];
    checklist: { text: string; isTicked: boolean }[];
  } | null;
  finalMicros: string;
  zone: string;
};
