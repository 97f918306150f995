import { groupBy } from "@/lib/domain/group";
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

/** A day's share of what was paid, on the rows that it covers by their minutes and on the minutes that nobody used: to the micro-dollar. */
export function splitByUse(
  micros: Micros,
  capacity: number,
  rows: readonly { key: string; minutes: number }[],
): { used: Map<string, Micros>; unusedMicros: Micros; unusedMinutes: number } {
  const used = rows.reduce((total, { minutes }) => total + minutes, 0);
  const unusedMinutes = Math.max(0, capacity - used);
  if (used + unusedMinutes === 0)
    return { used: new Map(rows.map(({ key }) => [key, 0n])), unusedMicros: micros, unusedMinutes };
  const weights = Object.fromEntries([
    ...rows.map(({ key, minutes }) => [key, BigInt(minutes)]),
    ["", BigInt(unusedMinutes)],
  ]);
  const { "": unusedMicros = 0n, ...parts } = splitByLargestRemainder(micros, weights);
  return { used: new Map(Object.entries(parts)), unusedMicros, unusedMinutes };
}

export type CoveredRow = {
  key: string;
  /** The machine and who pays for it: what is corrected together. */
  slot: string;
  minutes: number;
  /** As billed: at the commitment's rate. */
  micros: Micros;
  effectiveMicros: Micros | null;
  /** It cannot change any more. */
  isClosed: boolean;
};

/**
 * What a day of a commitment costs in effect: on each row that may still change, and on what nobody used. The shares of all rows,
 * also of those that stay as they are, and what is unused add up to what of the payments falls to the day, to the micro-dollar.
 */
export function settleDay(
  micros: Micros,
  capacity: number,
  rows: readonly CoveredRow[],
): { effective: Map<string, Micros>; unusedMicros: Micros; unusedMinutes: number } {
  const slots = [...groupBy(rows, ({ slot }) => slot)].map(([key, own]) => ({
    key,
    own,
    minutes: own.reduce((all, row) => all + row.minutes, 0),
  }));
  const { used, unusedMinutes } = splitByUse(
    micros,
    capacity,
    slots.map(({ key, minutes }) => ({ key, minutes: Math.max(0, minutes) })),
  );
  const effective = new Map<string, Micros>();
  let shared = 0n;
  for (const { key, own } of slots) {
    const share = used.get(key) ?? 0n;
    const closed = own.filter(({ isClosed }) => isClosed);
    const open = own.filter(({ isClosed }) => !isClosed);
    const booked = sum(closed.map((row) => (row.effectiveMicros ?? row.micros) - row.micros));
    const parts = splitByUse(open.length > 0 ? share - booked : 0n, 0, weighed(open, closed.length > 0));
    for (const row of open) effective.set(row.key, row.micros + (parts.used.get(row.key) ?? 0n));
    shared += open.length > 0 ? share : booked;
  }
  return { effective, unusedMicros: micros - shared, unusedMinutes };
}

/** Rows share by their minutes; a correction, whose minutes may be less than none, takes the difference whole. */
function weighed(open: readonly CoveredRow[], isCorrection: boolean): { key: string; minutes: number }[] {
  const isPlain = !isCorrection && open.some(({ minutes }) => minutes > 0);
  return open.map(({ key, minutes }, i) => ({ key, minutes: isPlain ? Math.max(0, minutes) : i === 0 ? 1 : 0 }));
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
