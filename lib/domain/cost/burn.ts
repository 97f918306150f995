import { type Micros, roundHalfAway } from "./money";

/** What a price per hour has burned between two instants (a page’s clock has fractions), to the micro-dollar; null: the price or the beginning is not known. */
export function burnedMicros(microsPerHour: Micros | null, from: number | null, to: number): Micros | null {
  if (microsPerHour === null || from === null) return null;
  return roundHalfAway(microsPerHour * BigInt(Math.max(0, Math.trunc(to - from))), 3_600_000n);
}

/** A row of the ledger as a meter reads it: so many micro-dollars for the time from its start. */
export type MeteredSpell = { from: number; to: number; minutes: number; micros: Micros | null };

/** What a machine costs by the hour where the ledger has not come yet; `to`: it ended then, and nothing is burned after. */
export type Tail = { microsPerHour: Micros | null; to: number | null };

/**
 * What the ledger has a machine cost from one instant to another: whole rows by what they say, a part of one in proportion, and
 * what is not metered yet at the rate of now. A life's last minute is begun and paid in full, as in its row. Null: a price is unknown.
 */
export function burnedByLedger(rows: readonly MeteredSpell[], tail: Tail, from: number, to: number): Micros | null {
  let micros = 0n;
  let metered = Math.trunc(from);
  for (const row of rows) {
    const paidUntil = row.from + row.minutes * 60_000;
    const isLifesEnd = tail.to !== null && row.to >= tail.to && to >= row.to;
    const start = Math.max(Math.trunc(from), row.from);
    const end = isLifesEnd ? paidUntil : Math.min(Math.trunc(to), paidUntil);
    metered = Math.max(metered, paidUntil);
    if (end <= start) continue;
    if (row.micros === null) return null;
    micros += roundHalfAway(row.micros * BigInt(end - start), BigInt(paidUntil - row.from));
  }
  const end = Math.min(to, tail.to ?? to);
  if (end <= metered) return micros;
  const burned = burnedMicros(tail.microsPerHour, metered, end);
  return burned === null ? null : micros + burned;
}
