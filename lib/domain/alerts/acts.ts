import { z } from "zod";
import { cleanName } from "@/lib/domain/text";

const note = z
  .string()
  .max(1_000, "Use at most 1,000 characters")
  .transform((text) => cleanName(text, 1_000));

export const AlertId = z.object({ alertId: z.uuid() });

export const AcknowledgeAlert = AlertId.extend({
  note: note.default(""),
  /** When it is told again if it still fires; empty: not before it ends. */
  minutes: z.preprocess(
    (value) => (value === "" || value === undefined ? null : value),
    z.coerce
      .number()
      .int()
      .min(5)
      .max(7 * 24 * 60)
      .nullable(),
  ),
});
export type AcknowledgeAlert = z.output<typeof AcknowledgeAlert>;

/** Several at once, as the inbox does it. */
export const AcknowledgeAlerts = z.object({ alertIds: z.array(z.uuid()).min(1, "Choose an alert").max(200) });
export type AcknowledgeAlerts = z.output<typeof AcknowledgeAlerts>;

export const CommentOnAlert = AlertId.extend({ note: note.refine((text) => text !== "", "Write something") });
export type CommentOnAlert = z.output<typeof CommentOnAlert>;
