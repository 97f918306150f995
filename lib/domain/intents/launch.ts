import { z } from "zod";
import { WORKLOADS } from "@/lib/domain/fleet/workloads";
import type { IntentState } from "./intent";
import { BATCH_MOST, patternProblem } from "./names";
import { OwnData, word } from "./templates";

const choice = z
  .string()
  .max(200)
  .nullish()
  .transform((text) => text || null);

export const NewLaunch = z
  .object({
    /** Made by the form: a double click, the back button and a retry are the same launch. Of several machines, the first one's. */
    intentId: z.uuid(),
    typeName: z.string().min(1, "Choose a machine").max(100),
    region: z.string().min(1, "Choose a region").max(64),
    imageFamily: choice,
    sshKeyName: z.string().min(1, "Choose an SSH key").max(200),
    fileSystemName: choice,
    /** `{n}` in it is a running number. */
    name: z.string().trim().max(60, "Use at most 55 characters"),
    count: z.coerce
      .number({ error: "Give a number" })
      .int("Give a whole number")
      .min(1, "At least one")
      .max(BATCH_MOST, `At most ${BATCH_MOST} at once`)
      .default(1),
    owner: word,
    team: word,
    project: word,
    environment: word,
    costCenter: word,
    purpose: word,
    workload: z.enum(WORKLOADS).default("unknown"),
    /** When it may end, so the person says; null: open. */
    leaseUntil: z.number().int().min(0).max(8.64e15).nullish().default(null),
    userData: OwnData,
    /** The price of one machine that the person saw, per hour. */
    priceMicros: z.string().regex(/^\d{1,15}$/, "is not a price"),
    /** Warnings that the person read and accepts, by key. */
    accepted: z.array(z.string().max(40)).max(20).default([]),
  })
  .superRefine(({ name, count }, ctx) => {
    const message = patternProblem(name, count);
    if (message !== null) ctx.addIssue({ code: "custom", path: ["name"], message });
  });
export type NewLaunch = z.output<typeof NewLaunch>;

/** A machine to launch another one like. */
export const LaunchLike = z.object({ instanceId: z.uuid() });
export type LaunchLike = z.output<typeof LaunchLike>;

const id = z.uuid().optional().catch(undefined);

/** How the form is opened: filled in from a machine, an earlier launch, a template, or one line. What cannot be read is not said. */
export const LaunchQuestion = z.object({
  like: id,
  again: id,
  template: id,
  /** What somewhere else suggests. */
  type: z.string().max(100).catch("").default(""),
  region: z.string().max(64).catch("").default(""),
  line: z.string().max(500).catch("").default(""),
});
export type LaunchQuestion = z.output<typeof LaunchQuestion>;

export type LaunchBatchAnswer = { now: number; rows: { id: string; name: string; state: IntentState }[] };
