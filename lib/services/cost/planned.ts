import { listInstances } from "@/lib/db/fleet/read";
import { listActs } from "@/lib/db/policies/acts";
import { listPolicies } from "@/lib/db/policies/policies";
import type { Plan } from "@/lib/domain/cost/forecast";
import { morningOf, plannersOf, planOf, returnsOf } from "@/lib/domain/cost/planned";
import { dayOf } from "@/lib/domain/cost/zone";

const YEAR_MS = 366 * 86_400_000;

/** By resource: of machines that run, for how long; of those that are away, when they run again. */
export type Plans = { running: ReadonlyMap<string, Plan>; returning: ReadonlyMap<string, Plan> };

export const NO_PLANS: Plans = { running: new Map(), returning: new Map() };

/** What leases and working hours that are armed let run; machines that no policy plans are not in it. */
export async function plannedRuns(now: Date, zone: string): Promise<Plans> {
  const at = now.getTime();
  const planners = plannersOf(await listPolicies(), at, at + YEAR_MS);
  if (planners.length === 0) return NO_PLANS;
  const machines = await listInstances(dayOf(at, zone), { goneSince: now });
  const returning = await Promise.all(
    planners.map(async ({ policy }) => {
      const morning = morningOf(policy, at);
      if (morning === null) return [];
      const acts = await listActs({ policyId: policy.id, since: new Date(morning.eveningAt) });
      return [...returnsOf(policy, acts, at, at + YEAR_MS)];
    }),
  );
  const running = new Map(
    machines
      .filter(({ goneAt }) => goneAt === null)
      .map(({ id, leaseUntil, isProtected, workload, team, typeName, name, region }) => [
        id,
        planOf(
          {
            leaseUntil: leaseUntil?.getTime() ?? null,
            isProtected,
            selected: { workload, team, type: typeName, instance: name, region },
          },
          planners,
          at,
        ),
      ]),
  );
  return { running, returning: new Map(returning.flat()) };
}
