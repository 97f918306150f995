import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FUZZ_RUNS } from "@/lib/testing/mutate";
import { type Correctable, type Difference, differences } from "./corrections";
import { sum } from "./money";

const row = (over: Partial<Correctable>): Correctable => ({
  key: "a",
  day: "2026-10-05",
  charge: "usage",
  ownerId: 1,
  startsAt: 0,
  endsAt: 3_600_000,
  minutes: 60,
  byteHours: null,
  micros: 2_290_000n,
  lowMicros: 2_290_000n,
  highMicros: 2_290_000n,
  ...over,
});

describe("what closed rows lack", () => {
  test("nothing, where they are right, whatever the key of their price", () => {
    expect(differences([row({ key: "b" })], [row({})])).toEqual([]);
  });

  test("another price is the difference in money, and names the row", () => {
    const [found] = differences(
      [row({ key: "b", micros: 1_490_000n, lowMicros: 1_490_000n, highMicros: 1_490_000n })],
      [row({})],
    );
    expect(found).toMatchObject({ minutes: 0, micros: -800_000n, lowMicros: -800_000n, highMicros: -800_000n });
    expect(found?.booked?.key).toBe("a");
    expect(found?.note).toBe("Priced anew after the month was closed");
  });

  test("another owner is taken from the one and given to the other", () => {
    expect(
      differences([row({ ownerId: 2 })], [row({})]).map(({ minutes, micros, right }) => [
        right?.ownerId ?? 1,
        minutes,
        micros,
      ]),
    ).toEqual([
      [1, -60, -2_290_000n],
      [2, 60, 2_290_000n],
    ]);
  });

  test("what was unknown and is known now counts whole; what is known no longer is unknown, not nothing", () => {
    const unknown = { micros: null, lowMicros: null, highMicros: null };
    expect(differences([row({})], [row(unknown)])).toMatchObject([{ minutes: 0, micros: 2_290_000n }]);
    expect(differences([row(unknown)], [row({})])).toMatchObject([{ minutes: 0, micros: null }]);
    expect(differences([row(unknown)], [row(unknown)])).toEqual([]);
  });
});

const amounts = fc.record({
  key: fc.uuid(),
  day: fc.constantFrom("2026-10-05", "2026-10-06"),
  charge: fc.constantFrom("usage", "storage"),
  ownerId: fc.integer({ min: 0, max: 2 }),
  startsAt: fc.nat(1_000),
  minutes: fc.nat(1_440),
  micros: fc.bigInt(0n, 100_000_000n),
  doubt: fc.bigInt(0n, 1_000_000n),
});
const rows = fc.array(
  amounts.map(({ doubt, ...one }) =>
    row({ ...one, endsAt: one.startsAt + 1, lowMicros: one.micros - doubt, highMicros: one.micros + doubt }),
  ),
  { maxLength: 8 },
);

const asRow = ({ right, booked, ...found }: Difference<Correctable>, i: number): Correctable => {
  const like = right ?? booked;
  if (!like) throw new Error("a difference of nothing");
  return { ...like, ...found, key: `correction ${i}` };
};

test("rows and corrections add up to what is right, in any order, and correcting again adds nothing", () => {
  fc.assert(
    fc.property(rows, rows, rows, (right, booked, later) => {
      const found = differences(right, booked).map(asRow);
      expect(differences([...right].reverse(), [...booked].reverse()).map(asRow)).toEqual(found);
      const money = (all: readonly Correctable[]) => sum(all.map(({ micros }) => micros ?? 0n));
      const minutes = (all: readonly Correctable[]) => all.reduce((total, one) => total + one.minutes, 0);
      expect(money(booked) + money(found)).toBe(money(right));
      expect(minutes(booked) + minutes(found)).toBe(minutes(right));
      for (const { micros, lowMicros, highMicros } of found)
        expect((lowMicros ?? 0n) <= (micros ?? 0n) && (micros ?? 0n) <= (highMicros ?? 0n)).toBe(true);
      expect(differences(right, [...booked, ...found])).toEqual([]);
      // Corrections of a month that was closed in turn are rows like others.
      const next = differences(later, [...booked, ...found]).map(asRow);
      expect(money(booked) + money(found) + money(next)).toBe(money(later));
    }),
    { numRuns: FUZZ_RUNS / 4 },
  );
});
