import { type Decimal, plus } from "@/lib/domain/cost/decimal";

export type PoolFit = {
  sumGb: Decimal;
  /** What the pools hold beyond the memory; zero where they fit. */
  overGb: Decimal;
  fits: boolean;
};

const NOTHING: Decimal = { numerator: 0n, denominator: 1n };

/** Whether memory pools fit into a GPU's memory, both in the same unit. */
export function fitPools(pools: readonly Decimal[], memoryGb: Decimal): PoolFit {
  const sumGb = pools.reduce(plus, NOTHING);
  const over = plus(sumGb, { ...memoryGb, numerator: -memoryGb.numerator });
  return { sumGb, overGb: over.numerator > 0n ? over : NOTHING, fits: over.numerator <= 0n };
}

/** A pool on the chart of a card: in MiB of what the card reports, x ÷ nominal, so that pools of the nominal size end at capacity. */
export type DrawnPool = {
  name: string;
  gb: number;
  fromMib: number;
  toMib: number;
  /** What of it exists, in GB. */
  existsGb: number;
};

/** The pools of one card, one on top of the other. Null where the card's nominal size is not known: nothing can be drawn to scale. */
export function drawPools(
  pools: readonly { name: string; gb: number }[],
  nominalGb: number | null,
  reportedMib: number | null,
): DrawnPool[] | null {
  if (nominalGb === null || reportedMib === null || nominalGb <= 0) return null;
  let from = 0;
  return pools.map(({ name, gb }) => {
    const start = from;
    from = Math.round((from + gb) * 1_000) / 1_000;
    const existsGb = Math.round(Math.max(0, Math.min(from, nominalGb) - start) * 1_000) / 1_000;
    return { name, gb, fromMib: (start / nominalGb) * reportedMib, toMib: (from / nominalGb) * reportedMib, existsGb };
  });
}

/** A share of a card in GB as it is sold: 85 % of a nominal 96 GB is 81.6 GB. */
export function nominalShareGb(percent: number, nominalGb: number): number {
  return Math.round(percent * nominalGb * 10) / 1_000;
}

/** More than this much of a card that no pool claims is worth a note. */
export const UNDER_SHARE = 0.05;

export type PoolSum = { sumGb: number; overGb: number; underGb: number; verdict: "fits" | "over" | "under" };

/** Whether declared pools fill a size: over it is wrong, more than 5 % under it is a note. */
export function judgePools(pools: readonly { gb: number }[], sizeGb: number): PoolSum {
  const thousandths = (gb: number) => ({ numerator: BigInt(Math.round(gb * 1_000)), denominator: 1_000n });
  const { sumGb, overGb, fits } = fitPools(
    pools.map(({ gb }) => thousandths(gb)),
    thousandths(sizeGb),
  );
  const number = ({ numerator, denominator }: Decimal) => Number((numerator * 1_000n) / denominator) / 1_000;
  const sum = number(sumGb);
  const under = Math.max(0, Math.round((sizeGb - sum) * 1_000) / 1_000);
  const verdict = !fits ? "over" : under > sizeGb * UNDER_SHARE ? "under" : "fits";
  return { sumGb: sum, overGb: number(overGb), underGb: under, verdict };
}

/** "60 + 40 + 30 + 11 = 141" */
export function sumText(pools: readonly { gb: number }[], sumGb: number): string {
  return pools.length < 2 ? String(sumGb) : `${pools.map(({ gb }) => gb).join(" + ")} = ${sumGb}`;
}

export type ProcessHeld = { name: string | null; usedMib: number | null };

export type PoolUse = { name: string; sizeMib: number; usedMib: number | null; freeMib: number | null };

/**
 * What lives in each pool, by the names of its processes. Null use: the pool names no process, or none of the list is known. A
 * process counts in the first pool that names it.
 */
export function poolUse(
  pools: readonly (DrawnPool & { processes: readonly string[] })[],
  held: readonly ProcessHeld[] | null,
  isNamed: (process: string, pattern: string) => boolean,
): PoolUse[] {
  const used = new Map<string, number>();
  for (const { name, usedMib } of held ?? []) {
    if (name === null || usedMib === null) continue;
    const home = pools.find(({ processes }) => processes.some((pattern) => isNamed(name, pattern)));
    if (home) used.set(home.name, (used.get(home.name) ?? 0) + usedMib);
  }
  return pools.map(({ name, fromMib, toMib, processes }) => {
    const sizeMib = toMib - fromMib;
    const usedMib = held === null || processes.length === 0 ? null : (used.get(name) ?? 0);
    return { name, sizeMib, usedMib, freeMib: usedMib === null ? null : sizeMib - usedMib };
  });
}
