import { type Micros, roundHalfAway } from "./money";

/** What a price per hour has burned between two instants (a page’s clock has fractions), to the micro-dollar; null: the price or the beginning is not known. */
export function burnedMicros(microsPerHour: Micros | null, from: number | null, to: number): Micros | null {
  if (microsPerHour === null || from === null) return null;
  return roundHalfAway(microsPerHour * BigInt(Math.max(0, Math.trunc(to - from))), 3_600_000n);
}
