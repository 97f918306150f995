import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COUNT_WINDOW_MS, type GaugeState, gaugeChanges, isSameCount } from "./gauge";

const readings = (...codes: number[]): GaugeState[] => codes.map((code, i) => ({ at: 1_000 + i * 15, code }));

describe("DCGM's gauge of the last Xid", () => {
  test.each<[string, GaugeState | null, GaugeState[], number[], number | null]>([
    ["never looked at, shows none", null, readings(0, 0), [], 0],
    ["never looked at, shows 79", null, readings(79, 79), [79], 79],
    ["stays at 79 for hours", { at: 1, code: 79 }, readings(79, 79, 79, 79), [], 79],
    ["changes from none", { at: 1, code: 0 }, readings(0, 48, 48), [48], 48],
    ["changes from code to code", { at: 1, code: 0 }, readings(48, 63, 94, 94), [48, 63, 94], 94],
    ["goes back to none and shows it again", { at: 1, code: 79 }, readings(79, 0, 0, 79), [79], 79],
    ["readings of before its last change", { at: 5_000, code: 0 }, readings(79, 48), [], 0],
    ["no reading", { at: 1, code: 45 }, [], [], 45],
  ])("%s", (_, before, said, codes, after) => {
    const found = gaugeChanges(before, said);
    expect(found.changes.map(({ code }) => code)).toEqual(codes);
    expect(found.after?.code ?? null).toBe(after);
  });

  test("only the first look does not know since when", () => {
    expect(gaugeChanges(null, readings(79, 0, 48)).changes.map(({ isSinceBefore }) => isSinceBefore)).toEqual([
      true,
      false,
    ]);
    expect(gaugeChanges(null, readings(0, 79)).changes.map(({ isSinceBefore }) => isSinceBefore)).toEqual([false]);
  });

  test("the same readings again make no event, in any order, in parts or whole", () => {
    const some = fc.array(fc.record({ at: fc.integer({ min: 0, max: 500 }), code: fc.constantFrom(0, 45, 79) }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(some, fc.nat(), (said, cut) => {
        const whole = gaugeChanges(null, said);
        expect(gaugeChanges(whole.after, said).changes).toEqual([]);
        const sorted = [...said].sort((a, b) => a.at - b.at);
        const at = sorted.length === 0 ? 0 : cut % sorted.length;
        // A cut through one instant is two answers of that instant, of which the first one stays.
        fc.pre(sorted[at - 1]?.at !== sorted[at]?.at);
        const first = gaugeChanges(null, sorted.slice(0, at));
        const second = gaugeChanges(first.after, sorted.slice(at));
        expect([...first.changes, ...second.changes]).toEqual(whole.changes);
      }),
    );
  });
});

test("a count that is still in its window is the event that is known", () => {
  const known = { from: 1_000_000, to: 1_060_000 };
  expect(isSameCount(null, 0)).toBe(false);
  expect(isSameCount(known, known.to + COUNT_WINDOW_MS)).toBe(true);
  expect(isSameCount(known, known.to + COUNT_WINDOW_MS + 1)).toBe(false);
  expect(isSameCount(known, known.from - COUNT_WINDOW_MS - 1)).toBe(false);
});
