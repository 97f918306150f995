import type { Severity } from "@/lib/domain/alerts/types";

export const FACTS = [
  "machines",
  "extra",
  "undeclared",
  "type",
  "model",
  "record",
  "memory",
  "gpus",
  "pools",
  "sums",
  "label",
  "price",
  "region",
  "image",
  "tags",
  "architecture",
  "driver",
  "cuda",
  "pytorch",
  "capability",
] as const;
export type Fact = (typeof FACTS)[number];

export const FACT_WORDS: Record<Fact, string> = {
  machines: "Machines",
  extra: "Extra machine",
  undeclared: "Undeclared machine",
  type: "Instance type",
  model: "GPU model",
  record: "Lambda’s record",
  memory: "GPU memory",
  gpus: "GPUs per machine",
  pools: "Memory pools",
  sums: "Sum of the pools",
  label: "Label",
  price: "Price",
  region: "Region",
  image: "Image",
  tags: "Tags",
  architecture: "CPU architecture",
  driver: "Driver",
  cuda: "CUDA",
  pytorch: "PyTorch",
  capability: "Compute capability",
};

export const SOURCES = ["declared", "lambda", "gpus", "agent", "here"] as const;
export type Source = (typeof SOURCES)[number];

export const SOURCE_WORDS: Record<Source, string> = {
  declared: "Declaration",
  lambda: "Lambda",
  gpus: "GPUs",
  agent: "Agent",
  here: "Hopperdeck",
};

/** What one source says of the fact, and when it said it. Null: it says nothing. */
export type Evidence = { source: Source; says: string | null; at: number | null };

/** One fact of one machine, or of a group, against what was declared. */
export type Check = {
  fact: Fact;
  state: "agrees" | "differs" | "unverified";
  severity: Severity;
  group: string | null;
  machineId: string | null;
  machine: string | null;
  /** Where exactly one card differs. */
  gpuId: number | null;
  declared: string | null;
  observed: string | null;
  /** Why it is so, in a sentence. */
  why: string;
  /** What would settle it. */
  settle: string;
  evidence: Evidence[];
  /** What it costs more (or, negative, less) in a month than declared. */
  monthMicros: bigint | null;
  /** Memory beyond what was declared; negative: less. */
  memoryGb: number | null;
  /** When the newest evidence was seen that it rests on. */
  seenAt: number;
};

/** The same finding has the same key in every poll. */
export function keyOf({ fact, group, machineId }: Pick<Check, "fact" | "group" | "machineId">): string {
  return [fact, group ?? "", machineId ?? ""].join("|");
}

/** Stands between what was declared and what was seen. */
export const BETWEEN = " → ";

/** Polls agree in a finding when both saw this. */
export function fingerprintOf({ declared, observed }: Pick<Check, "declared" | "observed">): string {
  return `${declared ?? ""}${BETWEEN}${observed ?? ""}`;
}

/** Differences that are worth a remark and change nothing in the verdict. */
export function isNote({ severity }: Pick<Check, "severity">): boolean {
  return severity === "info";
}

const RANK: Record<Severity, number> = { critical: 2, warning: 1, info: 0 };

export function worstOf(severities: readonly Severity[]): Severity | null {
  return severities.reduce<Severity | null>(
    (worst, one) => (worst === null || RANK[one] > RANK[worst] ? one : worst),
    null,
  );
}
