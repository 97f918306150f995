import { formatPercent, formatUsdRate } from "@/lib/domain/format";
import { ending, type Verdict, watched } from "./decide";
import { microsOfUsd, type PolicyOf } from "./policy";
import { type Hold, holdOf, launchHold, type PolicyMachine, type Snapshot } from "./snapshot";

const MINUTE_MS = 60_000;

const MEASURES = { actual: "spent", forecast: "forecast", burn: "at the rate of now" } as const;

/** Holds launches back, or ends what may be ended in the stated order, once a budget has passed a share. */
export function decideBudget(policy: PolicyOf<"budget_guard">, snapshot: Snapshot): Verdict[] {
  const { params } = policy;
  const { now } = snapshot;
  const budget = snapshot.budgets.find(({ id }) => id === params.budgetId);
  if (!budget) return [];
  const pct = budget.pct[params.on];
  const isReached = pct >= params.pct;
  const dueAt = isReached ? now : params.on === "actual" ? budget.reachesAt(params.pct) : null;
  if (dueAt === null) return [];
  const why = isReached
    ? `${budget.name}: ${formatPercent(pct)} ${MEASURES[params.on]}, the limit is ${formatPercent(params.pct)}.`
    : `${budget.name} reaches ${formatPercent(params.pct)} then, at the rate of now.`;
  if (params.act !== "terminate") {
    return [
      {
        target: "launches",
        slot: budget.from,
        resourceId: null,
        name: "New launches",
        act: params.act === "ask" ? "ask_launches" : "stop_launches",
        dueAt,
        noticeMs: 0,
        isTimed: false,
        until: null,
        hold: null,
        why,
        priceMicros: null,
        savesUntil: null,
        launch: null,
      },
    ];
  }
  return ordered(watched(policy, snapshot), params.order).map((machine) =>
    ending(machine, {
      slot: budget.from,
      dueAt,
      noticeMs: params.noticeMinutes * MINUTE_MS,
      savesUntil: budget.to,
      hold: holdOf(machine, snapshot, params),
      why,
    }),
  );
}

function ordered(
  machines: readonly PolicyMachine[],
  order: PolicyOf<"budget_guard">["params"]["order"],
): PolicyMachine[] {
  const idleRank = ({ idle, empty }: PolicyMachine) => (empty !== null ? 0 : idle !== null ? 1 : 2);
  const dearer = (a: PolicyMachine, b: PolicyMachine) => Number((b.priceMicros ?? -1n) - (a.priceMicros ?? -1n));
  return [...machines].sort((a, b) => {
    if (order === "newest_first") return (b.activeSince ?? 0) - (a.activeSince ?? 0) || dearer(a, b);
    if (order === "dearest_first") return dearer(a, b) || idleRank(a) - idleRank(b);
    return idleRank(a) - idleRank(b) || (a.idle?.since ?? 0) - (b.idle?.since ?? 0) || dearer(a, b);
  });
}

/** Launches, or says, when what was asked for can be had; each of the machines once, however often capacity comes and goes. */
export function decideCapacity(policy: PolicyOf<"capacity_watch">, snapshot: Snapshot): Verdict[] {
  const { params } = policy;
  const { now } = snapshot;
  if (now >= params.until) return [];
  const most = params.maxUsdPerHour === null ? null : microsOfUsd(params.maxUsdPerHour);
  const wanted = snapshot.offers
    .filter(
      ({ typeName, region }) =>
        params.typeNames.includes(typeName) && (params.regions.length === 0 || params.regions.includes(region)),
    )
    .sort(
      (a, b) =>
        params.typeNames.indexOf(a.typeName) - params.typeNames.indexOf(b.typeName) ||
        params.regions.indexOf(a.region) - params.regions.indexOf(b.region) ||
        (a.region < b.region ? -1 : 1),
    );
  const fitting = wanted.filter(({ priceMicros }) => priceMicros !== null && (most === null || priceMicros <= most));
  const [best] = fitting;
  const hold = launchHold(snapshot) ?? (best ? null : holdOfOffers(wanted));
  const base = { noticeMs: 0, isTimed: false, until: params.until, savesUntil: null, resourceId: null };
  if (params.act === "notify") {
    return fitting.map((offer) => ({
      ...base,
      target: `capacity:${offer.typeName}:${offer.region}`,
      slot: offer.since,
      name: `${offer.typeName} in ${offer.region}`,
      act: "notify" as const,
      dueAt: offer.since,
      hold,
      why: `Listed at ${formatUsdRate(offer.priceMicros)}.`,
      priceMicros: offer.priceMicros,
      launch: null,
    }));
  }
  const { templateId } = params;
  if (templateId === null) return [];
  return Array.from({ length: params.count }, (_, i) => ({
    ...base,
    target: `launch:${i + 1}`,
    // The watch itself names it: capacity that goes and comes back makes no second machine.
    slot: policy.createdAt,
    name: best ? `${best.typeName} in ${best.region}` : params.typeNames.join(" or "),
    act: "launch" as const,
    dueAt: best?.since ?? now,
    hold,
    why: best ? `Listed at ${formatUsdRate(best.priceMicros)}.` : "Waits for capacity.",
    priceMicros: best?.priceMicros ?? null,
    launch: { typeName: best?.typeName ?? null, region: best?.region ?? null, templateId },
  }));
}

function holdOfOffers(wanted: readonly { priceMicros: bigint | null }[]): Hold {
  if (wanted.length === 0) return "no_capacity";
  return wanted.some(({ priceMicros }) => priceMicros !== null) ? "too_dear" : "no_price";
}
