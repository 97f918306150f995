import { type Micros, roundHalfAway } from "@/lib/domain/cost/money";

const MINUTE_MS = 60_000;
/** A machine is paid for from the moment it is active; a run written down with its launch begins before. */
const BOOT_MINUTES = 15;

/** What is used of a row of the ledger: whole minutes of one machine and what they cost. Null: no price is known. */
export type PaidMinutes = {
  startsAt: number;
  minutes: number;
  micros: Micros | null;
  lowMicros: Micros | null;
  highMicros: Micros | null;
};

/** Which part of a machine a run holds: some of its GPUs, or all of it. */
export type GpuShare = { held: number; of: number };

export type RunCost = {
  /** Minutes of the machine that were paid for while the run went on. */
  minutes: number;
  /** Of them, those whose price is not known: their money is missing from the three below. */
  unpricedMinutes: number;
  micros: Micros;
  lowMicros: Micros;
  highMicros: Micros;
};

/**
 * What a run cost: the minutes of its machine's ledger that begin within [from, to), each at its row's price, times its share of
 * the GPUs. Exact fractions, rounded once, so that runs that share a machine's whole time add up to what the machine cost.
 */
export function runCost(rows: readonly PaidMinutes[], from: number, to: number, share: GpuShare): RunCost {
  const best = new Fraction();
  const low = new Fraction();
  const high = new Fraction();
  let minutes = 0;
  let unpricedMinutes = 0;
  for (const row of rows) {
    const within = minutesWithin(row, from, to);
    const isDoubt = row.minutes === 0 && row.startsAt >= from && row.startsAt < to;
    if (within === 0 && !isDoubt) continue;
    minutes += within;
    if (row.micros === null) {
      unpricedMinutes += within;
      continue;
    }
    // A row of no minutes is one that may have been: it belongs whole to whoever held the machine then.
    const part = isDoubt ? { count: 1n, of: 1n } : { count: BigInt(within), of: BigInt(row.minutes) };
    const numerator = part.count * BigInt(share.held);
    const denominator = part.of * BigInt(share.of);
    best.add(row.micros * numerator, denominator);
    low.add((row.lowMicros ?? row.micros) * numerator, denominator);
    high.add((row.highMicros ?? row.micros) * numerator, denominator);
  }
  return { minutes, unpricedMinutes, micros: best.rounded(), lowMicros: low.rounded(), highMicros: high.rounded() };
}

/** Minute k of a row begins at its start + k minutes; it belongs to whoever holds the machine at that instant. */
export function minutesWithin(
  { startsAt, minutes }: Pick<PaidMinutes, "startsAt" | "minutes">,
  from: number,
  to: number,
): number {
  const index = (at: number) => Math.min(minutes, Math.max(0, Math.ceil((at - startsAt) / MINUTE_MS)));
  return Math.max(0, index(to) - index(from));
}

/**
 * Minutes of a run before the ledger of its machine begins: what they cost nobody here knows. A machine's
 * own start is none of them.
 */
export function minutesBefore(billedFrom: number | null, from: number, to: number): number {
  if (billedFrom === null) return 0;
  const minutes = Math.floor((Math.min(to, billedFrom) - from) / MINUTE_MS);
  return minutes > BOOT_MINUTES ? minutes : 0;
}

/** What the time that is left costs at the price of now; null: no price is known, or nobody said how long it takes. */
export function costToCome(leftMs: number | null, microsPerHour: Micros | null, share: GpuShare): Micros | null {
  if (leftMs === null || microsPerHour === null) return null;
  const minutes = BigInt(Math.ceil(leftMs / MINUTE_MS));
  return roundHalfAway(microsPerHour * minutes * BigInt(share.held), 60n * BigInt(share.of));
}

/** The price of an hour of that part of the machine. */
export function shareOf(microsPerHour: Micros, share: GpuShare): Micros {
  return roundHalfAway(microsPerHour * BigInt(share.held), BigInt(share.of));
}

/** What `per` units cost; null: none were made, so no unit has a price. */
export function unitCost(cost: Micros, units: number | null, per: number): Micros | null {
  if (units === null || !(units >= 1) || !Number.isSafeInteger(Math.round(units))) return null;
  return roundHalfAway(cost * BigInt(per), BigInt(Math.round(units)));
}

/** A sum of exact fractions. */
class Fraction {
  #numerator = 0n;
  #denominator = 1n;

  add(numerator: bigint, denominator: bigint): void {
    if (denominator <= 0n) throw new RangeError("A machine has at least one GPU");
    const divisor = gcd(this.#denominator, denominator);
    const whole = (this.#denominator / divisor) * denominator;
    this.#numerator = this.#numerator * (whole / this.#denominator) + numerator * (whole / denominator);
    this.#denominator = whole;
  }

  rounded(): bigint {
    return roundHalfAway(this.#numerator, this.#denominator);
  }
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
