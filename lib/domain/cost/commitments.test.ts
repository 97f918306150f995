import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FUZZ_RUNS } from "@/lib/testing/mutate";
import {
  amortisedWithin,
  type CoveredRow,
  capacityMinutes,
  coverageOf,
  overDays,
  paymentsOf,
  settleDay,
  splitByUse,
} from "./commitments";
import { sum } from "./money";

const DAY = 86_400_000;

describe("what is paid for a commitment", () => {
  const three = { from: 0, to: 17 * DAY, upfrontMicros: 1_000_000n, weeklyMicros: 700_000n };

  test("is paid upfront and at the beginning of each week", () => {
    expect(paymentsOf(three).map(({ at, part, micros }) => [at / DAY, part, micros])).toEqual([
      [0, "upfront", 1_000_000n],
      [0, "week", 700_000n],
      [7, "week", 700_000n],
      [14, "week", 700_000n],
    ]);
  });

  test("a last week that is not full is used up in its own days", () => {
    const week = { ...three, upfrontMicros: 0n };
    expect(amortisedWithin(week, { from: 0, to: DAY })).toBe(100_000n);
    expect(amortisedWithin(week, { from: 14 * DAY, to: 17 * DAY })).toBe(700_000n);
  });
});

test("whatever the days, the parts of a term add up to what was paid for it, and none is negative", () => {
  const amounts = fc.bigInt(0n, 10n ** 13n);
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 12 });
  fc.assert(
    fc.property(
      amounts,
      amounts,
      fc.integer({ min: 1, max: 100 }),
      cuts,
      (upfrontMicros, weeklyMicros, days, marks) => {
        const commitment = { from: 5, to: 5 + days * DAY, upfrontMicros, weeklyMicros };
        const edges = [0, ...marks.filter((mark) => mark < days).sort((a, b) => a - b), days].map(
          (day) => 5 + day * DAY,
        );
        const parts = edges.slice(1).map((to, i) => amortisedWithin(commitment, { from: edges[i] ?? 0, to }));
        expect(sum(parts)).toBe(sum(paymentsOf(commitment).map(({ micros }) => micros)));
        expect(parts.every((part) => part >= 0n)).toBe(true);
      },
    ),
    { numRuns: FUZZ_RUNS / 4 },
  );
});

test("a day's part is used and unused to the micro-dollar, and more minutes never bear less", () => {
  const rows = fc
    .array(fc.nat(1_440), { maxLength: 10 })
    .map((all) => all.map((minutes, i) => ({ key: `row ${i}`, minutes })));
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 12n), fc.nat(10_000), rows, (micros, capacity, covered) => {
      const { used, unusedMicros, unusedMinutes } = splitByUse(micros, capacity, covered);
      const usedMinutes = covered.reduce((all, { minutes }) => all + minutes, 0);
      expect(unusedMinutes).toBe(Math.max(0, capacity - usedMinutes));
      expect(sum(used.values()) + unusedMicros).toBe(micros);
      expect(unusedMicros >= 0n && [...used.values()].every((part) => part >= 0n)).toBe(true);
      for (const a of covered)
        for (const b of covered)
          if (a.minutes > b.minutes) expect((used.get(a.key) ?? 0n) >= (used.get(b.key) ?? 0n)).toBe(true);
    }),
    { numRuns: FUZZ_RUNS / 4 },
  );
});

