import { formatDuration } from "@/lib/domain/format-time";
import { decideBudget, decideCapacity } from "./decide-money";
import { decideSchedule } from "./decide-schedule";
import { type Policy, type PolicyOf, watches } from "./policy";
import { type Hold, holdOf, type PolicyAct, type PolicyMachine, type Snapshot } from "./snapshot";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export type PolicyDo = "terminate" | "launch" | "notify" | "stop_launches" | "ask_launches";

/** One thing that a policy wants, and whether it may. */
export type Verdict = {
  /** What it is done to, and the instant that names it: together with the policy they are acted on once, ever. */
  target: string;
  slot: number;
  resourceId: string | null;
  name: string;
  act: PolicyDo;
  /** From when it is wanted. */
  dueAt: number;
  /** So long before, it is said that it will be done. */
  noticeMs: number;
  /** It belongs to this instant: who misses it lets it go. Else it stays wanted for as long as its cause lasts. */
  isTimed: boolean;
  /** After this it is let go; null: never. */
  until: number | null;
  hold: Hold | null;
  why: string;
  priceMicros: bigint | null;
  /** When the machine would have been wanted again; null: nobody knows. */
  savesUntil: number | null;
  /** Of a launch: which. */
  launch: { typeName: string | null; region: string | null; templateId: string } | null;
};

/** What a policy wants, now and next, from what is known at one instant. Nothing is remembered but what was done before. */
export function decide(policy: Policy, snapshot: Snapshot, acts: readonly PolicyAct[]): Verdict[] {
  switch (policy.kind) {
    case "lease":
      return decideLease(policy, snapshot);
    case "idle_termination":
      return decideIdle(policy, snapshot);
    case "schedule":
      return decideSchedule(policy, snapshot, acts);
    case "budget_guard":
      return decideBudget(policy, snapshot);
    case "capacity_watch":
      return decideCapacity(policy, snapshot);
  }
}

/** Ends what somebody said may end. A machine without a lease has none to be over. */
function decideLease(policy: PolicyOf<"lease">, snapshot: Snapshot): Verdict[] {
  const { params } = policy;
  return watched(policy, snapshot).flatMap((machine): Verdict[] => {
    if (machine.leaseUntil === null) return [];
    return [
      ending(machine, {
        slot: machine.leaseUntil,
        dueAt: machine.leaseUntil,
        noticeMs: Math.max(params.noticeMinutes * MINUTE_MS, params.warnHours * HOUR_MS),
        hold: holdOf(machine, snapshot, params),
        why: snapshot.now < machine.leaseUntil ? "Its lease is over then." : "Its lease is over.",
      }),
    ];
  });
}

/** Ends what has done nothing for so long. Each minute of it lies before us; a minute that is missing is not idle. */
function decideIdle(policy: PolicyOf<"idle_termination">, snapshot: Snapshot): Verdict[] {
  const afterMs = policy.params.afterMinutes * MINUTE_MS;
  return watched(policy, snapshot).flatMap((machine): Verdict[] => {
    const run = policy.params.withHeld ? machine.idle : (machine.empty ?? machine.idle);
    if (run === null) return [];
    const isHeld = machine.empty === null;
    const dueAt = run.since + afterMs;
    const doubt = holdOf(machine, snapshot, { endBusy: false });
    const isSeen = run.seenMs >= Math.min(afterMs, snapshot.now - run.since);
    const hold = doubt ?? (isHeld && !policy.params.withHeld ? "held" : isSeen ? null : "gaps");
    return [
      ending(machine, {
        slot: dueAt,
        dueAt,
        noticeMs: policy.params.noticeMinutes * MINUTE_MS,
        hold,
        why: `It has been ${isHeld ? "idle with memory held" : "empty"} for ${formatDuration(snapshot.now - run.since)}.`,
      }),
    ];
  });
}

/** The machines that a policy watches and that run, by name. */
export function watched(policy: Policy, { machines }: Snapshot): PolicyMachine[] {
  return machines
    .filter((machine) => machine.isBilled && watches(policy.selector, machine.selected))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1));
}

/** The end of a machine, but for what makes it wanted. */
export function ending(
  machine: PolicyMachine,
  rest: Pick<Verdict, "slot" | "dueAt" | "noticeMs" | "hold" | "why"> &
    Partial<Pick<Verdict, "isTimed" | "until" | "savesUntil">>,
): Verdict {
  return {
    target: machine.id,
    resourceId: machine.id,
    name: machine.name,
    act: "terminate",
    isTimed: false,
    until: null,
    priceMicros: machine.priceMicros,
    savesUntil: null,
    launch: null,
    ...rest,
  };
}
