import type { Decimal } from "@/lib/domain/cost/decimal";
import { type Micros, roundHalfAway } from "@/lib/domain/cost/money";

/** What is left to pay of a cost where a share of it, in per cent, is saved: a run that ends early. */
export function costAfterSaving(baseMicros: Micros, savedPct: Decimal): Micros {
  const { numerator, denominator } = savedPct;
  return roundHalfAway(baseMicros * (100n * denominator - numerator), 100n * denominator);
}
