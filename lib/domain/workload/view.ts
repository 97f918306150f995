import { z } from "zod";
import { WORKLOADS, type Workload } from "@/lib/domain/fleet/workloads";
import type { RunState } from "./run";
import type { WorkloadChart, WorkloadSummary } from "./summary";

/* What pages and programs are answered. Instants are epoch milliseconds, money is whole micro-dollars as text, missing is null. */

export const RunsQuestion = z.object({
  /** Words of the name, the id or the instance. */
  q: z.string().max(200).catch("").default(""),
  workload: z
    .enum([...WORKLOADS, "all"])
    .catch("all")
    .default("all"),
  state: z.enum(["all", "running", "overdue", "ended"]).catch("all").default("all"),
  /** Runs on one instance only. */
  instanceId: z.uuid().optional().catch(undefined),
});
export type RunsQuestion = z.output<typeof RunsQuestion>;

export type RunPlace = {
  /** Null: the machine that the sender named is not known here. */
  instanceId: string | null;
  instanceName: string | null;
  typeName: string | null;
  region: string | null;
  /** Positions of the GPUs it holds; empty: all of the instance. */
  gpuPositions: number[];
  gpusHeld: number;
  gpusOfInstance: number;
};

export type RunRow = RunPlace & {
  id: string;
  externalId: string;
  name: string;
  workload: Workload;
  state: RunState;
  startedAt: number;
  endedAt: number | null;
  tookMs: number;
  expectedMs: number | null;
  overMs: number | null;
  leftMs: number | null;
  isOverdue: boolean;
  isPushed: boolean;
  by: string | null;
  /** Null: its instance is not known, so nothing is. */
  cost: RunMoney | null;
};

export type RunMoney = {
  micros: string;
  lowMicros: string;
  highMicros: string;
  /** Paid minutes whose price is not known and whose money is in none of these. */
  unpricedMinutes: number;
  /** Minutes of it before anything is known of what its instance cost: their money is in none of these either. */
  unknownMinutes: number;
  /** GPU-minutes that were paid for. */
  gpuMinutes: number;
  perHourMicros: string | null;
  /** When its expected hours are over; null: it is over, nobody said how long it takes, or no price is known. */
  atEndMicros: string | null;
};

export type RunsAnswer = {
  now: number;
  rows: RunRow[];
  /** Of all runs, whatever the filter. */
  totals: { runs: number; running: number; overdue: number };
  /** Older ones are not listed. */
  isCut: boolean;
};

export type UnitPrice = { per: "1M tokens" | "1,000 samples" | "1,000 tasks" | "epoch"; micros: string };

export type RunUse = {
  meanPct: number | null;
  effectivePct: number | null;
  /** Which metric says so, in words. */
  effectiveBy: string | null;
  /** Share of the time in which it was idle, 0 to 100, of what was reported. */
  idlePct: number | null;
  idleMinutes: number | null;
  reportedMinutes: number | null;
  /** Why idle time is not told, where it is not. */
  idleWhy: string | null;
};

export type RunAnswer = {
  now: number;
  run: RunRow & { note: string | null; createdAt: number; gpuIds: number[] };
  use: RunUse;
  metrics: WorkloadSummary;
  /** True where the values are the instance's own and carry no run's name. */
  isByInstance: boolean;
  unitPrices: UnitPrice[];
  /** The newest value of any of its series. */
  lastValueAt: number | null;
};

export const RunQuestion = z.object({ runId: z.uuid() });
export type RunQuestion = z.output<typeof RunQuestion>;

export type RunSeriesAnswer = {
  from: number;
  to: number;
  stepMs: number;
  at: number[];
  utilization: { mean: (number | null)[]; min: (number | null)[]; max: (number | null)[] };
  charts: WorkloadChart[];
};

export const InstanceRunsQuestion = z.object({ instanceId: z.uuid() });
export type InstanceRunsQuestion = z.output<typeof InstanceRunsQuestion>;

/** For the form: which instances there are to choose from, with their GPUs. */
export type RunPlacesAnswer = {
  now: number;
  instances: {
    id: string;
    name: string;
    typeName: string | null;
    workload: Workload;
    gpus: { id: number; position: number }[];
  }[];
};
