import type { SelectorTarget } from "@/lib/domain/alerts/selector";
import type { ThresholdKind } from "@/lib/domain/cost/budgets";
import type { TelemetryState } from "@/lib/domain/fleet/view";
import type { QuietRun } from "./quiet";

/** A machine as policies see it. What is not known is null, and null never ends a machine. */
export type PolicyMachine = {
  id: string;
  name: string;
  selected: SelectorTarget;
  status: string;
  isBilled: boolean;
  isOurs: boolean;
  isReserved: boolean;
  isProtected: boolean;
  gpus: number;
  reportingGpus: number;
  priceMicros: bigint | null;
  activeSince: number | null;
  leaseUntil: number | null;
  telemetry: TelemetryState;
  heardAt: number | null;
  /** Highest effective utilisation of the last ten minutes; null: not every one of them was heard. */
  peakPct: number | null;
  /** The run until now in which nothing was computed, and the one in which nothing was held either. */
  idle: QuietRun | null;
  empty: QuietRun | null;
  /** Whether what was ordered is what reports; null: nobody has checked. */
  isVerified: boolean | null;
  /** What was asked for it and is not settled. */
  open: string | null;
};

export type PolicyBudget = {
  id: string;
  name: string;
  from: number;
  to: number;
  pct: Record<ThresholdKind, number>;
  /** When the rate of now reaches a share of the budget; null: not within its period. */
  reachesAt: (pct: number) => number | null;
};

export type PolicyOffer = {
  typeName: string;
  region: string;
  priceMicros: bigint | null;
  /** Since when it is listed without a break. */
  since: number;
};

/** What a policy did before, by target and slot. */
export type PolicyAct = {
  target: string;
  slot: number;
  decision: "planned" | "would_act" | "acted" | "skipped" | "cancelled";
  resourceId: string | null;
  decidedAt: number;
  /** When what is planned is done. */
  actAt: number | null;
  reason: string;
};

export type Snapshot = {
  now: number;
  /** When Lambda last answered well, and its list of types. */
  fleet: { isStale: boolean; isFrozen: boolean; isOdd: string | null };
  offersAt: number | null;
  machines: readonly PolicyMachine[];
  budgets: readonly PolicyBudget[];
  offers: readonly PolicyOffer[];
};

export const HOLDS = {
  frozen: "Lambda refuses our key, so nothing can be sent",
  stale_fleet: "Lambda has not answered of late: the fleet may be another by now",
  odd: "the fleet looks odd",
  not_running: "it does not run",
  protected: "it is protected",
  not_ours: "it was not launched from here",
  reserved: "it is reserved",
  open_request: "a request for it is under way",
  unverified: "what reports is not what was ordered",
  silent: "its GPUs are not heard, so it counts as busy",
  few_gpus: "not all of its GPUs report",
  gaps: "some of its minutes are missing, and what is missing is never idle",
  busy: "it is working",
  held: "it holds memory",
  stale_offers: "the list of types is old",
  no_capacity: "no capacity is listed",
  too_dear: "it costs more than was allowed",
  no_price: "its price is not known",
} as const;
export type Hold = keyof typeof HOLDS;

const BUSY_PCT = 5;
/** The list of types is read every minute. */
const OFFERS_MS = 5 * 60_000;

/** Why no automation may end a machine at this instant, whatever a policy wants; null: nothing stands against it. */
export function holdOf(machine: PolicyMachine, { fleet }: Snapshot, { endBusy }: { endBusy: boolean }): Hold | null {
  if (fleet.isFrozen) return "frozen";
  if (fleet.isStale) return "stale_fleet";
  if (fleet.isOdd !== null) return "odd";
  if (!machine.isBilled) return "not_running";
  if (machine.isProtected) return "protected";
  if (!machine.isOurs) return "not_ours";
  if (machine.isReserved) return "reserved";
  if (machine.open !== null) return "open_request";
  if (machine.isVerified === false) return "unverified";
  if (machine.telemetry !== "reporting") return "silent";
  if (machine.gpus === 0 || machine.reportingGpus < machine.gpus) return "few_gpus";
  if (machine.peakPct === null) return "gaps";
  if (machine.peakPct > BUSY_PCT && !endBusy) return "busy";
  return null;
}

/** Why nothing may be launched now. */
export function launchHold({ now, fleet, offersAt }: Snapshot): Hold | null {
  if (fleet.isFrozen) return "frozen";
  if (fleet.isStale) return "stale_fleet";
  if (offersAt === null || now - offersAt > OFFERS_MS) return "stale_offers";
  return null;
}

/**
 * Why the fleet cannot be believed: when more than half of what bills is silent at once, it is our ears that fail, not the
 * machines. Null: it can.
 */
export function oddness(machines: readonly Pick<PolicyMachine, "isBilled" | "telemetry">[]): string | null {
  const billed = machines.filter(({ isBilled }) => isBilled);
  const quiet = billed.filter(({ telemetry }) => telemetry !== "reporting" && telemetry !== "not_expected");
  if (billed.length < 2 || quiet.length * 2 <= billed.length) return null;
  return `${quiet.length} of ${billed.length} machines that bill are silent at once`;
}
