import { dayOf, dayStarts, monthOf } from "./zone";

/** Half-open in epoch milliseconds; null: unbounded. */
export type Span = { from: number | null; to: number | null };

/** A row of the price book: micro-dollars per hour of an instance, or per GiB-month of storage. */
export type PriceInterval = Span & {
  priceId: number;
  micros: bigint;
  /** Last observation of the price before: the change lies between it and `from`. */
  prevSeenAt?: number | null;
  /** Where it is not certain which price was agreed on: the least and the most it may be. */
  lowMicros?: bigint;
  highMicros?: bigint;
  /** The list price beside it, where another one is billed; null: not known. */
  listMicros?: bigint | null;
  /** The commitment that covers these units. */
  commitmentId?: string;
};

/** Who pays, from when to when; where nobody is named, owner 0 ("uncategorised") does. */
export type OwnerInterval = Span & { ownerId: number };

export const UNCATEGORISED_OWNER = 0;

export type Bound = "low" | "best" | "high";

/** By what rows are kept apart; the ledger's grain is the accounting day. */
export type Grain = "day" | "month" | "total";

export type RowsInput = {
  /** Unit k of the life begins at from + k × unitMs (R2). */
  from: number;
  count: number;
  unitMs: number;
  /** Units that begin before are left out: the start of a day, for a life of which only the last days are open. */
  since?: number | undefined;
  prices: readonly PriceInterval[];
  owners: readonly OwnerInterval[];
  zone: string;
  grain: Grain;
  /** Which price holds where the instant of a change is not known. */
  bound: Bound;
  /** What is paid for in a unit that begins at an instant, and instants at which that changes. */
  weightAt: (at: number) => { weight: bigint | null; isFlagged: boolean };
  weightChanges: readonly number[];
};

export type Row = {
  /** Same run of the same price, owner and period, in each bound. */
  key: string;
  period: string;
  priceId: number | null;
  ownerId: number;
  startsAt: number;
  units: number;
  /** Σ weight; null: unknown somewhere. */
  weight: bigint | null;
  /** Σ price × weight, not yet divided nor rounded; null: unknown somewhere. */
  amount: bigint | null;
  /** The same at list price, where another price is billed. */
  listAmount?: bigint | null;
  commitmentId?: string;
  isFlagged: boolean;
};

/** R3, R4: each unit takes what is in force at its own start; runs of equal price, owner and period are one row. */
export function rowsOf(input: RowsInput): Row[] {
  const { from, unitMs, prices, zone, grain, bound } = input;
  const owners = joined(input.owners);
  const priceEdges = edges(prices);
  const ownerEdges = edges(owners);
  const doubts = bound === "best" ? [] : prices.flatMap(({ prevSeenAt }) => (prevSeenAt == null ? [] : [prevSeenAt]));
  const start = Math.max(from, input.since ?? from);
  const end = from + input.count * unitMs;
  const days = grain === "total" ? [] : dayStarts(start, end, zone);

  const rows = new Map<string, Row>();
  for (const run of runsOf(input, start, [...days, ...priceEdges, ...doubts, ...ownerEdges, ...input.weightChanges])) {
    const { at } = run;
    const period = periodOf(at, zone, grain);
    const key = `${period}/${segment(priceEdges, at)}/${segment(ownerEdges, at)}`;
    const { weight, isFlagged } = input.weightAt(at);
    const rate = rateAt(prices, at, bound);
    const units = BigInt(run.units);
    const amount = rate === null || weight === null ? null : rate * weight * units;
    const price = inForce(prices, at);
    const list = price?.listMicros;
    const listAmount = list === undefined ? undefined : list === null || weight === null ? null : list * weight * units;
    const row = rows.get(key);
    if (row) {
      row.units += run.units;
      row.weight = add(row.weight, weight === null ? null : weight * units);
      row.amount = add(row.amount, amount);
      if (listAmount !== undefined) row.listAmount = add(row.listAmount ?? null, listAmount);
      row.isFlagged ||= isFlagged;
    } else {
      rows.set(key, {
        key,
        period,
        priceId: price?.priceId ?? null,
        ownerId: inForce(owners, at)?.ownerId ?? UNCATEGORISED_OWNER,
        startsAt: at,
        units: run.units,
        weight: weight === null ? null : weight * units,
        amount,
        isFlagged,
        ...(listAmount !== undefined && { listAmount }),
        ...(price?.commitmentId !== undefined && { commitmentId: price.commitmentId }),
      });
    }
  }
  return [...rows.values()];
}

/** Cuts the units where a boundary falls: the first unit that begins at or after it is another's. */
function runsOf(
  { from, count, unitMs }: RowsInput,
  start: number,
  boundaries: readonly number[],
): { at: number; units: number }[] {
  const index = (at: number) => Math.min(count, Math.ceil((at - from) / unitMs));
  const first = index(start);
  const cuts = [...new Set([first, ...boundaries.map(index), count])]
    .filter((cut) => cut >= first)
    .sort((a, b) => a - b);
  return cuts.slice(0, -1).map((cut, i) => ({ at: from + cut * unitMs, units: (cuts[i + 1] ?? count) - cut }));
}

function periodOf(at: number, zone: string, grain: Grain): string {
  if (grain === "total") return "total";
  return grain === "day" ? dayOf(at, zone) : monthOf(at, zone);
}

/** The interval that holds an instant; null: none does. */
export function inForce<T extends Span>(intervals: readonly T[], at: number): T | null {
  return intervals.find(({ from, to }) => (from === null || from <= at) && (to === null || at < to)) ?? null;
}

/** A new price counts from its first observation; in doubt it may have held since the last one of the old (C19). */
function rateAt(prices: readonly PriceInterval[], at: number, bound: Bound): bigint | null {
  const price = inForce(prices, at);
  if (price === null || bound === "best") return price?.micros ?? null;
  let rate = (bound === "low" ? price.lowMicros : price.highMicros) ?? price.micros;
  for (const { from, micros, prevSeenAt } of prices) {
    const isPossible = prevSeenAt != null && from !== null && prevSeenAt <= at && at < from;
    if (isPossible && (bound === "low" ? micros < rate : micros > rate)) rate = micros;
  }
  return rate;
}

/** Neighbours of one owner are one interval: a label that changes something else does not split a row. */
function joined(owners: readonly OwnerInterval[]): OwnerInterval[] {
  const sorted = [...owners].sort(
    (a, b) => (a.from ?? Number.NEGATIVE_INFINITY) - (b.from ?? Number.NEGATIVE_INFINITY),
  );
  const result: OwnerInterval[] = [];
  for (const owner of sorted) {
    const last = result.at(-1);
    if (last && last.ownerId === owner.ownerId && last.to !== null && last.to === owner.from) last.to = owner.to;
    else result.push({ ...owner });
  }
  return result;
}

function edges(intervals: readonly Span[]): number[] {
  const all = intervals.flatMap(({ from, to }) => [from, to]).filter((at) => at !== null);
  return [...new Set(all)].sort((a, b) => a - b);
}

function segment(sorted: readonly number[], at: number): number {
  const next = sorted.findIndex((edge) => edge > at);
  return next < 0 ? sorted.length : next;
}

function add(a: bigint | null, b: bigint | null): bigint | null {
  return a === null || b === null ? null : a + b;
}
