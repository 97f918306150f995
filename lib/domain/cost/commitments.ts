import { amortised, amortisedParts } from "./amortise";
import { type Micros, splitByLargestRemainder, sum } from "./money";
import type { Range } from "./zone";

const WEEK_MS = 7 * 86_400_000;
const MINUTE_MS = 60_000;

/** Capacity that is paid for whether it is used or not. */
export type Commitment = {
  id: string;
  /** How many instances at once. */
  count: number;
  from: number;
  to: number;
  upfrontMicros: Micros;
  /** Paid at the beginning of each week of the term; a last week that is not full is paid for in full. */
  weeklyMicros: Micros;
};

export type Payment = { at: number; part: "upfront" | "week"; micros: Micros; until: number };

/** What is paid, when, and for which part of the term. */
export function paymentsOf({ from, to, upfrontMicros, weeklyMicros }: Omit<Commitment, "id" | "count">): Payment[] {
  const payments: Payment[] = [];
  if (upfrontMicros > 0n) payments.push({ at: from, part: "upfront", micros: upfrontMicros, until: to });
  if (weeklyMicros > 0n)
    for (let at = from; at < to; at += WEEK_MS)
      payments.push({ at, part: "week", micros: weeklyMicros, until: Math.min(at + WEEK_MS, to) });
  return payments;
}

/** R6: what of all payments falls to a stretch of time. Stretches that follow each other add up to what was paid. */
export function amortisedWithin(commitment: Omit<Commitment, "id" | "count">, { from, to }: Range): Micros {
  return sum(
    paymentsOf(commitment).map(({ at, until, micros }) => {
      const begin = Math.max(from, at);
      const end = Math.min(to, until);
      if (begin >= end) return 0n;
      return amortised(micros, BigInt(until - at), { from: BigInt(begin - at), to: BigInt(end - at) });
    }),
  );
}

/** The minutes that it would cover within a stretch of time if all of it were used. */
export function capacityMinutes({ count, from, to }: Pick<Commitment, "count" | "from" | "to">, within: Range): number {
  const ms = Math.min(to, within.to) - Math.max(from, within.from);
  return ms <= 0 ? 0 : Math.ceil((count * ms) / MINUTE_MS);
}

/** A day's share of what was paid, on the rows that it covers by their minutes and on what nobody used: to the micro-dollar. */
export function splitByUse(
  micros: Micros,
  capacity: number,
  rows: readonly { key: string; minutes: number }[],
): { used: Map<string, Micros>; unusedMicros: Micros } {
  const used = rows.reduce((total, { minutes }) => total + minutes, 0);
  const unused = Math.max(0, capacity - used);
  if (used + unused === 0) return { used: new Map(rows.map(({ key }) => [key, 0n])), unusedMicros: micros };
  const weights = Object.fromEntries([...rows.map(({ key, minutes }) => [key, BigInt(minutes)]), ["", BigInt(unused)]]);
  const { "": unusedMicros = 0n, ...parts } = splitByLargestRemainder(micros, weights);
  return { used: new Map(Object.entries(parts)), unusedMicros };
}

export type LifeSpan = { id: string; from: number; to: number | null };

/** Which lives it covers, when: at each instant those that began first, as many as it pays for. Ties go to the smaller id. */
export function coverageOf(
  { count, from, to }: Pick<Commitment, "count" | "from" | "to">,
  lives: readonly LifeSpan[],
): Map<string, Range[]> {
  const end = (life: LifeSpan) => Math.min(to, life.to ?? to);
  const inTime = lives
    .filter((life) => life.from < to && end(life) > from && end(life) > life.from)
    .sort((a, b) => a.from - b.from || (a.id < b.id ? -1 : 1));
  const edges = [...new Set([from, ...inTime.flatMap((life) => [Math.max(from, life.from), end(life)])])]
    .filter((at) => at >= from && at <= to)
    .sort((a, b) => a - b);
  const covered = new Map<string, Range[]>();
  for (const [i, at] of edges.slice(0, -1).entries()) {
    const until = edges[i + 1] ?? to;
    for (const { id } of inTime.filter((life) => life.from <= at && end(life) > at).slice(0, count)) {
      const own = covered.get(id) ?? [];
      const last = own.at(-1);
      if (last?.to === at) last.to = until;
      else own.push({ from: at, to: until });
      covered.set(id, own);
    }
  }
  return covered;
}

/** An amount over whole days: equal parts by cumulative rounding. */
export function overDays(micros: Micros, days: number): Micros[] {
  const boundaries = Array.from({ length: days + 1 }, (_, i) => BigInt(i));
  return amortisedParts(micros, BigInt(days), boundaries);
}
