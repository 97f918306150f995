import { type Micros, splitByLargestRemainder, sum } from "./money";
import type { PartSlot } from "./view";

/** What a key cost on an accounting day. */
export type DayAmount = { day: string; key: string; micros: Micros; unknownRows: number };

export type Stack = {
  /** Null: what is left over. The most expensive first, what is left over last. */
  parts: { key: string | null; label: string; slot: PartSlot }[];
  /** The colour of every key, also of those that are drawn together. */
  slots: ReadonlyMap<string, PartSlot>;
  days: ReadonlyMap<string, { micros: (Micros | null)[]; unknownRows: number }>;
};

/** Colours that a category may have for its own. */
const OWN: readonly PartSlot[] = [1, 2, 3, 4, 5, 6, 7];
const LEFT_OVER: PartSlot = 8;
/** What nobody was named for. */
export const UNALLOCATED = "unallocated";

/**
 * What the bars of a month are made of. A key keeps the colour that its place in `owned` gives it, month after month; where two
 * of one month want the same, the older has it. The cheaper ones beyond seven, and what nobody was named for, are left over.
 */
export function stackOf(amounts: readonly DayAmount[], owned: readonly string[], nobody = UNALLOCATED): Stack {
  const totals = new Map<string, Micros>();
  for (const { key, micros } of amounts) totals.set(key, (totals.get(key) ?? 0n) + micros);
  const named = [...totals].filter(([key]) => key !== "").sort(([a, x], [b, y]) => compare(y, x) || compare(a, b));
  const drawn = named.slice(0, OWN.length).map(([key]) => key);
  const others = named.length - drawn.length;

  const slots = new Map<string, PartSlot>([...totals.keys()].map((key) => [key, LEFT_OVER]));
  for (const [key, slot] of slotsOf(drawn, owned)) slots.set(key, slot);
  const parts: Stack["parts"] = drawn.map((key) => ({ key, label: key, slot: slots.get(key) ?? LEFT_OVER }));
  if (others > 0 || totals.has(""))
    parts.push({ key: null, label: leftOver(others, totals.has(""), nobody), slot: LEFT_OVER });

  const place = new Map(drawn.map((key, index) => [key, index]));
  const days = new Map<string, { known: Micros[]; unknown: number[] }>();
  for (const { day, key, micros, unknownRows } of amounts) {
    const own = days.get(day) ?? { known: parts.map(() => 0n), unknown: parts.map(() => 0) };
    const at = place.get(key) ?? parts.length - 1;
    own.known[at] = (own.known[at] ?? 0n) + micros;
    own.unknown[at] = (own.unknown[at] ?? 0) + unknownRows;
    days.set(day, own);
  }
  return {
    parts,
    slots,
    days: new Map(
      [...days].map(([day, { known, unknown }]) => [
        day,
        {
          micros: known.map((micros, at) => (micros === 0n && (unknown[at] ?? 0) > 0 ? null : micros)),
          unknownRows: unknown.reduce((total, rows) => total + rows, 0),
        },
      ]),
    ),
  };
}

function leftOver(others: number, hasNobody: boolean, nobody: string): string {
  if (others === 0) return nobody;
  return hasNobody ? `${others} others, ${nobody}` : `${others} others`;
}

function slotsOf(drawn: readonly string[], owned: readonly string[]): [string, PartSlot][] {
  const age = new Map(owned.map((key, index) => [key, index]));
  const oldestFirst = [...drawn].sort((a, b) => (age.get(a) ?? Infinity) - (age.get(b) ?? Infinity) || compare(a, b));
  const free = [...OWN];
  return oldestFirst.map((key) => {
    const wanted = OWN[(age.get(key) ?? 0) % OWN.length] ?? LEFT_OVER;
    const at = free.indexOf(wanted);
    const [slot = LEFT_OVER] = free.splice(Math.max(0, at), 1);
    return [key, slot];
  });
}

function compare<T extends string | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Tenths of a per cent that add up to a hundred per cent; null where there is nothing to share. */
export function sharesOf(micros: readonly Micros[]): (number | null)[] {
  if (sum(micros) <= 0n || micros.some((one) => one < 0n)) return micros.map(() => null);
  const tenths = splitByLargestRemainder(1_000n, Object.fromEntries(micros.map((one, index) => [index, one])));
  return micros.map((_, index) => Number(tenths[index] ?? 0n));
}
