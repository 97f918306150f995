import { type Micros, roundHalfAway } from "./money";

/** What of an amount paid for a term has been used up after so much of it (R6). Both in one unit, whichever: hours, minutes, milliseconds. */
export function amortisedUpTo(totalMicros: Micros, term: bigint, done: bigint): Micros {
  if (term <= 0n) throw new RangeError("A term must last");
  const within = done < 0n ? 0n : done > term ? term : done;
  return roundHalfAway(totalMicros * within, term);
}

/** What falls to the part [from, to) of a term. Parts that follow each other add up to the amount, to the micro-dollar. */
export function amortised(totalMicros: Micros, term: bigint, part: { from: bigint; to: bigint }): Micros {
  return amortisedUpTo(totalMicros, term, part.to) - amortisedUpTo(totalMicros, term, part.from);
}

/** The part of a term between each two neighbouring boundaries. */
export function amortisedParts(totalMicros: Micros, term: bigint, boundaries: readonly bigint[]): Micros[] {
  return boundaries.slice(1).map((to, i) => amortised(totalMicros, term, { from: boundaries[i] ?? to, to }));
}

/** How much of a part of the term was made use of, the rest was not: used + unused = the part exactly. Use beyond the part is another's. */
export function usedAndUnused(
  totalMicros: Micros,
  term: bigint,
  { from, to, used }: { from: bigint; to: bigint; used: bigint },
): { usedMicros: Micros; unusedMicros: Micros } {
  const until = used < 0n ? from : from + used > to ? to : from + used;
  return {
    usedMicros: amortised(totalMicros, term, { from, to: until }),
    unusedMicros: amortised(totalMicros, term, { from: until, to }),
  };
}
