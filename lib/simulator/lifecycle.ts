import { normal, unit } from "./random";
import { type Behaviour, type Machine, valueAt } from "./types";

export type InstanceStatus = "booting" | "active" | "unhealthy" | "terminating" | "terminated" | "preempted";

/** A machine's status at an instant; null before its launch. Terminated machines keep that status for ever. */
export function statusAt(machine: Machine, at: number): InstanceStatus | null {
  if (at < machine.launchedAt) return null;
  if (machine.terminatedAt !== null && at >= machine.terminatedAt) return "terminated";
  if (machine.terminateRequestedAt !== null && at >= machine.terminateRequestedAt) return "terminating";
  const health = valueAt(machine.healths, at);
  if (health === "unhealthy" || health === "preempted") return health;
  return machine.activeAt !== null && at >= machine.activeAt ? "active" : "booting";
}

/** Whether `GET /instances` shows it: from launch (or its lag) until it is terminated. */
export function isListedAt(machine: Machine, at: number): boolean {
  return at >= machine.listedAt && (machine.terminatedAt === null || at < machine.terminatedAt);
}

/** Whether `GET /instances/{id}` knows it: at once, and for some minutes after it is terminated. */
export function isKnownAt(machine: Machine, at: number, rememberMs: number): boolean {
  return at >= machine.launchedAt && (machine.terminatedAt === null || at < machine.terminatedAt + rememberMs);
}

export function isRestartingAt(machine: Machine, at: number): boolean {
  return machine.restarts.some(({ from, to }) => from <= at && at < to);
}

/** The instants at which what the API says of a machine changes. */
export function edgesOf(machine: Machine): number[] {
  const { launchedAt, listedAt, ipAt, activeAt, terminateRequestedAt, terminatedAt } = machine;
  const edges = [launchedAt, listedAt, ipAt, activeAt, terminateRequestedAt, terminatedAt].filter((at) => at !== null);
  edges.push(...machine.names.map(({ from }) => from), ...machine.healths.map(({ from }) => from));
  for (const { from, to } of machine.restarts) edges.push(from, to);
  return edges;
}

type Available = { available: true };
type Blocked = { available: false; reason_code: string; reason_description: string };
const operations = ["migrate", "rebuild", "restart", "cold_reboot", "terminate"] as const;
export type Actions = Record<(typeof operations)[number], Available | Blocked>;

/** Which operations the API says are possible now, and why not (lambda-cloud-api.md section 2.3). */
export function actionsAt(machine: Machine, at: number): Actions {
  const status = statusAt(machine, at);
  let block: Blocked | null = null;
  if (status === "booting") {
    block = blocked("vm-has-not-launched", "This instance has not finished launching.");
  } else if (status === "terminating" || status === "terminated" || status === "preempted") {
    block = blocked("vm-is-terminating", "This instance is terminating.");
  } else if (isRestartingAt(machine, at)) {
    block = blocked("vm-action-in-progress", "Another action on this instance is in progress.");
  }
  const terminate = block?.reason_code === "vm-action-in-progress" ? null : block;
  const each = (name: (typeof operations)[number]) => (name === "terminate" ? terminate : block) ?? free;
  return {
    migrate: each("migrate"),
    rebuild: each("rebuild"),
    restart: each("restart"),
    cold_reboot: each("cold_reboot"),
    terminate: each("terminate"),
  };
}

const free: Available = { available: true };
const blocked = (code: string, description: string): Blocked => ({
  available: false,
  reason_code: code,
  reason_description: description,
});

export type BootPlan = Pick<Machine, "ipAt" | "guestAt" | "activeAt" | "healths">;

/**
 * How a launch goes: an address after 20 to 35 s, programs 30 to 60 s before active, active after a log-normal time
 * with median 200 s and at most 15 min, three times that with eight GPUs (lambda-cloud-api.md section 5, rows 5 and 6).
 */
export function planBoot(
  seed: number,
  launchedAt: number,
  gpus: number,
  bootMs: Behaviour["bootMs"],
  isUnhealthy: boolean,
): BootPlan {
  const slow = gpus >= 8 ? 3 : 1;
  const healthyMs =
    bootMs === "lambda" ? Math.min(900_000, Math.round(slow * 200_000 * Math.exp(0.38 * normal(seed, 1)))) : bootMs;
  const ipAt = launchedAt + Math.min(healthyMs, Math.round(20_000 + 15_000 * unit(seed, 2)));
  if (isUnhealthy) {
    const failMs = bootMs === "lambda" ? Math.round(240_000 + 120_000 * unit(seed, 3)) : bootMs;
    return { ipAt, guestAt: null, activeAt: null, healths: [{ from: launchedAt + failMs, value: "unhealthy" }] };
  }
  const activeAt = launchedAt + healthyMs;
  const leadMs = Math.round(30_000 + 30_000 * unit(seed, 4));
  return { ipAt, guestAt: Math.max(ipAt, activeAt - leadMs), activeAt, healths: [] };
}

export function planTermination(seed: number, requestedAt: number, terminateMs: Behaviour["terminateMs"]): number {
  return requestedAt + (terminateMs === "lambda" ? Math.round(30_000 + 90_000 * unit(seed, 6)) : terminateMs);
}
