import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { billableMinutes, boundedLines, ledgerLines, type MeterInput, meter, minutesCost } from "./meter";
import { sum } from "./money";
import type { OwnerInterval, PriceInterval } from "./rows";
import { dayRange } from "./zone";

const MINUTE = 60_000;
const DAY = 86_400_000;
const at = (text: string) => Date.parse(text);
const GH200: PriceInterval = { priceId: 7, from: null, to: null, micros: 2_290_000n };

const life = (from: string, to: string, over: Partial<MeterInput> = {}): MeterInput => ({
  from: at(from),
  to: at(to),
  prices: [GH200],
  owners: [],
  zone: "UTC",
  ...over,
});

describe("minutes", () => {
  test.each([
    [0, "ceil", 0],
    [1, "ceil", 1],
    [MINUTE, "ceil", 1],
    [MINUTE + 1, "ceil", 2],
    [119_999, "floor", 1],
    [90_000, "nearest", 2],
    [89_999, "nearest", 1],
    [-5, "ceil", 0],
  ] as const)("%d ms by %s are %d", (ms, rounding, expected) => {
    expect(billableMinutes(1_000, 1_000 + ms, rounding)).toBe(expected);
  });

  test("two minutes cost what two minutes cost, not twice one", () => {
    expect(minutesCost(2, 1_490_000n)).toBe(49_667n);
    expect(2n * minutesCost(1, 1_490_000n)).toBe(49_666n);
  });
});

