import type { AgentMode, Step } from "./types";
import type { WorkloadSpan } from "./workloads";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A machine of the demo's past: when it was launched and terminated, by whom, and what it did. */
export type PlannedMachine = {
  key: string;
  name: string | null;
  typeName: string;
  regionName: string;
  from: number;
  /** The terminate call; null while it still runs. */
  to: number | null;
  via: "api" | "console";
  tags: Record<string, string>;
  fileSystems: string[];
  /** Null: nobody installed an agent. */
  agent: "inline" | "shell" | null;
  agentModes: Step<AgentMode>[];
  isUnhealthy: boolean;
  restartedAt: number[];
  /** What follows the first minutes, in order of time. */
  workloads: (activeAt: number) => WorkloadSpan[];
};

export const span = (from: number, kind: WorkloadSpan["kind"], params: WorkloadSpan["params"] = {}): WorkloadSpan => ({
  from,
  kind,
  params,
  gpu: null,
});

export function planned(
  part: Partial<PlannedMachine> & Pick<PlannedMachine, "key" | "typeName" | "regionName" | "from">,
) {
  const machine: PlannedMachine = {
    name: part.key,
    to: null,
    via: "api",
    tags: {},
    fileSystems: [],
    agent: "inline",
    agentModes: [],
    isUnhealthy: false,
    restartedAt: [],
    workloads: () => [],
    ...part,
  };
  return machine;
}

export const tagged = (team: string, project: string, owner: string, environment: string, workload: string) => ({
  team,
  project,
  owner,
  environment,
  workload,
});

/** Saturday, midnight UTC, of the last weekend that ended at least four days ago. */
export function idleWeekend(now: number): number {
  let saturday = Math.floor((now - 6 * DAY) / DAY) * DAY;
  while (new Date(saturday).getUTCDay() !== 6) saturday -= DAY;
  return saturday;
}
