import { type Policy, watches } from "@/lib/domain/policies/policy";
import { workingHours, workingState } from "@/lib/domain/policies/working-time";
import type { Plan } from "./forecast";

export type PlannedMachine = {
  leaseUntil: number | null;
  isProtected: boolean;
  /** What policies select by. */
  selected: Parameters<typeof watches>[1];
};

const UNPLANNED: Plan = { plannedEnd: null };

type Hours = { from: number; to: number };

/** An armed policy with when it ends what runs now and, where the same is launched again, the hours after that. */
export type Planner = { policy: Policy; evening: number | null; again: readonly Hours[] | null };

/** What armed leases and working hours plan from an instant on; worked out once for all machines. */
export function plannersOf(policies: readonly Policy[], now: number, until: number): Planner[] {
  return policies.flatMap((policy): Planner[] => {
    if (policy.mode !== "armed") return [];
    if (policy.kind === "lease") return [{ policy, evening: null, again: null }];
    if (policy.kind !== "schedule") return [];
    const time = { ...policy.params, zone: policy.zone };
    const { current, next } = workingState(time, now);
    // What runs after hours is wanted after hours, until the next evening.
    const evening = (current ?? next)?.to;
    if (evening === undefined) return [];
    const isAgain = policy.params.templateId !== null;
    return [{ policy, evening, again: isAgain ? workingHours(time, evening, until) : null }];
  });
}

/**
 * How long they let a machine run: to the end of its lease, or of working hours. What is protected runs on, and so does what outlived
 * its lease: nobody knows when that ends.
 */
export function planOf(machine: PlannedMachine, planners: readonly Planner[], now: number): Plan {
  if (machine.isProtected) return UNPLANNED;
  let plan = UNPLANNED;
  for (const { policy, evening, again } of planners) {
    if (!watches(policy.selector, machine.selected)) continue;
    if (evening === null) {
      if (machine.leaseUntil !== null && machine.leaseUntil > now)
        plan = { ...plan, plannedEnd: earlier(plan.plannedEnd, machine.leaseUntil) };
    } else if (again === null) plan = { ...plan, plannedEnd: earlier(plan.plannedEnd, evening) };
    else plan = { ...plan, within: [{ from: now, to: evening }, ...again] };
  }
  return plan;
}

function earlier(a: number | null, b: number): number {
  return a === null ? b : Math.min(a, b);
}
