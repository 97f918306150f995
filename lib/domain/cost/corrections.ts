import { groupBy } from "@/lib/domain/group";
import { sum } from "./money";

/** What of a ledger row can be corrected. */
export type Correctable = {
  key: string;
  day: string;
  charge: string;
  ownerId: number;
  /** What covers its minutes. */
  commitmentId?: string | null;
  startsAt: number;
  endsAt: number;
  minutes: number;
  byteHours: bigint | null;
  micros: bigint | null;
  lowMicros: bigint | null;
  highMicros: bigint | null;
  listMicros?: bigint | null;
  effectiveMicros?: bigint | null;
};

/** What has to be added to booked rows so that they say what the right ones say: the sums, and the row that is corrected. */
export type Difference<T> = {
  /** The row that would be there if nothing had been booked; null: nothing would. */
  right: T | null;
  /** The first of the booked rows; null: it is new. */
  booked: T | null;
  startsAt: number;
  endsAt: number;
  minutes: number;
  byteHours: bigint | null;
  /** Null: what was known is known no longer. */
  micros: bigint | null;
  lowMicros: bigint | null;
  highMicros: bigint | null;
  listMicros: bigint | null;
  effectiveMicros: bigint | null;
  note: string;
};

/**
 * R8: rows of closed months stay. `right` are the rows as they follow from everything that is known, `booked` those of the same
 * days that can no longer change, earlier corrections among them. Compared per day, charge, owner and what covers it; the order of
 * neither matters.
 */
export function differences<T extends Correctable>(right: readonly T[], booked: readonly T[]): Difference<T>[] {
  const slot = ({ day, charge, ownerId, commitmentId }: Correctable) =>
    `${day}/${charge}/${ownerId}/${commitmentId ?? ""}`;
  const rightBy = groupBy(inOrder(right), slot);
  const bookedBy = groupBy(inOrder(booked), slot);
  const slots = [...new Set([...rightBy.keys(), ...bookedBy.keys()])].sort();
  return slots.flatMap((key) => difference(rightBy.get(key) ?? [], bookedBy.get(key) ?? []) ?? []);
}

function difference<T extends Correctable>(right: readonly T[], booked: readonly T[]): Difference<T> | null {
  const total = (of: (row: T) => bigint | null) => known(right, of) - known(booked, of);
  const minutes = right.reduce((n, row) => n + row.minutes, 0) - booked.reduce((n, row) => n + row.minutes, 0);
  const byteHours = total((row) => row.byteHours);
  const isUnknown = right.some((row) => row.micros === null) && booked.every((row) => row.micros !== null);
  const amount = total((row) => row.micros);
  if (minutes === 0 && byteHours === 0n && amount === 0n && !isUnknown) return null;
  const low = total((row) => row.lowMicros);
  const high = total((row) => row.highMicros);
  const first = booked[0] ?? null;
  const all = [...right, ...booked];
  return {
    right: right[0] ?? null,
    booked: first,
    startsAt: Math.min(...(right.length > 0 ? right : all).map((row) => row.startsAt)),
    endsAt: Math.max(...(right.length > 0 ? right : all).map((row) => row.endsAt)),
    minutes,
    byteHours: all.some((row) => row.byteHours !== null) ? byteHours : null,
    micros: isUnknown ? null : amount,
    lowMicros: isUnknown ? null : amount + (low < amount ? low - amount : 0n),
    highMicros: isUnknown ? null : amount + (high > amount ? high - amount : 0n),
    listMicros: beside(all, total, (row) => row.listMicros),
    // What a commitment's covered minutes cost in effect is settled over the whole day, once its rows are there.
    effectiveMicros: right.some(isCovered) ? null : beside(all, total, (row) => row.effectiveMicros),
    note: wordsOf(right.length, booked.length, minutes),
  };
}

function isCovered({ charge, commitmentId }: Correctable): boolean {
  return charge === "usage" && commitmentId != null;
}

function wordsOf(right: number, booked: number, minutes: number): string {
  if (booked === 0) return "Learnt after the month was closed";
  if (right === 0) return "Does not belong here after all";
  return minutes === 0
    ? "Priced anew after the month was closed"
    : "Its time was learnt better after the month was closed";
}

/** An amount that is as billed where it is not said: only where one says otherwise does the difference say it, too. */
function beside<T extends Correctable>(
  all: readonly T[],
  total: (of: (row: T) => bigint | null) => bigint,
  of: (row: T) => bigint | null | undefined,
): bigint | null {
  return all.some((row) => of(row) != null) ? total((row) => of(row) ?? row.micros) : null;
}

function known<T>(rows: readonly T[], of: (row: T) => bigint | null): bigint {
  return sum(rows.map((row) => of(row) ?? 0n));
}

function inOrder<T extends Correctable>(rows: readonly T[]): T[] {
  return [...rows].sort((a, b) => a.startsAt - b.startsAt || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}
