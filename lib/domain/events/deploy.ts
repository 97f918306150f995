import { z } from "zod";
import { parseIsoInstant } from "@/lib/domain/telemetry/instant";
import { cleanText } from "@/lib/domain/telemetry/text";

const NAME_MAX = 200;
const INSTANCES_MOST = 200;

const line = (most: number) =>
  z
    .string({ error: "is not a text" })
    .max(4 * most, "is too long")
    .transform((text) => cleanText(text, most));

/** A deploy as a program tells it. No instances and no team: it concerns all of them. */
export const NewDeploy = z.object({
  /** The sender's own; the same again changes nothing. */
  id: line(200).optional(),
  /** What was deployed, as "chat 2.4.1". */
  name: line(NAME_MAX).refine((name) => name !== "", "Say what was deployed"),
  /** When: an RFC 3339 text or epoch milliseconds; not given: now. */
  at: z
    .union([
      z.number().int().min(0).max(8.64e15),
      z.string().transform((text, issues) => {
        const at = parseIsoInstant(text);
        if (at !== null) return at;
        issues.addIssue({ code: "custom", message: "is not an instant such as 2026-11-21T12:00:00Z" });
        return z.NEVER;
      }),
    ])
    .optional(),
  /** Names or ids of instances. */
  instances: z
    .array(z.string().min(1).max(200))
    .max(INSTANCES_MOST, `are too many: at most ${INSTANCES_MOST}`)
    .default([]),
  /** The instances that this team has now. */
  team: line(80).default(""),
  url: z
    .url({ protocol: /^https?$/, error: "is not an http or https address" })
    .max(500)
    .optional(),
});
export type NewDeploy = z.output<typeof NewDeploy>;

export type MarkedDeploy = {
  id: string;
  /** `known`: a deploy of that id was marked before and stays as it was. */
  outcome: "marked" | "known";
  /** On whose axes it stands; none: on all. */
  instances: { id: string; name: string }[];
};
