import { z } from "zod";

const reason = z
  .string()
  .max(500, "Use at most 500 characters")
  .transform((text) => text.trim());

export const ApproveIntent = z.object({
  intentId: z.uuid(),
  /** SHA-256 of what the approver read, in hex. */
  planHash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ApproveIntent = z.output<typeof ApproveIntent>;

export const RefuseIntent = z.object({ intentId: z.uuid(), reason: reason.default("") });
export type RefuseIntent = z.output<typeof RefuseIntent>;

export const BreakGlass = z.object({
  intentId: z.uuid(),
  reason: reason.refine((text) => text.length >= 10, "Say in a sentence why nobody else was asked"),
});
export type BreakGlass = z.output<typeof BreakGlass>;
