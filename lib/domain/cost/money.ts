/** Micro-dollars: 1 USD = 1,000,000. How they are written for people is in `@/lib/domain/format`. */
export type Micros = bigint;

export const MICROS_PER_CENT = 10_000n;

/** Integer quotient, half away from zero. Throws a RangeError for a denominator that is not positive. */
export function roundHalfAway(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError("The denominator must be positive");
  const size = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * size + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
}

/** R7: cents of an exact total. */
export function centsOf(micros: Micros): bigint {
  return roundHalfAway(micros, MICROS_PER_CENT);
}

export function sum(amounts: Iterable<bigint>): bigint {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
}

/**
 * R6: parts that add up to the total exactly; what is left over goes to the larger remainder, then to the smaller key.
 * Weights are not negative; all zero throws a RangeError unless there is nothing to split.
 */
export function splitByLargestRemainder(
  total: bigint,
  weights: Readonly<Record<string, bigint>>,
): Record<string, bigint> {
  if (total < 0n) return mapValues(splitByLargestRemainder(-total, weights), (part) => -part);
  const weight = sum(Object.values(weights));
  if (Object.values(weights).some((one) => one < 0n)) throw new RangeError("A weight is negative");
  if (weight === 0n && total !== 0n) throw new RangeError("There is nobody to bear the amount");
  return apportion(
    total,
    mapValues(weights, (one) => total * one),
    weight === 0n ? 1n : weight,
  );
}

/** R7, C65: lines in cents that add up to the cents of the exact total. Signs may be mixed. */
export function displayLines(lines: Readonly<Record<string, Micros>>): {
  lineCents: Record<string, bigint>;
  totalCents: bigint;
} {
  const totalCents = centsOf(sum(Object.values(lines)));
  return { lineCents: apportion(totalCents, lines, MICROS_PER_CENT), totalCents };
}

/** Rounds each numerator ÷ denominator down, and hands the units that are then missing to the largest fractions. */
export function apportion(
  total: bigint,
  numerators: Readonly<Record<string, bigint>>,
  denominator: bigint,
): Record<string, bigint> {
  const parts = Object.entries(numerators).map(([key, numerator]) => {
    const remainder = ((numerator % denominator) + denominator) % denominator;
    return { key, units: (numerator - remainder) / denominator, remainder };
  });
  let missing = total - sum(parts.map(({ units }) => units));
  const byRemainder = [...parts].sort((a, b) =>
    a.remainder === b.remainder ? (a.key < b.key ? -1 : 1) : a.remainder > b.remainder ? -1 : 1,
  );
  for (const part of byRemainder) {
    if (missing <= 0n) break;
    part.units += 1n;
    missing -= 1n;
  }
  return Object.fromEntries(parts.map(({ key, units }) => [key, units]));
}

function mapValues(
  record: Readonly<Record<string, bigint>>,
  change: (value: bigint) => bigint,
): Record<string, bigint> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

/** A cost is reviewed when its bounds lie further apart than a dollar (cost model 3). */
export function needsReview(low: Micros, high: Micros): boolean {
  return high - low > 1_000_000n;
}
