import type { Decimal } from "./decimal";
import { type Micros, roundHalfAway } from "./money";

/** What so many units cost each, or each `per` of them; null where there are none: no price is said of nothing. */
export function costPerUnit(costMicros: Micros, units: Decimal, per = 1n): Micros | null {
  if (units.numerator <= 0n) return null;
  return roundHalfAway(costMicros * per * units.denominator, units.numerator);
}

/** What `per` units cost at a price per hour and a rate per second (C51); null where nothing comes out. */
export function costAtThroughput(microsPerHour: Micros, unitsPerSecond: Decimal, per = 1n): Micros | null {
  return costPerUnit(microsPerHour, { ...unitsPerSecond, numerator: unitsPerSecond.numerator * 3_600n }, per);
}

/** What a duration costs at a price per hour, rounded once. */
export function costOfMinutes(minutes: Decimal, microsPerHour: Micros): Micros {
  return roundHalfAway(microsPerHour * minutes.numerator, 60n * minutes.denominator);
}
