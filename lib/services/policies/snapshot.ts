import { isLastListingSuspect } from "@/lib/db/automation";
import { listOffers } from "@/lib/db/fleet/catalog";
import { findConnection } from "@/lib/db/fleet/connection";
import { type InstanceFacts, listInstances } from "@/lib/db/fleet/read";
import { listVerified } from "@/lib/db/policies/acts";
import { readSetting } from "@/lib/db/settings";
import { type LatestRow, listLatest, listMinutes } from "@/lib/db/telemetry/read";
import type { BudgetState } from "@/lib/domain/cost/budgets";
import { dayOf } from "@/lib/domain/cost/zone";
import type { InstanceRow } from "@/lib/domain/fleet/view";
import { groupBy } from "@/lib/domain/group";
import { readVerification, type Verification } from "@/lib/domain/intents/verification";
import { type Policy, watches } from "@/lib/domain/policies/policy";
import { quietOf } from "@/lib/domain/policies/quiet";
import {
  oddness,
  type PolicyBudget,
  type PolicyMachine,
  type PolicyOffer,
  type Snapshot,
} from "@/lib/domain/policies/snapshot";
import { silentAfterMs } from "@/lib/domain/telemetry/sample";
import { budgetStates } from "@/lib/services/cost/budgets";
import { readFreshness } from "@/lib/services/fleet/freshness";
import { instanceRows } from "@/lib/services/fleet/instances";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** So far behind the longest run that is asked for, minutes are read: an announced end still sees where its run began. */
const MARGIN_MS = 3 * HOUR_MS;
/** What shows whether a machine works now. */
const NOW_MS = 15 * MINUTE_MS;
const PROVIDER = "lambda";

/** Everything that policies look at, as of one instant; what none of them asks is not read. */
export async function readSnapshot(now: Date, policies: readonly Policy[]): Promise<Snapshot> {
  const asks = new Set(policies.map(({ kind }) => kind));
  const [freshness, connection, machines, budgets, offered] = await Promise.all([
    readFreshness(now),
    findConnection(),
    readMachines(now, policies),
    asks.has("budget_guard") ? budgetStates(now) : [],
    asks.has("capacity_watch") ? listOffers(PROVIDER, new Date(now.getTime() - DAY_MS)) : null,
  ]);
  const isSuspect = connection !== null && (await isLastListingSuspect(connection.id));
  return {
    now: now.getTime(),
    fleet: {
      isStale:
        freshness.staleSince !== null || freshness.lastOkAt === null || freshness.lastOkAt > now.getTime() + MINUTE_MS,
      isFrozen: freshness.isFrozen,
      isOdd: isSuspect ? "the last listing lost too many machines at once" : oddness(machines),
    },
    offersAt: connection?.typesReadAt?.getTime() ?? null,
    machines,
    budgets: budgets.map((state) => budgetOf(state, now.getTime())),
    offers: offered === null ? [] : offersOf(offered),
  };
}

async function readMachines(now: Date, policies: readonly Policy[]): Promise<PolicyMachine[]> {
  const { zone } = await readSetting("accounting");
  const facts = (await listInstances(dayOf(now.getTime(), zone), { goneSince: now })).filter(
    ({ goneAt }) => goneAt === null,
  );
  if (facts.length === 0) return [];
  const [rows, latest, checks] = await Promise.all([
    instanceRows(facts, now),
    listLatest(facts.map(({ id }) => id)),
    listVerified(facts.map(({ id }) => id)),
  ]);
  // Minutes are read of machines that some policy might end; of the others nobody asks.
  const enders = policies.filter(mayEnd);
  const heard = rows.filter(
    (row) =>
      row.isBilled &&
      row.telemetry.state === "reporting" &&
      enders.some(({ selector }) => watches(selector, selectedOf(row))),
  );
  const idle = heard.filter((row) => row.idle !== null);
  const longest = Math.max(
    0,
    ...policies.map((policy) => (policy.kind === "idle_termination" ? policy.params.afterMinutes * MINUTE_MS : 0)),
  );
  const edge = now.getTime() - longest - MARGIN_MS;
  const [short, long] = await Promise.all([
    minutesOf(
      heard.filter((row) => row.idle === null).map(({ id }) => id),
      now.getTime() - NOW_MS,
      now,
    ),
    minutesOf(
      idle.map(({ id }) => id),
      edge,
      now,
    ),
  ]);
  const gpusOf = groupBy(latest, ({ resourceId }) => resourceId ?? "");
  const factsOf = new Map(facts.map((one) => [one.id, one]));
  return rows.flatMap((row) => {
    const one = factsOf.get(row.id);
    if (!one) return [];
    const minutes = long.get(row.id) ?? short.get(row.id) ?? [];
    return [
      machineOf(row, one, gpusOf.get(row.id) ?? [], minutes, {
        now: now.getTime(),
        edge,
        check: readVerification(checks.get(row.id)),
      }),
    ];
  });
}

