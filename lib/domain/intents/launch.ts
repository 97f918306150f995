import { z } from "zod";
import { WORKLOADS } from "@/lib/domain/fleet/workloads";
import { cleanName } from "@/lib/domain/text";
import { labelProblem } from "./preflight";

const word = z
  .string()
  .max(64, "is longer than 64 characters")
  .transform((text) => cleanName(text, 64))
  .default("");
const choice = z
  .string()
  .max(200)
  .nullish()
  .transform((text) => text || null);

/** What a person calls a machine; `labelProblem` says what is wrong with another. */
export const MachineLabel = z
  .string()
  .trim()
  .superRefine((label, ctx) => {
    const message = labelProblem(label);
    if (message !== null) ctx.addIssue({ code: "custom", message });
  });

export const NewLaunch = z.object({
  /** Made by the form: a double click, the back button and a retry are the same launch. */
  intentId: z.uuid(),
  typeName: z.string().min(1, "Choose a machine").max(100),
  region: z.string().min(1, "Choose a region").max(64),
  imageFamily: choice,
  sshKeyName: z.string().min(1, "Choose an SSH key").max(200),
  fileSystemName: choice,
  name: MachineLabel,
  owner: word,
  team: word,
  project: word,
  environment: word,
  costCenter: word.default(""),
  workload: z.enum(WORKLOADS).default("unknown"),
  /** The price that the person saw, per hour. */
  priceMicros: z.string().regex(/^\d{1,15}$/, "is not a price"),
  /** Warnings that the person read and accepts, by key. */
  accepted: z.array(z.string().max(40)).max(20).default([]),
});
export type NewLaunch = z.output<typeof NewLaunch>;
