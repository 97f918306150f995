import { z } from "zod";
import { WORKLOADS } from "@/lib/domain/fleet/workloads";
import { cleanName } from "@/lib/domain/text";
import { CHECKLIST_ITEMS_MOST, type Checklist } from "./checklist";

const TEXT_MOST = 160;

const item = z.object({
  text: z
    .string()
    .max(1000)
    .transform((text) => cleanName(text, TEXT_MOST))
    .pipe(z.string().min(1, "Say what is to be looked at")),
  isRequired: z.boolean().default(false),
});

/** A checklist as somebody keeps it. */
export const ChecklistBody = z.object({
  team: z
    .string()
    .max(64, "is longer than 64 characters")
    .transform((team) => cleanName(team, 64))
    .default(""),
  workload: z.enum(WORKLOADS).nullable().default(null),
  items: z
    .array(item)
    .max(CHECKLIST_ITEMS_MOST, `Use at most ${CHECKLIST_ITEMS_MOST} points`)
    .refine((items) => new Set(items.map(({ text }) => text)).size === items.length, "A point stands there twice"),
}) satisfies z.ZodType<Checklist>;