function mayEnd(policy: Policy): boolean {
  if (policy.mode === "paused" || policy.kind === "capacity_watch") return false;
  return policy.kind !== "budget_guard" || policy.params.act === "terminate";
}

function selectedOf(row: InstanceRow): PolicyMachine["selected"] {
  const { workload, team } = row.labels;
  return { workload, team, type: row.typeName, instance: row.name, region: row.region };
}

type Minutes = Awaited<ReturnType<typeof listMinutes>>;

async function minutesOf(ids: string[], from: number, to: Date): Promise<Map<string, Minutes>> {
  if (ids.length === 0) return new Map();
  return groupBy(await listMinutes(ids, new Date(from), to), ({ resourceId }) => resourceId);
}

function machineOf(
  row: InstanceRow,
  facts: InstanceFacts,
  gpus: readonly LatestRow[],
  minutes: Minutes,
  { now, edge, check }: { now: number; edge: number; check: Verification | null },
): PolicyMachine {
  const heard = gpus.filter(({ at, intervalMs }) => at !== null && now - at.getTime() <= silentAfterMs(intervalMs));
  const perGpu = [...groupBy(minutes, ({ gpuId }) => String(gpuId)).values()].map((own) =>
    own.map((minute) => ({ ...minute, at: minute.at.getTime() })),
  );
  const quiet = quietOf(perGpu, { now, edge, knownSince: row.idle?.since ?? null });
  return {
    id: row.id,
    name: row.name,
    selected: selectedOf(row),
    status: row.status,
    isBilled: row.isBilled,
    isOurs: row.isOurs,
    isReserved: facts.attrs.isReserved === true,
    isProtected: facts.isProtected,
    gpus: Math.max(facts.typeGpus ?? 0, new Set(gpus.map(({ uuid }) => uuid)).size),
    reportingGpus: new Set(heard.map(({ uuid }) => uuid)).size,
    priceMicros: row.priceMicros === null ? null : BigInt(row.priceMicros),
    activeSince: row.activeSince,
    leaseUntil: facts.leaseUntil?.getTime() ?? null,
    telemetry: row.telemetry.state,
    heardAt: row.telemetry.at,
    peakPct: quiet.peakPct,
    // Idle only where both say so: the measure that pages show, and the minutes themselves.
    idle: row.idle === null ? null : quiet.idle,
    empty: row.idle === null ? null : quiet.empty,
    isVerified: check === null ? null : check.state === "passed",
    open: row.openIntent?.id ?? null,
  };
}

function budgetOf(state: BudgetState, now: number): PolicyBudget {
  return {
    id: state.id,
    name: state.name,
    from: state.from,
    to: state.to,
    pct: { actual: state.actualPct, forecast: state.forecastPct, burn: state.burnPct },
    reachesAt: (pct) => {
      const missing = Number(state.limitMicros) * (pct / 100) - Number(state.spentMicros);
      if (missing <= 0) return now;
      const perHour = Number(state.microsPerHour);
      const at = perHour > 0 ? now + (missing / perHour) * HOUR_MS : Number.POSITIVE_INFINITY;
      return at < state.to ? Math.round(at) : null;
    },
  };
}

function offersOf({ prices, capacity }: Awaited<ReturnType<typeof listOffers>>): PolicyOffer[] {
  return capacity
    .filter(({ to }) => to === null)
    .map(({ typeName, region, from }) => ({
      typeName,
      region,
      priceMicros: prices.find(({ sku }) => sku === typeName)?.micros ?? null,
      since: from.getTime(),
    }));
}
