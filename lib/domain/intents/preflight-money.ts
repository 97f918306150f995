import { isFleet, type ScopeKey } from "@/lib/domain/cost/scope";
import { formatCount, formatUsdRate } from "@/lib/domain/format";
import { formatDay } from "@/lib/domain/format-time";
import {
  type Check,
  finding,
  type IdleMachine,
  type LaunchBudget,
  type LaunchChoice,
  type LaunchOffers,
  type Offer,
} from "./offers";

const HOUR_MS = 3_600_000n;

/** When a budget is reached at a rate; null: not in its period. */
export function budgetReachedAt(
  budget: Pick<LaunchBudget, "micros" | "spentMicros" | "to">,
  microsPerHour: bigint,
  now: number,
): number | null {
  const rest = BigInt(budget.micros) - BigInt(budget.spentMicros);
  if (rest <= 0n) return now;
  if (microsPerHour <= 0n) return null;
  const at = now + Number((rest * HOUR_MS) / microsPerHour);
  return at <= budget.to ? at : null;
}

/** What all machines of this launch cost per hour; null: the price is not known. */
export function launchMicrosPerHour(choice: Pick<LaunchChoice, "count">, offer: Offer | undefined): bigint | null {
  return offer?.priceMicros == null ? null : BigInt(offer.priceMicros) * BigInt(choice.count);
}

export type Headroom = { budget: LaunchBudget; withIt: number | null; without: number | null };

/** The budgets that this launch would count into, with when each is gone; the one that is gone first comes first. */
export function headroom(choice: LaunchChoice, offer: Offer, offers: LaunchOffers): Headroom[] {
  const micros = launchMicrosPerHour(choice, offer) ?? 0n;
  const own: Partial<Record<ScopeKey, string>> = {
    team: choice.team,
    project: choice.project,
    environment: choice.environment,
    costCenter: choice.costCenter,
    type: choice.typeName,
    region: choice.region,
  };
  return offers.budgets
    .filter(({ selector }) =>
      Object.entries(selector).every(
        ([key, value]) => value === undefined || key === "connection" || own[key as ScopeKey] === value,
      ),
    )
    .map((budget) => {
      const rate = BigInt(budget.microsPerHour);
      return {
        budget,
        withIt: budgetReachedAt(budget, rate + micros, offers.now),
        without: budgetReachedAt(budget, rate, offers.now),
      };
    })
    .sort((a, b) => (a.withIt ?? Number.POSITIVE_INFINITY) - (b.withIt ?? Number.POSITIVE_INFINITY));
}

export function budgetCheck(choice: LaunchChoice, offer: Offer, offers: LaunchOffers): Check[] {
  const key = "budget";
  if (offer.priceMicros === null) return [];
  const [first] = headroom(choice, offer, offers);
  if (first === undefined) return [];
  const { budget, withIt, without } = first;
  const called = isFleet(budget.selector) ? "the budget" : `the budget of ${budget.name}`;
  if (withIt === null)
    return [{ key, level: "pass", title: "Within the budget", detail: "At the rate of now with this launch." }];
  const day = (at: number) => formatDay(at, offers.zone);
  return [
    finding(key, offers, {
      title:
        withIt <= offers.now
          ? `${called.charAt(0).toUpperCase()}${called.slice(1)} is used up`
          : `Passes ${called} on ${day(withIt)}`,
      detail:
        without === null
          ? "Without this launch: not in its period."
          : without <= offers.now
            ? "It was before this launch."
            : `Without this launch: on ${day(without)}.`,
    }),
  ];
}

/** Whether an idle machine could do what this one is for. */
function isAlike(machine: IdleMachine, choice: LaunchChoice): boolean {
  if (machine.typeName !== choice.typeName) return false;
  if (choice.purpose && machine.purpose) return machine.purpose.toLowerCase() === choice.purpose.toLowerCase();
  if (choice.project && machine.project) return machine.project === choice.project;
  return choice.team === "" || machine.team === choice.team;
}

const NAMED = 5;

/** Machines of the same kind and purpose that stand idle and are paid for. */
export function reuseCheck(choice: LaunchChoice, offer: Offer, offers: LaunchOffers): Check {
  const key = "reuse";
  const alike = offers.idle.filter((machine) => isAlike(machine, choice));
  if (alike.length === 0)
    return { key, level: "pass", title: "Nothing like it stands idle", detail: "No machine to take instead." };
  const model = offer.gpuModel ?? offer.typeName;
  const micros = offer.priceMicros === null ? null : BigInt(offer.priceMicros) * BigInt(alike.length);
  return finding(key, offers, {
    title: `${alike.length === 1 ? `A ${model} is` : `${formatCount(alike.length, model)} are`} under 5 % now: reuse ${alike.length === 1 ? "it" : "one"}?`,
    detail: `Idle${choice.team ? ` for ${choice.purpose || choice.project || choice.team}` : ""}${micros === null ? "" : `, at ${formatUsdRate(micros)}`}.`,
    instances: alike.slice(0, NAMED).map(({ id, name }) => ({ id, name })),
  });
}
