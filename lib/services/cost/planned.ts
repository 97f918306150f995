import { listInstances } from "@/lib/db/fleet/read";
import { listPolicies } from "@/lib/db/policies/policies";
import type { Plan } from "@/lib/domain/cost/forecast";
import { plannersOf, planOf } from "@/lib/domain/cost/planned";
import { dayOf } from "@/lib/domain/cost/zone";

const YEAR_MS = 366 * 86_400_000;

/** How long machines run by leases and working hours that are armed; those that no policy plans are not in it. */
export async function plannedRuns(now: Date, zone: string): Promise<ReadonlyMap<string, Plan>> {
  const at = now.getTime();
  const planners = plannersOf(await listPolicies(), at, at + YEAR_MS);
  if (planners.length === 0) return new Map();
  const machines = await listInstances(dayOf(at, zone), { goneSince: now });
  return new Map(
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
}
