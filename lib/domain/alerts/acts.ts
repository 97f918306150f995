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

const DAY_MS = 24 * 3_600_000;
export const LONGEST_SNOOZE_MS = 7 * DAY_MS;

/** Gives alerts to somebody to look after; null: to nobody. It says who, and stops no repeats. */
export const AssignAlert = AlertId.extend({ assigneeId: z.uuid().nullable() });
export type AssignAlert = z.output<typeof AssignAlert>;

export const AssignAlerts = AcknowledgeAlerts.extend({ assigneeId: z.uuid().nullable() });
export type AssignAlerts = z.output<typeof AssignAlerts>;

/** Nothing is told of it until then; null: from now on again. */
export const SnoozeAlert = AlertId.extend({ until: z.int().min(0).max(8.64e15).nullable(), note: note.default("") });
export type SnoozeAlert = z.output<typeof SnoozeAlert>;

/** Makes one incident of alerts: the first one leads. */
export const MergeAlerts = AlertId.extend({ alertIds: z.array(z.uuid()).min(1, "Choose another alert").max(200) });
export type MergeAlerts = z.output<typeof MergeAlerts>;
