export const WORKLOADS = ["training", "inference", "batch", "dev", "unknown"] as const;
export type Workload = (typeof WORKLOADS)[number];

export type Labels = {
  owner: string;
  team: string;
  project: string;
  environment: string;
  costCenter: string;
  workload: Workload;
};

export const NO_LABELS: Labels = {
  owner: "",
  team: "",
  project: "",
  environment: "",
  costCenter: "",
  workload: "unknown",
};
