import { z } from "zod";
import type { Workload } from "@/lib/domain/fleet/workloads";
import { type Decimal, parseDecimal } from "./decimal";
import { type Micros, splitByLargestRemainder, sum } from "./money";
import { costPerUnit } from "./unit-cost";

export const UNIT_DIMENSIONS = ["workload", "model", "team"] as const;
export const UnitsQuestion = z.object({
  days: z.coerce
    .number()
    .pipe(z.union([z.literal(7), z.literal(30), z.literal(90)]))
    .catch(30)
    .default(30),
  by: z.enum(UNIT_DIMENSIONS).catch("workload").default("workload"),
});
export type UnitsQuestion = z.output<typeof UnitsQuestion>;

/** What programs count; prompt tokens are counted beside those that came out. */
export const UNITS = ["tasks", "tokens", "promptTokens", "samples", "epochs"] as const;
export type Unit = (typeof UNITS)[number];
export type Units = Partial<Record<Unit, number>>;

/** A run, or what a machine did without one: its money in the window and what it made for it. */
export type Work = {
  id: string;
  workload: Workload;
  team: string;
  /** Null: nothing of it is known. */
  costMicros: Micros | null;
  gpuMinutes: number;
  /** Counted by model; "" where no label names one. */
  made: ReadonlyMap<string, Units>;
};

export type UnitGroup = {
  key: string;
  works: number;
  gpuMinutes: number;
  costMicros: Micros;
  /** Works whose money is not known: their units are in no price. */
  unknown: number;
  units: Units;
  prices: UnitPrices;
};

/** Micro-dollars; null: none were made, so no unit has a price. */
export type UnitPrices = {
  perThousandTasks: Micros | null;
  perMillionTokens: Micros | null;
  perMillionAllTokens: Micros | null;
  perThousandSamples: Micros | null;
  perEpoch: Micros | null;
  perWork: Micros | null;
};

type Share = { key: string; work: Work; costMicros: Micros | null; gpuMinutes: number; units: Units };

/**
 * Adds works up by a dimension. A price of a unit is the money of those works that counted it by what they counted: a service that
 * tells no tokens makes no tokens dearer.
 */
export function groupUnits(works: readonly Work[], by: UnitsQuestion["by"]): UnitGroup[] {
  const shares = works.flatMap((work) => sharesOf(work, by));
  const keys = [...new Set(shares.map(({ key }) => key))];
  return keys
    .map((key) =>
      groupOf(
        key,
        shares.filter((share) => share.key === key),
      ),
    )
    .sort((a, b) => (a.costMicros === b.costMicros ? (a.key < b.key ? -1 : 1) : a.costMicros > b.costMicros ? -1 : 1));
}

/** By model, a work of several is split by the tokens of each, else by its tasks, else evenly. */
function sharesOf(work: Work, by: UnitsQuestion["by"]): Share[] {
  const whole = { work, costMicros: work.costMicros, gpuMinutes: work.gpuMinutes };
  if (by !== "model")
    return [{ ...whole, key: by === "team" ? work.team : work.workload, units: addUnits([...work.made.values()]) }];
  const models = [...work.made].filter(([model]) => model !== "");
  if (models.length === 0) return [{ ...whole, key: "", units: addUnits([...work.made.values()]) }];
  const weightBy = (["tokens", "tasks", "samples"] as const).find((unit) =>
    models.some(([, made]) => (made[unit] ?? 0) >= 1),
  );
  const weights = Object.fromEntries(
    models.map(([model, made]) => [model, weightBy === undefined ? 1n : BigInt(Math.round(made[weightBy] ?? 0))]),
  );
  const total = Number(sum(Object.values(weights)));
  const parts = work.costMicros === null ? null : splitByLargestRemainder(work.costMicros, weights);
  return models.map(([model, units]) => ({
    key: model,
    work,
    costMicros: parts === null ? null : (parts[model] ?? 0n),
    gpuMinutes: (work.gpuMinutes * Number(weights[model] ?? 0n)) / total,
    units,
  }));
}

function groupOf(key: string, shares: readonly Share[]): UnitGroup {
  const known = shares.filter(({ costMicros }) => costMicros !== null);
  const cost = (some: readonly Share[]) => sum(some.map(({ costMicros }) => costMicros ?? 0n));
  const price = (per: bigint, of: (units: Units) => number | undefined) => {
    const counting = known.filter(({ units }) => (of(units) ?? 0) > 0);
    return costPerUnit(
      cost(counting),
      countOf(counting.reduce((total, { units }) => total + (of(units) ?? 0), 0)),
      per,
    );
  };
  return {
    key,
    works: new Set(shares.map(({ work }) => work.id)).size,
    gpuMinutes: shares.reduce((total, share) => total + share.gpuMinutes, 0),
    costMicros: cost(known),
    unknown: new Set(shares.filter(({ costMicros }) => costMicros === null).map(({ work }) => work.id)).size,
    units: addUnits(shares.map(({ units }) => units)),
    prices: {
      perThousandTasks: price(1_000n, ({ tasks }) => tasks),
      perMillionTokens: price(1_000_000n, ({ tokens }) => tokens),
      perMillionAllTokens: price(1_000_000n, ({ tokens, promptTokens }) =>
        promptTokens === undefined ? undefined : (tokens ?? 0) + promptTokens,
      ),
      perThousandSamples: price(1_000n, ({ samples }) => samples),
      perEpoch: price(1n, ({ epochs }) => epochs),
      perWork: costPerUnit(cost(known), countOf(new Set(known.map(({ work }) => work.id)).size)),
    },
  };
}

/** Counters are numbers of programs; to three digits they are what can be divided by. */
function countOf(count: number): Decimal {
  return parseDecimal(Math.max(0, count).toFixed(3));
}

function addUnits(all: readonly Units[]): Units {
  const total: Units = {};
  for (const unit of UNITS) {
    const counted = all.flatMap((units) => (units[unit] === undefined ? [] : [units[unit]]));
    if (counted.length > 0) total[unit] = counted.reduce((sum, one) => sum + one, 0);
  }
  return total;
}

/** How far what a run cost lies from what was expected at its beginning; within ± 10 % it was a good estimate. */
export function estimateOf(estimateMicros: Micros, actualMicros: Micros): { offPct: number; isGood: boolean } | null {
  if (estimateMicros <= 0n) return null;
  const offPct = Number(((actualMicros - estimateMicros) * 10_000n) / estimateMicros) / 100;
  return { offPct, isGood: Math.abs(offPct) <= 10 };
}

export type UnitsAnswer = {
  now: number;
  zone: string;
  days: UnitsQuestion["days"];
  by: UnitsQuestion["by"];
  from: number;
  to: number;
  groups: (Omit<UnitGroup, "costMicros" | "prices"> & {
    costMicros: string;
    prices: Record<keyof UnitPrices, string | null>;
  })[];
  total: { works: number; gpuMinutes: number; costMicros: string; unknown: number };
  /** Money of machines in the window, and how much of it the works above are. */
  fleetMicros: string;
  /** Runs that were planned and are over, the newest first. */
  estimates: {
    runId: string;
    name: string;
    workload: Workload;
    endedAt: number;
    estimateMicros: string;
    actualMicros: string;
    offPct: number;
    isGood: boolean;
  }[];
  /** Of all planned runs that ended in the window. */
  estimated: { runs: number; good: number };
};
