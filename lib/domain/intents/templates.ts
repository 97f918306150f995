import { z } from "zod";
import { WORKLOADS } from "@/lib/domain/fleet/workloads";
import type { Saved } from "@/lib/domain/saved";
import { cleanName } from "@/lib/domain/text";
import { BATCH_MOST } from "./names";
import { ownDataProblem } from "./own-data";

const YEAR_MS = 366 * 24 * 3_600_000;

export const word = z
  .string()
  .max(64, "is longer than 64 characters")
  .transform((text) => cleanName(text, 64))
  .default("");

export const OwnData = z
  .string()
  .default("")
  .superRefine((text, ctx) => {
    const message = ownDataProblem(text);
    if (message !== null) ctx.addIssue({ code: "custom", message });
  });

/** A launch that is kept by name: everything that the form asks, some of it open. */
export const LaunchTemplate = z.object({
  typeName: z.string().max(100).default(""),
  region: z.string().max(64).default(""),
  imageFamily: z.string().max(200).nullable().default(null),
  sshKeyName: z.string().max(200).default(""),
  fileSystemName: z.string().max(200).nullable().default(null),
  /** May hold {n}, a running number. */
  name: z.string().max(60).default(""),
  count: z.number().int().min(1).max(BATCH_MOST).default(1),
  owner: word,
  team: word,
  project: word,
  environment: word,
  costCenter: word,
  purpose: word,
  workload: z.enum(WORKLOADS).default("unknown"),
  /** How long a machine may run from its launch; null: no lease. */
  leaseMs: z.number().int().min(60_000).max(YEAR_MS).nullable().default(null),
  /** Start-up data beside the agent's, as it was typed. */
  userData: OwnData,
});
export type LaunchTemplate = z.output<typeof LaunchTemplate>;

export type LaunchTemplatesAnswer = { now: number; rows: Saved<LaunchTemplate>[] };
