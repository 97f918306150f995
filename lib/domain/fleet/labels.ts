import { z } from "zod";
import { cleanName } from "@/lib/domain/text";
import { type Labels, WORKLOADS, type Workload } from "./workloads";

const word = z
  .string()
  .max(64, "is longer than 64 characters")
  .transform((text) => cleanName(text, 64));

export const LabelChange = z.object({
  instanceId: z.uuid(),
  owner: word,
  team: word,
  project: word,
  environment: word,
  costCenter: word.default(""),
  workload: z.enum(WORKLOADS),
});
export type LabelChange = z.output<typeof LabelChange>;

const SYNONYMS: Record<string, Workload> = {
  train: "training",
  serving: "inference",
  serve: "inference",
  development: "dev",
  notebook: "dev",
};

/** Our labels, prefilled once from the provider's tags; later tags never overwrite what people said. */
export function labelsFromTags(tags: Record<string, string>): Labels {
  const tag = (...names: string[]) => cleanName(names.map((name) => tags[name]).find((value) => value) ?? "", 64);
  const said = tag("workload", "purpose").toLowerCase();
  const workload = WORKLOADS.find((known) => known === said) ?? SYNONYMS[said] ?? "unknown";
  return {
    owner: tag("owner"),
    team: tag("team"),
    project: tag("project"),
    environment: tag("environment", "env"),
    costCenter: tag("cost_center", "cost-center", "costcenter"),
    workload,
  };
}
