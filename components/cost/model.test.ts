import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CostAnswer } from "@/lib/domain/cost/view";
import { inCents, printed, runningModel, spendModel } from "./model";
import { boundWords, dayRangeWords, monthHref, monthName, monthSentence, unknownWords } from "./words";

const DAY = 86_400_000;
const FIRST = Date.UTC(2026, 10, 1);
const dayName = (index: number) => new Date(FIRST + index * DAY).toISOString().slice(0, 10);

/** A November of three parts, noon of its third day; the first day was before anybody looked. */
function november(change: Partial<CostAnswer> = {}): CostAnswer {
  const days = Array.from({ length: 30 }, (_, index): CostAnswer["days"][number] => ({
    day: dayName(index),
    from: FIRST + index * DAY,
    to: FIRST + (index + 1) * DAY,
    micros: index === 1 ? ["10004000", null, "4000"] : index === 2 ? ["5004000", "4000", "4000"] : [],
    unknownRows: index === 1 ? 1 : 0,
    expected: index >= 2 ? { micros: "20000000", lowMicros: "15000000", highMicros: "25000000" } : null,
  }));
  return {
    now: FIRST + 2.5 * DAY,
    month: "2026-11",
    zone: "UTC",
    isCurrent: true,
    status: "open",
    from: FIRST,
    to: FIRST + 2.5 * DAY,
    fromDay: "2026-11-01",
    toDay: "2026-11-03",
    knownFrom: FIRST + DAY,
    ledger: { at: FIRST + 2.5 * DAY, error: null, isEmpty: false },
    total: { micros: "15020000", lowMicros: "15020000", highMicros: "15030000", unknownRows: 1 },
    compared: null,
    forecast: { micros: "570008000", lowMicros: "540000000", highMicros: "600016000", bandDays: 28 },
    budget: null,
    rate: { microsPerHour: "0", unknownPrices: 0, storageMicrosPerHour: "0" },
    idle: { emptyMicros: "0", heldMicros: "0" },
    gpus: null,
    instances: { count: 2, minutes: 60, micros: "15020000" },
    storage: { count: 0, micros: "0" },
    otherMicros: "0",
    corrections: null,
    by: "team",
    parts: [
      { key: "a", label: "a", slot: 1 },
      { key: "b", label: "b", slot: 2 },
      { key: null, label: "unallocated", slot: 8 },
    ],
    days,
    groups: [],
    resources: [],
    rest: null,
    monthBefore: null,
    monthAfter: null,
    months: [],
    priceChanges: [],
    ...change,
  };
}

describe("lines that are printed", () => {
  test("cents and shares add up to those of the total, whatever the amounts", () => {
    const rows = fc.array(fc.record({ micros: fc.bigInt(0n, 10n ** 12n), idleMicros: fc.bigInt(0n, 10n ** 9n) }), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(rows, (given) => {
        const lines = printed(
          given.map((row) => ({ micros: `${row.micros}`, idleMicros: `${row.idleMicros}`, unknownRows: 0 })),
        );
        const total = given.reduce((sum, row) => sum + row.micros, 0n);
        expect(lines.reduce((sum, line) => sum + line.micros, 0n)).toBe(((total + 5_000n) / 10_000n) * 10_000n);
        expect(lines.every((line) => line.micros % 10_000n === 0n)).toBe(true);
        const share = lines.reduce((sum, line) => sum + Math.round((line.sharePct ?? 0) * 10), 0);
        expect(share).toBe(total === 0n ? 0 : 1_000);
      }),
    );
  });

  test("what is not known has no share", () => {
    const rows = [
      { micros: "5000000", idleMicros: "0", unknownRows: 1 },
      { micros: "0", idleMicros: "0", unknownRows: 1 },
    ];
    expect(printed(rows).map(({ sharePct }) => sharePct)).toEqual([100, null]);
  });

  test("three thirds of a dollar are a dollar", () => {
    expect(inCents([333_333n, 333_333n, 333_334n])).toEqual([330_000n, 330_000n, 340_000n]);
  });
});