describe("ledger lines", () => {
  test("a life over midnight is a line per accounting day, each rounded once", () => {
    expect(ledgerLines(life("2026-11-10T23:59:30Z", "2026-11-11T00:01:00Z"))).toEqual([
      {
        day: "2026-11-10",
        month: "2026-11",
        priceId: 7,
        ownerId: 0,
        startsAt: at("2026-11-10T23:59:30Z"),
        endsAt: at("2026-11-11T00:00:30Z"),
        minutes: 1,
        micros: 38_167n,
      },
      {
        day: "2026-11-11",
        month: "2026-11",
        priceId: 7,
        ownerId: 0,
        startsAt: at("2026-11-11T00:00:30Z"),
        endsAt: at("2026-11-11T00:01:00Z"),
        minutes: 1,
        micros: 38_167n,
      },
    ]);
  });

  test("minutes without a known price cost null, never zero", () => {
    const prices = [{ ...GH200, from: at("2026-11-10T00:30:00Z") }];
    const lines = ledgerLines(life("2026-11-10T00:00:00Z", "2026-11-10T01:00:00Z", { prices }));
    expect(lines.map(({ priceId, minutes, micros }) => [priceId, minutes, micros])).toEqual([
      [null, 30, null],
      [7, 30, 1_145_000n],
    ]);
  });

  test("minutes without an owner are uncategorised; a label that names the same owner again splits nothing", () => {
    const owners = [
      { ownerId: 3, from: at("2026-11-10T00:20:00Z"), to: at("2026-11-10T00:30:00Z") },
      { ownerId: 3, from: at("2026-11-10T00:30:00Z"), to: at("2026-11-10T00:40:00Z") },
      { ownerId: 4, from: at("2026-11-10T00:40:00Z"), to: at("2026-11-10T00:50:00Z") },
      { ownerId: 3, from: at("2026-11-10T00:50:00Z"), to: null },
    ];
    const lines = ledgerLines(life("2026-11-10T00:00:00Z", "2026-11-10T01:00:00Z", { owners }));
    expect(lines.map(({ ownerId, minutes }) => [ownerId, minutes])).toEqual([
      [0, 20],
      [3, 20],
      [4, 10],
      [3, 10],
    ]);
  });

  test("only the open days may be asked for, and they come out the same", () => {
    const input = life("2026-11-01T10:00:30Z", "2026-11-20T12:00:00Z", { zone: "America/New_York" });
    const since = dayRange("2026-11-18", "America/New_York").from;
    const all = ledgerLines(input);
    expect(ledgerLines({ ...input, since })).toEqual(all.filter(({ day }) => day >= "2026-11-18"));
    expect(ledgerLines({ ...input, since: at("2027-01-01T00:00:00Z") })).toEqual([]);
  });

  test("two years of one machine are metered in milliseconds, not minute by minute", () => {
    const started = performance.now();
    expect(ledgerLines(life("2026-01-01T00:00:00Z", "2028-01-01T00:00:00Z"))).toHaveLength(730);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

const START = at("2026-10-20T00:00:00Z");
const instants = fc.integer({ min: START, max: START + 20 * DAY });
const zones = fc.constantFrom("UTC", "America/New_York", "Asia/Kolkata");

/** Intervals that follow one another, with ends that may be open. */
function intervals<T>(value: fc.Arbitrary<T>): fc.Arbitrary<(T & { from: number | null; to: number | null })[]> {
  return fc
    .record({
      cuts: fc.uniqueArray(instants, { maxLength: 4 }),
      values: fc.array(value, { minLength: 5, maxLength: 5 }),
    })
    .map(({ cuts, values }) => {
      const edges = [null, ...cuts.sort((a, b) => a - b), null];
      return values
        .slice(0, edges.length - 1)
        .map((one, i) => ({ ...one, from: edges[i] ?? null, to: edges[i + 1] ?? null }));
    });
}

const prices: fc.Arbitrary<PriceInterval[]> = intervals(fc.record({ micros: fc.bigInt(0n, 60_000_000n) })).map((list) =>
  list.map((price, priceId) => ({
    ...price,
    priceId,
    prevSeenAt: price.from === null ? null : price.from - 3 * 3_600_000,
  })),
);
const owners: fc.Arbitrary<OwnerInterval[]> = intervals(fc.record({ ownerId: fc.integer({ min: 1, max: 3 }) }));

describe("properties", () => {
  test("days sum to the whole in minutes, and in money to half a micro-dollar per row", () => {
    fc.assert(
      fc.property(instants, instants, prices, owners, zones, (a, b, priceList, ownerList, zone) => {
        const input: MeterInput = { from: a, to: b, prices: priceList, owners: ownerList, zone };
        const days = ledgerLines(input);
        const whole = meter(input, "total");
        const months = meter(input, "month");
        expect(days.reduce((n, { minutes }) => n + minutes, 0)).toBe(billableMinutes(a, b));
        expect(months.reduce((n, { minutes }) => n + minutes, 0)).toBe(billableMinutes(a, b));
        const total = (rows: readonly { micros: bigint | null }[]) => sum(rows.map(({ micros }) => micros ?? 0n));
        const drift = total(days) - total(whole);
        expect(2n * (drift < 0n ? -drift : drift) <= BigInt(days.length + whole.length)).toBe(true);
        days.forEach((line, i) => {
          const next = days[i + 1];
          if (next) expect(next.startsAt).toBe(line.startsAt + line.minutes * MINUTE);
        });
      }),
    );
  });

  test("splitting a price interval into two of equal price changes a day's total by at most a micro-dollar", () => {
    fc.assert(
      fc.property(instants, instants, fc.bigInt(0n, 60_000_000n), instants, (a, b, micros, cut) => {
        const one: PriceInterval = { priceId: 1, from: null, to: null, micros };
        const two: PriceInterval[] = [
          { ...one, to: cut },
          { ...one, priceId: 2, from: cut },
        ];
        const byDay = (list: PriceInterval[]) => {
          const totals = new Map<string, bigint>();
          for (const { day, micros: amount } of ledgerLines({
            from: a,
            to: b,
            prices: list,
            owners: [],
            zone: "UTC",
          })) {
            totals.set(day, (totals.get(day) ?? 0n) + (amount ?? 0n));
          }
          return totals;
        };
        const whole = byDay([one]);
        for (const [day, total] of byDay(two)) {
          const drift = total - (whole.get(day) ?? 0n);
          expect(drift >= -1n && drift <= 1n).toBe(true);
        }
      }),
    );
  });

  test("low ≤ best ≤ high in every row and in the sum, whatever the edges and prices", () => {
    const edge = fc.tuple(instants, fc.nat(5 * MINUTE), fc.nat(5 * MINUTE));
    fc.assert(
      fc.property(edge, edge, prices, owners, zones, ([from, f1, f2], [to, t1, t2], priceList, ownerList, zone) => {
        const lines = boundedLines({
          life: {
            from: { high: from, best: from + f1, low: from + f1 + f2 },
            to: { low: to, best: to + t1, high: to + t1 + t2 },
          },
          prices: priceList,
          owners: ownerList,
          zone,
        });
        for (const { lowMicros, micros, highMicros, startsAt, endsAt } of lines) {
          if (lowMicros === null || micros === null || highMicros === null)
            throw new Error("every price is known here");
          expect(lowMicros <= micros && micros <= highMicros).toBe(true);
          expect(endsAt).toBeGreaterThanOrEqual(startsAt);
        }
        const best = ledgerLines({ from: from + f1, to: to + t1, prices: priceList, owners: ownerList, zone });
        expect(lines.filter(({ minutes }) => minutes > 0).map(({ day, micros }) => [day, micros])).toEqual(
          best.map(({ day, micros }) => [day, micros]),
        );
      }),
    );
  });
});

describe("bounds of lines", () => {
  const exact = (instant: string) => ({ low: at(instant), best: at(instant), high: at(instant) });

  test("an end that may lie on the next day is a line without minutes there", () => {
    const lines = boundedLines({
      life: {
        from: exact("2026-11-10T23:00:00Z"),
        to: { low: at("2026-11-10T23:30:00Z"), best: at("2026-11-10T23:45:00Z"), high: at("2026-11-11T00:15:00Z") },
      },
      prices: [GH200],
      owners: [],
      zone: "UTC",
    });
    expect(
      lines.map(({ day, minutes, lowMicros, micros, highMicros }) => [day, minutes, lowMicros, micros, highMicros]),
    ).toEqual([
      ["2026-11-10", 45, 1_145_000n, 1_717_500n, 2_290_000n],
      ["2026-11-11", 0, 0n, 0n, 572_500n],
    ]);
    expect(lines.map(({ isFlagged }) => isFlagged)).toEqual([true, false]);
  });

  test("a price that fell may have fallen earlier: then the low bound differs and the high one does not", () => {
    const change = at("2026-11-10T12:00:00Z");
    const [before, after] = boundedLines({
      life: { from: exact("2026-11-10T10:00:00Z"), to: exact("2026-11-10T14:00:00Z") },
      prices: [
        { priceId: 1, from: null, to: change, micros: 2_290_000n },
        { priceId: 2, from: change, to: null, micros: 1_490_000n, prevSeenAt: at("2026-11-10T11:00:00Z") },
      ],
      owners: [],
      zone: "UTC",
    });
    expect(before).toMatchObject({ priceId: 1, lowMicros: 3_780_000n, micros: 4_580_000n, highMicros: 4_580_000n });
    expect(after).toMatchObject({ priceId: 2, lowMicros: 2_980_000n, micros: 2_980_000n, highMicros: 2_980_000n });
  });

  test("an unknown price has unknown bounds", () => {
    const [line] = boundedLines({
      life: { from: exact("2026-11-10T10:00:00Z"), to: exact("2026-11-10T11:00:00Z") },
      prices: [],
      owners: [],
      zone: "UTC",
      isFlagged: true,
    });
    expect(line).toMatchObject({ minutes: 60, lowMicros: null, micros: null, highMicros: null, isFlagged: true });
  });
});