describe("a day that is corrected", () => {
  const row = fc.record({
    slot: fc.constantFrom("a", "b", "c"),
    minutes: fc.nat(1_440),
    micros: fc.bigInt(0n, 10n ** 8n),
  });
  const keyed = fc
    .array(row, { maxLength: 8 })
    .map((all) =>
      all.map((one, i): CoveredRow => ({ ...one, key: `row ${i}`, effectiveMicros: null, isClosed: false })),
    );
  const shares = (rows: readonly CoveredRow[], effective: ReadonlyMap<string, bigint>) =>
    sum(rows.map((one) => (effective.get(one.key) ?? one.effectiveMicros ?? one.micros) - one.micros));

  test("adds up with what is closed, whatever minutes turn out to have been, and says nothing new of what did not change", () => {
    const learnt = fc.array(fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.integer({ min: -1_440, max: 1_440 })), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 10n), fc.nat(6_000), keyed, learnt, (micros, capacity, rows, corrections) => {
        const first = settleDay(micros, capacity, rows);
        expect(shares(rows, first.effective) + first.unusedMicros).toBe(micros);
        const closed = rows.map((one) => ({
          ...one,
          effectiveMicros: first.effective.get(one.key) ?? null,
          isClosed: true,
        }));
        const again = settleDay(micros, capacity, closed);
        expect([again.effective.size, again.unusedMicros, again.unusedMinutes]).toEqual([
          0,
          first.unusedMicros,
          first.unusedMinutes,
        ]);
        const more = [...new Map(corrections)].map(
          ([slot, minutes], i): CoveredRow => ({
            ...{ key: `correction ${i}`, slot, minutes, micros: BigInt(minutes) },
            ...{ effectiveMicros: null, isClosed: false },
          }),
        );
        const all = [...closed, ...more];
        const settled = settleDay(micros, capacity, all);
        expect([...settled.effective.keys()].sort()).toEqual(more.map(({ key }) => key).sort());
        expect(shares(all, settled.effective) + settled.unusedMicros).toBe(micros);
      }),
      { numRuns: FUZZ_RUNS / 4 },
    );
  });

  test("gives a machine that was there for half the day half of it back", () => {
    const booked = {
      slot: "a",
      micros: 0n,
      effectiveMicros: 1_440_000n,
      isClosed: true,
      key: "booked",
      minutes: 1_440,
    };
    const back = { slot: "a", micros: 0n, effectiveMicros: null, isClosed: false, key: "back", minutes: -720 };
    expect(settleDay(1_440_000n, 1_440, [booked, back])).toEqual({
      effective: new Map([["back", -720_000n]]),
      unusedMicros: 720_000n,
      unusedMinutes: 720,
    });
  });
});

describe("what it covers", () => {
  const lives = [
    { id: "a", from: 0, to: 40 },
    { id: "b", from: 10, to: null },
    { id: "c", from: 20, to: 90 },
  ];

  test("those that began first; who waits follows when one ends", () => {
    const covered = coverageOf({ count: 2, from: 5, to: 100 }, lives);
    expect([...covered]).toEqual([
      ["a", [{ from: 5, to: 40 }]],
      ["b", [{ from: 10, to: 100 }]],
      ["c", [{ from: 40, to: 90 }]],
    ]);
  });

  test("never more than it pays for, never less than there are, in whatever order they come", () => {
    const life = fc
      .tuple(fc.nat(200), fc.option(fc.nat(200)))
      .map(([from, lasting]) => ({ from, to: lasting === null ? null : from + lasting }));
    fc.assert(
      fc.property(fc.array(life, { maxLength: 8 }), fc.integer({ min: 1, max: 4 }), (spans, count) => {
        const all = spans.map((span, i) => ({ id: `life ${i}`, ...span }));
        const term = { count, from: 50, to: 150 };
        const covered = coverageOf(term, all);
        expect(coverageOf(term, [...all].reverse())).toEqual(covered);
        for (let at = 50; at < 150; at += 3) {
          const running = all.filter(({ from, to }) => from <= at && (to ?? 150) > at).length;
          const own = [...covered.values()].flat().filter(({ from, to }) => from <= at && at < to).length;
          expect(own).toBe(Math.min(running, count));
        }
      }),
      { numRuns: FUZZ_RUNS / 4 },
    );
  });

  test("its capacity is what it pays for, within its term", () => {
    expect(capacityMinutes({ count: 2, from: 0, to: DAY }, { from: DAY / 2, to: 2 * DAY })).toBe(1_440);
    expect(capacityMinutes({ count: 2, from: 0, to: DAY }, { from: DAY, to: 2 * DAY })).toBe(0);
  });
});

test("an amount over days is whole days' parts that add up, whatever its sign", () => {
  expect(overDays(100n, 3)).toEqual([33n, 34n, 33n]);
  expect(sum(overDays(-100n, 7))).toBe(-100n);
});
