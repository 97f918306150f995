import { formatUsdRate } from "@/lib/domain/format";
import type { Micros } from "./money";

/** Days of history before a scope is judged at all, and how many of them count. */
export const ANOMALY_HISTORY_MIN = 13;
const WINDOW_DAYS = 28;
const SCORE_MIN = 3.5;
const MAD_TO_SIGMA = 1.4826;
const FLOOR_MICROS = 1_000_000;

/** A finished day, or the part of today that is over, in one scope. */
export type DaySpend = {
  day: string;
  actualMicros: Micros;
  /** What the fleet that ran when the day began costs in a whole day. */
  stateMicros: Micros;
  /** Of the actual: what no machine and no storage made, such as a fee. No state explains it. */
  otherMicros: Micros;
};

export type Judgement = {
  day: string;
  expectedMicros: Micros;
  actualMicros: Micros;
  surplusMicros: Micros;
  score: number;
};

/**
 * What a day should have cost: what the state at its beginning explains, and of what no state explains the usual, the median
 * of the last 28 days of its weekday or, of fewer than four, of all of them.
 */
export function expectedOf(day: DaySpend, before: readonly DaySpend[]): Micros {
  const last = before.slice(-WINDOW_DAYS);
  const weekday = weekdayOf(day.day);
  const same = last.filter((one) => weekdayOf(one.day) === weekday);
  const usual = median((same.length >= 4 ? same : last).map((one) => Number(one.otherMicros)));
  return day.stateMicros + BigInt(Math.round(usual));
}

/**
 * Says of the days, which follow each other, which stand out, from the 14th on: the modified z-score of what came unexpected,
 * by the days before it alone, at least `minMicros` of it. The floor keeps a fleet that never changes from being all alarm.
 */
export function findAnomalies(days: readonly DaySpend[], minMicros: Micros): Judgement[] {
  const expected = days.map((day, i) => expectedOf(day, days.slice(0, i)));
  const residuals = days.map((day, i) => Number(day.actualMicros - (expected[i] ?? 0n)));
  return days.flatMap((day, i) => {
    if (i < ANOMALY_HISTORY_MIN) return [];
    const history = residuals.slice(Math.max(0, i - WINDOW_DAYS), i);
    const expectedMicros = expected[i] ?? 0n;
    const score = scoreOf(residuals[i] ?? 0, history, Number(expectedMicros));
    const surplusMicros = day.actualMicros - expectedMicros;
    if (score < SCORE_MIN || surplusMicros < minMicros) return [];
    return [{ day: day.day, expectedMicros, actualMicros: day.actualMicros, surplusMicros, score }];
  });
}

function scoreOf(residual: number, history: readonly number[], expected: number): number {
  const middle = median(history);
  const mad = median(history.map((one) => Math.abs(one - middle)));
  return (residual - middle) / Math.max(MAD_TO_SIGMA * mad, 0.02 * expected, FLOOR_MICROS);
}

/** The middle value; of none 0. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2;
}

/** 0 (Sunday) to 6 of a day's name. */
function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

export const CAUSE_DIMENSIONS = ["instance", "type", "region", "owner", "price"] as const;
export type CauseDimension = (typeof CAUSE_DIMENSIONS)[number];

export type Cause = {
  dimension: CauseDimension;
  key: string;
  /** Of an instance: its id here. */
  id: string | null;
  deltaMicros: Micros;
};

/** A row of the ledger of that day, beside what its resource's state at the beginning of the day explains of it. */
export type CausePart = {
  instance: string;
  resourceId: string | null;
  type: string;
  region: string;
  owner: string;
  actualMicros: Micros;
  expectedMicros: Micros;
  /** Where its price is not the one at the beginning of the day: both, and what the difference made. */
  price: { sku: string; beforeMicros: Micros; micros: Micros; deltaMicros: Micros } | null;
};

/** From the narrowest explanation to the widest. */
const BY_NARROWNESS: readonly CauseDimension[] = ["price", "instance", "type", "owner", "region"];
/** An explanation that makes this much of the surplus is the cause, however wide the others are. */
const MAIN_SHARE = 60n;

/** Of each dimension what grew most beyond the expected. The first is the cause: the narrowest that makes most of the surplus. */
export function causesOf(parts: readonly CausePart[], surplusMicros: Micros): Cause[] {
  const delta = (part: CausePart) => part.actualMicros - part.expectedMicros;
  const found = [
    largest("price", parts, ({ price }) => price && { key: priceWords(price), delta: price.deltaMicros }),
    largest("instance", parts, (part) => ({ key: part.instance, id: part.resourceId, delta: delta(part) })),
    largest("type", parts, (part) => ({ key: part.type, delta: delta(part) })),
    largest("owner", parts, (part) => ({ key: part.owner, delta: delta(part) })),
    largest("region", parts, (part) => ({ key: part.region, delta: delta(part) })),
  ].filter((cause) => cause !== null);
  const isMain = (cause: Cause) => 100n * cause.deltaMicros >= MAIN_SHARE * surplusMicros;
  return found.sort(
    (a, b) =>
      Number(isMain(b)) - Number(isMain(a)) ||
      (isMain(a)
        ? BY_NARROWNESS.indexOf(a.dimension) - BY_NARROWNESS.indexOf(b.dimension)
        : compare(b.deltaMicros, a.deltaMicros)),
  );
}

function priceWords({ sku, beforeMicros, micros }: NonNullable<CausePart["price"]>): string {
  return `${sku}, ${formatUsdRate(beforeMicros)} to ${formatUsdRate(micros)}`;
}

function largest(
  dimension: CauseDimension,
  parts: readonly CausePart[],
  of: (part: CausePart) => { key: string; id?: string | null; delta: Micros } | null,
): Cause | null {
  const byKey = new Map<string, Cause>();
  for (const part of parts) {
    const one = of(part);
    if (one === null) continue;
    const known = byKey.get(one.key);
    if (known) known.deltaMicros += one.delta;
    else byKey.set(one.key, { dimension, key: one.key, id: one.id ?? null, deltaMicros: one.delta });
  }
  const [first] = [...byKey.values()].sort((a, b) => compare(b.deltaMicros, a.deltaMicros) || (a.key < b.key ? -1 : 1));
  return first && first.deltaMicros > 0n ? first : null;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** By its money: what a day of it would cost more in a month. */
export function severityOf(surplusMicros: Micros, expectedMicros: Micros): "info" | "warning" | "critical" {
  if (surplusMicros >= 250_000_000n || (surplusMicros >= 100_000_000n && surplusMicros >= expectedMicros))
    return "critical";
  return surplusMicros >= 50_000_000n ? "warning" : "info";
}
