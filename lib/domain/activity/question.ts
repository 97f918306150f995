import { z } from "zod";
import { WHO } from "./view";

export const ActivityQuestion = z.object({
  who: z.enum(WHO).catch("all").default("all"),
  q: z.string().max(200).catch("").default(""),
  /** Where the page before ended. */
  after: z
    .string()
    .regex(/^\d{1,16}:[apl].{1,80}$/)
    .optional()
    .catch(undefined),
});
export type ActivityQuestion = z.output<typeof ActivityQuestion>;