describe("the days as bars", () => {
  const { rows, parts, hasForecast } = spendModel(november());
  const amounts = (index: number) =>
    Object.fromEntries(
      parts.map((part, at) => [part.id, { shown: rows[index]?.amounts[at], text: rows[index]?.texts[at] }]),
    );

  test("a day before anybody looked is not known, and one to come is expected", () => {
    expect(rows[0]).toMatchObject({ isUnknown: true, total: "—" });
    expect(rows[5]).toMatchObject({ isUnknown: false, expected: { text: "$20.00" } });
    expect(hasForecast).toBe(true);
  });

  test("a part of unknown price is unknown, not nothing, and hatches its day", () => {
    expect(rows[1]?.isUnknown).toBe(true);
    expect(amounts(1)["key b"]?.text).toBe("—");
  });

  test("the parts of a day are drawn in cents that add up to the total under them", () => {
    // $5.004, $0.004 and $0.004 are $5.012: of the three lines that would be rounded down, one gets the cent.
    expect(rows[2]?.total).toBe("$5.01");
    expect(rows[2]?.amounts.reduce((sum, one) => sum + one, 0)).toBe(5_010_000);
  });
});

describe("the month as it grows", () => {
  const compared: CostAnswer["compared"] = {
    fromDay: "2026-11-01",
    toDay: "2026-11-02",
    micros: "10008000",
    before: {
      fromDay: "2026-10-01",
      toDay: "2026-10-02",
      micros: "20000000",
      unknownRows: 0,
      isPartlyKnown: false,
    },
    beforeCumulative: Array.from({ length: 31 }, (_, day) => String((day + 1) * 10_000_000)),
  };
  const model = runningModel(november({ compared }));
  const at = (instant: number) => model.rows.find((row) => row.at === instant)?.values;

  test("it begins where it is known, reaches the total now, and the forecast at the end", () => {
    expect(at(FIRST)).toEqual([null, null, 0]);
    expect(at(FIRST + 2 * DAY)?.[0]).toBe(10_008_000);
    expect(at(FIRST + 2.5 * DAY)).toEqual([15_020_000, 15_020_000, 25_000_000]);
    const end = at(FIRST + 30 * DAY);
    expect(end?.[0]).toBeNull();
    // What is expected of whole days, less what today has cost already.
    expect(end?.[1]).toBe(15_020_000 + 28 * 20_000_000 - 5_012_000);
  });

  test("of the month before nothing is drawn until somebody looked", () => {
    const late = { ...compared, beforeCumulative: [null, null, "7000000", "9000000"] };
    const drawn = runningModel(november({ compared: late })).rows.map((row) => row.values[2]);
    expect(drawn.slice(0, 6)).toEqual([null, null, null, null, 7_000_000, 9_000_000]);
  });

  test("the band begins at nothing and ends at that of the forecast", () => {
    const range = (instant: number) => model.rows.find((row) => row.at === instant)?.ranges[1];
    expect(range(FIRST + 2.5 * DAY)).toEqual([15_020_000, 15_020_000]);
    const [low, high] = range(FIRST + 30 * DAY) ?? [0, 0];
    expect(high - low).toBeCloseTo(2 * 30_008_000, 0);
  });
});

/** Without the blanks at which no line may break. */
const plain = (text: string | null) => text?.replaceAll("\u00a0", " ");

describe("words", () => {
  test("months and days are names, whatever the zone", () => {
    expect(monthName("2026-11")).toBe("November 2026");
    expect(monthName("2026-01", false)).toBe("January");
    expect(plain(dayRangeWords("2026-11-01", "2026-11-20"))).toBe("1 to 20 Nov");
    expect(plain(dayRangeWords("2026-02-28", "2026-03-01"))).toBe("28 Feb to 1 Mar");
    expect(plain(dayRangeWords("2026-11-01", "2026-11-01"))).toBe("1 Nov");
  });

  test("the address of a month keeps the dimension", () => {
    expect(monthHref({ month: "2026-11", isCurrent: true, by: "team" })).toBe("/cost");
    expect(monthHref({ month: "2026-10", isCurrent: false, by: "type" })).toBe("/cost/2026-10?by=type");
  });

  test("bounds are said where they can be seen in cents", () => {
    const total = (lowMicros: string, highMicros: string) => ({
      micros: "10000000",
      lowMicros,
      highMicros,
      unknownRows: 0,
    });
    expect(boundWords(total("9998000", "10004000"))).toBe("exact to the cent");
    expect(boundWords(total("8850000", "10050000"))).toBe("−$1.15, +$0.05 from polling");
    expect(unknownWords(0)).toBeNull();
    expect(plain(unknownWords(2))).toBe("plus 2 rows unpriced");
  });

  test("the sentence says where the month is heading", () => {
    const budget = { micros: "500000000", usedPct: 3, reachedAt: null };
    expect(monthSentence(november({ budget }))).toEqual({
      lead: "November has cost $15.02 so far",
      rest: "and is heading for $570, $70 over its budget.",
    });
    expect(monthSentence(november({ isCurrent: false })).lead).toBe("November cost $15.02.");
  });
});
