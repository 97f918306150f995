import { z } from "zod";
import { DAYS, SOURCES, WHAT, WHO } from "./view";

const part = z.string().max(200).catch("").default("");
const instant = z.coerce.number().int().min(0).max(8.64e15).optional().catch(undefined);

export const ActivityQuestion = z.object({
  who: z.enum(WHO).catch("all").default("all"),
  /** What kind of act, and where it was recorded. */
  what: z.enum(WHAT).catch("all").default("all"),
  source: z.enum(SOURCES).catch("all").default("all"),
  /** Part of whatever is shown; `by:` and `on:` before a word name who did it and what it was done to. */
  q: part,
  /** Since so many days, or between two instants. */
  days: z.enum(DAYS).catch("all").default("all"),
  from: instant,
  to: instant,
  /** Where the page before ended. */
  after: z
    .string()
    .regex(/^\d{1,16}:[apl].{1,80}$/)
    .optional()
    .catch(undefined),
});
export type ActivityQuestion = z.output<typeof ActivityQuestion>;

/** Takes "by:ada on:gh-1 restart" apart; names with spaces stand in quotes. */
export function partsOf(q: string): { text: string; by: string; on: string } {
  const named = { by: "", on: "" };
  const rest = q.replaceAll(
    /(?<!\S)(by|on):(?:"([^"]*)"|(\S+))/gi,
    (_, name: string, quoted?: string, word?: string) => {
      named[name.toLowerCase() === "by" ? "by" : "on"] = quoted ?? word ?? "";
      return " ";
    },
  );
  return { text: rest.replaceAll(/\s+/g, " ").trim(), ...named };
}

export type ActivityFilter = Omit<ActivityQuestion, "after">;

/** What a list is asked for, without its page; the form in which page and browser name the same question. */
export function filterOf({ after: _, ...filter }: ActivityQuestion): ActivityFilter {
  return filter;
}
