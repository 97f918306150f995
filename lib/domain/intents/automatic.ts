import { STALE_AFTER_MS } from "@/lib/domain/fleet/poll";
import { silentAfterMs } from "@/lib/domain/telemetry/sample";

/** What an intent of a policy carries in its plan beside the evidence. */
export type AutomaticPlan = {
  target: string;
  slot: string;
  /** Only while nothing is computed on it. */
  whileIdle: boolean;
  /** It was asked for because nothing had been computed for so long. */
  isForIdleness?: boolean;
  /** Also machines that were not launched from here. */
  includesOutside: boolean;
  /** What a launch may cost per hour; null: what it cost when it was asked for. */
  maxMicrosPerHour: string | null;
  evidence: Record<string, unknown>;
};

/** What is true at the moment at which automation would act. */
export type AutomationFacts = {
  now: number;
  /** The one switch; null: automation runs. */
  stopped: { by: string } | null;
  policy: { name: string; mode: "paused" | "shadow" | "armed"; isRemoved: boolean } | null;
  fleet: { lastOkAt: number | null; isFrozen: boolean; isSuspect: boolean };
};

export type EndFacts = AutomationFacts & {
  machine: {
    isGone: boolean;
    isProtected: boolean;
    protectReason: string;
    isOurs: boolean;
    isReserved: boolean;
    /** Of the GPU heard last, in the past or not at all. */
    newestSampleAt: number | null;
    intervalMs: number;
    /** GPUs that it has and that are heard; a card that fell silent may be the busy one. */
    gpus: number;
    gpusHeard: number;
    /** Highest effective utilisation of the last ten minutes; null: one of them was not measured. */
    peakPct: number | null;
    /** Since when it has been idle without a break; null: it is not. */
    idleSince: number | null;
  };
  whileIdle: boolean;
  /** When it was asked for because it was idle; null: for another reason, or just now. */
  idleAskedAt: number | null;
  includesOutside: boolean;
  /** Machines there are, those that automation ended within the last ten minutes, and launches whose outcome nobody knows. */
  pace: { machines: number; lately: number; unknownLaunches: number };
};

export type LaunchFacts = AutomationFacts & {
  priceMicros: bigint | null;
  maxMicros: bigint | null;
};

/** `wait`: not now, perhaps later. `drop`: not at all; what was true when it was asked for is true no more. */
export type Judgement = { kind: "send" } | { kind: "wait"; why: string } | { kind: "drop"; why: string };

const IDLE_PCT = 5;
export const PACE_MS = 10 * 60_000;
/** Within ten minutes automation ends a fifth of the fleet at most, and never more than this (reliability 2.4). */
const PACE_MOST = 5;

const drop = (why: string): Judgement => ({ kind: "drop", why });

/** What speaks against automation as such: the switch, the policy, what we know of the fleet. */
function judgeHouse({ now, stopped, policy, fleet }: AutomationFacts): Judgement | null {
  if (stopped) return drop(`All automation was stopped by ${stopped.by || "somebody"}.`);
  if (policy === null || policy.isRemoved) return drop("The policy was removed.");
  if (policy.mode !== "armed") return drop(`The policy is ${policy.mode === "paused" ? "paused" : "in shadow mode"}.`);
  if (fleet.isFrozen) return drop("Lambda refuses our key.");
  if (fleet.lastOkAt === null || now - fleet.lastOkAt > STALE_AFTER_MS || fleet.lastOkAt > now)
    return drop("The fleet is not up to date, and nothing is concluded from that.");
  if (fleet.isSuspect) return drop("The last listing lost too many machines at once to be believed.");
  return null;
}

/** Whether automation may end a machine at this moment. Missing data is never a reason to end anything. */
export function judgeEnd(facts: EndFacts): Judgement {
  const house = judgeHouse(facts);
  if (house) return house;
  const { machine, now, pace } = facts;
  if (machine.isGone) return drop("The machine is gone already.");
  if (machine.isProtected)
    return drop(`The machine is protected${machine.protectReason && `: ${machine.protectReason}`}.`);
  if (machine.isReserved) return drop("The machine is reserved: it is paid for whether it runs or not.");
  if (!machine.isOurs && !facts.includesOutside)
    return drop("The machine was not launched from here, so automation leaves it alone.");
  const { newestSampleAt, intervalMs } = machine;
  if (newestSampleAt === null || now - newestSampleAt > silentAfterMs(intervalMs) || newestSampleAt > now + 60_000)
    return drop("Its GPUs are not heard, so nobody knows whether it works.");
  if (machine.gpusHeard < machine.gpus)
    return drop(`Only ${machine.gpusHeard} of its ${machine.gpus} GPUs are heard, so nobody knows whether it works.`);
  if (facts.whileIdle) {
    if (machine.peakPct === null) return drop("Nobody measured its use over the whole of the last ten minutes.");
    if (machine.peakPct > IDLE_PCT) return drop("It has work again.");
  }
  const { idleAskedAt } = facts;
  if (idleAskedAt !== null && (machine.idleSince === null || machine.idleSince > idleAskedAt))
    return drop("It worked, or was not heard, since its end was asked for.");
  if (pace.unknownLaunches > 0)
    return { kind: "wait", why: "A launch has an unknown outcome; nothing is ended by itself until it is found." };
  if (pace.lately >= paceOf(pace.machines))
    return {
      kind: "wait",
      why: "Automation has ended as many machines within ten minutes as it may; a person may go on.",
    };
  return { kind: "send" };
}

/** How many machines automation may end within ten minutes. */
export function paceOf(machines: number): number {
  return Math.min(PACE_MOST, Math.max(1, Math.floor(machines / 5)));
}

/** Whether automation may launch at this moment. */
export function judgeLaunch(facts: LaunchFacts): Judgement {
  const house = judgeHouse(facts);
  if (house) return house;
  if (facts.priceMicros === null) return drop("Its price is not known.");
  if (facts.maxMicros !== null && facts.priceMicros > facts.maxMicros)
    return drop("It costs more now than the policy allows.");
  return { kind: "send" };
}
