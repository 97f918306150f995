import { transact } from "@/lib/db/client";
import { listInstances } from "@/lib/db/fleet/read";
import { setLease } from "@/lib/db/policies/acts";
import { insertPastActs, insertPastPolicy } from "@/lib/db/policies/past";
import type { Ctx } from "@/lib/domain/access";
import { burnedMicros } from "@/lib/domain/cost/burn";
import { dayOf } from "@/lib/domain/cost/zone";
import { formatDuration } from "@/lib/domain/format-time";
import { NewPolicy } from "@/lib/domain/policies/policy";
import { idleSpans } from "@/lib/domain/policies/preview";
import { readPast } from "@/lib/services/policies/preview";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const ZONE = "UTC";

const FORGOTTEN = NewPolicy.parse({
  kind: "idle_termination",
  name: "Forgotten machines",
  selector: { workload: ["dev", "batch", "training"] },
  params: { afterMinutes: 180, withHeld: true },
});
const HOURS = NewPolicy.parse({
  kind: "schedule",
  name: "Notebooks after hours",
  selector: { workload: ["dev"] },
  zone: "Europe/Berlin",
  params: { from: "08:00", to: "19:00", holidays: "2026-12-25, 2026-12-26, 2027-01-01" },
});
const LEASES = NewPolicy.parse({ kind: "lease", name: "Leases that are over", params: {} });

/**
 * What operators would have set up: ends of forgotten machines, watched for more than a week with what it would have done by the
 * measured past, working hours for notebooks, watched since Monday, and leases, armed; and a lease.
 */
export async function setPolicies(ctx: Ctx, from: number): Promise<void> {
  const now = ctx.now.getTime();
  if (now - from < 12 * DAY_MS) return;
  const since = now - 9 * DAY_MS;
  const forgottenId = await insertPastPolicy({ policy: FORGOTTEN, at: new Date(since), armedAt: null });
  await insertPastPolicy({ policy: HOURS, at: new Date(now - 3 * DAY_MS), armedAt: null });
  await insertPastPolicy({ policy: LEASES, at: new Date(now - 11 * DAY_MS), armedAt: new Date(now - 2 * DAY_MS) });
  await wouldHaveEnded(forgottenId, since, now);
  const facts = await listInstances(dayOf(now, ZONE), { goneSince: ctx.now });
  const leased = facts.find((one) => one.goneAt === null && one.workload === "training" && one.launchIntentId !== null);
  if (leased) await transact((tx) => setLease(tx, leased.id, new Date(now + 30 * HOUR_MS)));
}

async function wouldHaveEnded(policyId: string, since: number, now: number): Promise<void> {
  if (FORGOTTEN.kind !== "idle_termination") return;
  const { params } = FORGOTTEN;
  const machines = await readPast(FORGOTTEN, { from: since, to: now, zone: ZONE });
  for (const machine of machines) {
    const spans = idleSpans(machine.hours, params).filter((span) => span.from >= since && span.from < now);
    await insertPastActs(
      policyId,
      spans.map((span) => {
        const to = Math.min(span.to, now);
        const isOpen = !span.resumed && to >= now - HOUR_MS;
        return {
          resourceId: machine.resourceId,
          slot: new Date(span.from),
          reason: `It has been idle for ${formatDuration(params.afterMinutes * MINUTE_MS)}.`,
          micros: burnedMicros(machine.priceMicros, span.from, Math.max(span.from, to)) ?? 0n,
          evidence: {
            name: machine.name,
            act: "terminate",
            dueAt: span.from,
            priceMicros: machine.priceMicros?.toString() ?? null,
            ...(!isOpen && { closedAt: to, closedWhy: span.resumed ? "works again" : "gone" }),
          },
        };
      }),
    );
  }
}
