import type { SpendDimension } from "./dimensions";
import { UNALLOCATED } from "./stack";

/** What it is called where a row has no value of a dimension. */
export const NOBODY: Record<SpendDimension, string> = {
  team: UNALLOCATED,
  project: UNALLOCATED,
  environment: "no environment",
  costCentre: "no cost centre",
  owner: "nobody",
  type: "no type",
  region: "no region",
  instance: "no machine",
  charge: "no kind",
  workload: "not said",
  workspace: "no workspace",
};

/** A dimension in a sentence and in a choice. */
export const SPEND_WORDS: Record<SpendDimension, string> = {
  team: "Team",
  project: "Project",
  environment: "Environment",
  costCentre: "Cost centre",
  owner: "Owner",
  type: "Type",
  region: "Region",
  instance: "Instance",
  charge: "Charge",
  workload: "Workload",
  workspace: "Workspace",
};

const CHARGES: Record<string, string> = {
  usage: "instances",
  storage: "storage",
  commitment: "commitments",
  credit: "credits",
  tax: "tax",
  adjustment: "adjustments",
  rounding: "rounding",
};

const WORKLOADS: Record<string, string> = { unknown: NOBODY.workload, dev: "development" };

/** A value of a dimension as it is written. */
export function keyWords(dimension: SpendDimension, key: string): string {
  if (key === "") return NOBODY[dimension];
  if (dimension === "charge") return CHARGES[key] ?? key;
  if (dimension === "workload") return WORKLOADS[key] ?? key;
  return key;
}
