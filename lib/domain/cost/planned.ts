import { GRACE_MS } from "@/lib/domain/policies/kinds";
import { type Policy, watches } from "@/lib/domain/policies/policy";
import { workingHours, workingState } from "@/lib/domain/policies/working-time";
import type { Plan } from "./forecast";

export type PlannedMachine = {
  leaseUntil: number | null;
  isProtected: boolean;
  /** What policies select by. */
  selected: Parameters<typeof watches>[1];
};

const MINUTE_MS = 60_000;
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

/** What a policy did, of which a morning is made (`PolicyAct`). */
type Act = { target: string; slot: number; decision: string; resourceId: string | null };

/** The morning on which an armed policy launches again what it ended the evening before; null: there is none to come. */
export function morningOf(policy: Policy, now: number): { eveningAt: number; startAt: number } | null {
  if (policy.mode !== "armed" || policy.kind !== "schedule" || policy.params.templateId === null) return null;
  const time = { ...policy.params, zone: policy.zone };
  const { current, nextAt } = workingState(time, now);
  const startAt = current?.from ?? nextAt;
  if (startAt === null || now > startAt + policy.params.waitMinutes * MINUTE_MS + GRACE_MS) return null;
  const eveningAt = workingState(time, startAt - 1).endedAt;
  return eveningAt === null ? null : { eveningAt, startAt };
}

/**
 * The machines that an armed policy ended in the evening and that are to be launched again when the next hours begin, each with
 * these hours; what was launched again, or was not and will not be, is no more among them. `acts`: those since the evening.
 */
export function returnsOf(policy: Policy, acts: readonly Act[], now: number, until: number): Map<string, Plan> {
  const morning = morningOf(policy, now);
  if (morning === null || policy.kind !== "schedule") return new Map();
  const { eveningAt, startAt } = morning;
  const isOver = new Set(
    acts.filter(({ slot, decision }) => slot === startAt && decision !== "planned").map(({ target }) => target),
  );
  const time = { ...policy.params, zone: policy.zone };
  const within = workingHours(time, Math.max(now, startAt), until).map(({ from, to }) => ({
    from: Math.max(from, now),
    to,
  }));
  return new Map(
    acts.flatMap(({ slot, decision, resourceId }) =>
      resourceId !== null && slot === eveningAt && decision === "acted" && !isOver.has(`launch:${resourceId}`)
        ? [[resourceId, { plannedEnd: null, within }]]
        : [],
    ),
  );
}

function earlier(a: number | null, b: number): number {
  return a === null ? b : Math.min(a, b);
}
