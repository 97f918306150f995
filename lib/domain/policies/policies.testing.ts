import type { PolicyKind } from "./kinds";
import type { PolicyOf } from "./policy";
import { Machines, PARAMS } from "./policy";
import type { PolicyMachine, Snapshot } from "./snapshot";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** A Friday noon, UTC. */
export const NOW = Date.UTC(2026, 10, 20, 12);

export function policyOf<K extends PolicyKind>(
  kind: K,
  params: object,
  over: Partial<Omit<PolicyOf<K>, "kind" | "params">> = {},
): PolicyOf<K> {
  return {
    id: "0190b8a2-0000-7000-8000-000000000001",
    name: "A policy",
    mode: "armed",
    shadowSince: NOW - 8 * DAY,
    armedAt: NOW - DAY,
    selector: Machines.parse({}),
    zone: "UTC",
    cooldownMs: HOUR,
    maxPerHour: 3,
    version: 1,
    createdAt: NOW - 8 * DAY,
    updatedAt: NOW - 8 * DAY,
    ...over,
    kind,
    params: PARAMS[kind].parse(params),
  } as PolicyOf<K>;
}

/** Empty for four hours, heard, launched from here, with nothing that speaks against its end. */
export function machineOf(over: Partial<PolicyMachine> = {}): PolicyMachine {
  return {
    id: "gh-1",
    name: "gh-1",
    selected: { workload: "dev", team: "research", type: "gpu_1x_gh200", instance: "gh-1", region: "us-east-3" },
    status: "active",
    isBilled: true,
    isOurs: true,
    isReserved: false,
    isProtected: false,
    gpus: 1,
    reportingGpus: 1,
    priceMicros: 2_290_000n,
    activeSince: NOW - 10 * DAY,
    leaseUntil: null,
    telemetry: "reporting",
    heardAt: NOW - 5_000,
    peakPct: 0,
    idle: { since: NOW - 4 * HOUR, seenMs: 4 * HOUR },
    empty: { since: NOW - 4 * HOUR, seenMs: 4 * HOUR },
    isVerified: null,
    open: null,
    ...over,
  };
}

export function snapshotOf(machines: readonly PolicyMachine[], over: Partial<Snapshot> = {}): Snapshot {
  return {
    now: NOW,
    fleet: { isStale: false, isFrozen: false, isOdd: null },
    offersAt: NOW - 30_000,
    machines,
    budgets: [],
    offers: [],
    ...over,
  };
}
