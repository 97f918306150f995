import type { AlertTarget } from "@/lib/db/alerts/episodes";
import { idleMicrosOn } from "@/lib/db/alerts/readings";
import type { AlertRule } from "@/lib/db/alerts/rules";
import { listPriceChanges, type PriceEvent } from "@/lib/db/cost/prices";
import { listUnattached } from "@/lib/db/cost/waste";
import { selects } from "@/lib/domain/alerts/rules";
import { dayOf } from "@/lib/domain/cost/zone";
import { groupBy } from "@/lib/domain/group";
import { recentAnomalies } from "@/lib/services/cost/anomalies";
import { budgetStates } from "@/lib/services/cost/budgets";
import type { Evidence } from "./evidence";
import { asTarget, isBilled, type Judged, onMachine, plain } from "./readings";

const DAY_MS = 24 * 3_600_000;
/** A change of price is told for a day, and known for a week, so that its alert ends as any other. */
const PRICE_NEWS_MS = DAY_MS;
const PRICE_MEMORY_MS = 7 * DAY_MS;

const FLEET: AlertTarget = { key: "fleet", name: "Fleet", resourceId: null, gpuId: null };

/** Rules about money, from the same figures that pages show. */
export async function moneyTargets(rule: AlertRule, evidence: Evidence): Promise<Judged[]> {
  const { slot, zone } = evidence;
  const at = new Date(slot);
  switch (rule.metric) {
    case "spendTodayUsd":
      return [alone(evidence, FLEET, usd((await evidence.spentToday()).micros))];
    case "burnUsdPerHour": {
      const machines = await evidence.machines();
      const rates = [...machines.values()]
        .filter((machine) => isBilled(machine) && !machine.isGone && selects(rule.selector, asTarget(machine)))
        .map(({ priceMicros }) => priceMicros ?? 0n);
      return [alone(evidence, FLEET, usd(rates.reduce((total, rate) => total + rate, 0n)))];
    }
    case "budgetSpentPct":
    case "budgetForecastPct":
    case "budgetBurnPct":
      return budgetTargets(rule, evidence);
    case "anomalyUsd": {
      const anomalies = await evidence.once("anomalies", () => recentAnomalies(at));
      return anomalies.map((one) =>
        alone(
          evidence,
          { key: `anomaly:${one.scope}:${one.day}`, name: `${one.name}, ${one.day}`, resourceId: null, gpuId: null },
          usd(BigInt(one.surplusMicros)),
        ),
      );
    }
    case "priceRisePct":
    case "priceChangePct": {
      const changes = await evidence.once("prices", () => listPriceChanges(new Date(slot - PRICE_MEMORY_MS), at));
      const ofOne = groupBy(changes, ({ sku, region, tier }) => `price:${sku}:${region}:${tier}`);
      return [...ofOne].map(([key, own]) => {
        const pct = changeOfDay(own, slot - PRICE_NEWS_MS);
        const [{ sku, region } = { sku: key, region: "*" }] = own;
        const name = region === "*" ? sku : `${sku} in ${region}`;
        const value = rule.metric === "priceRisePct" ? Math.max(0, pct) : Math.abs(pct);
        return alone(evidence, { key, name, resourceId: null, gpuId: null }, value);
      });
    }
    case "orphanedMs": {
      const unattached = await evidence.once("unattached", listUnattached);
      return unattached.map((one) =>
        alone(
          evidence,
          { key: `storage:${one.resourceId}`, name: one.name, resourceId: null, gpuId: null },
          slot - one.since.getTime(),
        ),
      );
    }
    case "emptyMs":
    case "heldMs": {
      const kind = rule.metric === "emptyMs" ? "empty" : "held";
      return billedMachines(rule, evidence, (machine) =>
        machine.idleSince !== null && machine.idleKind === kind ? slot - machine.idleSince.getTime() : 0,
      );
    }
    case "idleUsdToday": {
      const idle = await evidence.once("idle", () => idleMicrosOn(dayOf(slot, zone)));
      return billedMachines(rule, evidence, ({ id }) => usd(idle.get(id) ?? 0n));
    }
    default:
      return [];
  }
}

/** By how much a price differs from what it was at an instant, in per cent; several changes since count together. */
function changeOfDay(newestFirst: readonly PriceEvent[], since: number): number {
  const news = newestFirst.filter((change) => change.at.getTime() > since);
  const [newest, oldest] = [news[0], news.at(-1)];
  if (!newest || !oldest || oldest.beforeMicros <= 0n) return 0;
  // In whole millionths of a per cent: 2.10 is 5 % above 2.00, and not a hair more.
  return Number(((newest.micros - oldest.beforeMicros) * 100_000_000n) / oldest.beforeMicros) / 1e6;
}

async function budgetTargets(rule: AlertRule, evidence: Evidence): Promise<Judged[]> {
  const states = await evidence.once("budgets", () => budgetStates(new Date(evidence.slot)));
  return states
    .filter(({ id }) => rule.budgetId === null || rule.budgetId === id)
    .flatMap((state): Judged[] => {
      const value =
        rule.metric === "budgetSpentPct"
          ? state.actualPct
          : rule.metric === "budgetForecastPct"
            ? state.forecastPct
            : state.burnPct;
      if (value === null) return [];
      return [alone(evidence, { key: `budget:${state.id}`, name: state.name, resourceId: null, gpuId: null }, value)];
    });
}

async function billedMachines(
  rule: AlertRule,
  evidence: Evidence,
  value: (machine: Parameters<typeof onMachine>[0]) => number,
): Promise<Judged[]> {
  const machines = await evidence.machines();
  return [...machines.values()]
    .filter((machine) => selects(rule.selector, asTarget(machine)))
    .map((machine) => onMachine(machine, evidence, isBilled(machine) ? value(machine) : 0));
}

/** A target that is no machine; when nothing is heard of it any more, its alert ends. */
function alone(evidence: Evidence, target: AlertTarget, value: number): Judged {
  return { ...plain(evidence, value), target, machine: null, endsAfterMs: 0 };
}

function usd(micros: bigint): number {
  return Number(micros) / 1e6;
}
