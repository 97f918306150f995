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
