import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DayAmount, sharesOf, stackOf } from "./stack";

const amount = (key: string, micros: bigint, day = "2026-11-01", unknownRows = 0): DayAmount => ({
  day,
  key,
  micros,
  unknownRows,
});
const slotsOf = (amounts: DayAmount[], owned: string[]) =>
  Object.fromEntries(stackOf(amounts, owned).parts.map(({ label, slot }) => [label, slot]));

describe("what the bars of a month are made of", () => {
  test("the most expensive first, what nobody was named for last, however much it is", () => {
    const { parts } = stackOf([amount("", 900n), amount("data", 5n), amount("research", 70n)], ["data", "research"]);
    expect(parts).toEqual([
      { key: "research", label: "research", slot: 2 },
      { key: "data", label: "data", slot: 1 },
      { key: null, label: "unallocated", slot: 8 },
    ]);
  });

  test("a key keeps its colour from month to month, whatever it costs and whoever else is there", () => {
    const owned = ["a", "b", "c"];
    expect(slotsOf([amount("c", 1n), amount("a", 5n)], owned)).toEqual({ a: 1, c: 3 });
    expect(slotsOf([amount("c", 9n), amount("b", 2n)], owned)).toEqual({ b: 2, c: 3 });
  });

  test("of two that would have the same colour the older has it, and the other one that is free", () => {
    const owned = ["a", "b", "c", "d", "e", "f", "g", "h"];
    expect(slotsOf([amount("h", 9n), amount("a", 1n)], owned)).toEqual({ a: 1, h: 2 });
  });

  test("beyond seven the cheapest are drawn together, with what nobody was named for", () => {
    const keys = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    const amounts = keys.map((key, index) => amount(key, BigInt(100 - index)));
    const { parts, days, slots } = stackOf([...amounts, amount("", 3n)], keys);
    expect(parts).toHaveLength(8);
    expect(parts.at(-1)).toEqual({ key: null, label: "2 others, unallocated", slot: 8 });
    expect(days.get("2026-11-01")?.micros.at(-1)).toBe(93n + 92n + 3n);
    expect(slots.get("i")).toBe(8);
  });

  test("a part of which nothing is known is null, and one of which a part is known is that part; both are counted", () => {
    const { days } = stackOf(
      [amount("a", 0n, "2026-11-01", 2), amount("b", 7n, "2026-11-01", 1), amount("a", 5n, "2026-11-02")],
      ["a", "b"],
    );
    expect(days.get("2026-11-01")).toEqual({ micros: [7n, null], unknownRows: 3 });
    expect(days.get("2026-11-02")).toEqual({ micros: [0n, 5n], unknownRows: 0 });
  });

  test("nothing is lost, and no two parts share a colour but what is left over", () => {
    const day = fc.constantFrom("2026-11-01", "2026-11-02");
    const key = fc.constantFrom("", ..."abcdefghijkl");
    const one = fc.record({ day, key, micros: fc.bigInt(0n, 10n ** 12n), unknownRows: fc.constant(0) });
    fc.assert(
      fc.property(fc.array(one), fc.uniqueArray(key), (amounts, owned) => {
        const { parts, days } = stackOf(amounts, owned);
        const drawn = [...days.values()]
          .flatMap(({ micros }) => micros)
          .reduce<bigint>((sum, x) => sum + (x ?? 0n), 0n);
        expect(drawn).toBe(amounts.reduce((sum, { micros }) => sum + micros, 0n));
        expect(new Set(parts.map(({ slot }) => slot)).size).toBe(parts.length);
      }),
    );
  });
});

describe("shares", () => {
  test("tenths of a per cent add up to a hundred", () => {
    expect(sharesOf([1n, 1n, 1n])).toEqual([334, 333, 333]);
    expect(sharesOf([0n, 0n])).toEqual([null, null]);
    const amounts = fc.array(fc.bigInt(0n, 10n ** 13n), { minLength: 1 }).filter((all) => all.some((one) => one > 0n));
    fc.assert(
      fc.property(amounts, (micros) => {
        expect(sharesOf(micros).reduce<number>((sum, share) => sum + (share ?? 0), 0)).toBe(1_000);
      }),
    );
  });
});
