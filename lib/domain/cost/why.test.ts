import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sum } from "./money";
import { bridgeOf, type WhyCell, whyOf } from "./why";

const DAY = 86_400_000;
const cell = (key: string, before: [number, number], own: [number, number]): WhyCell => ({
  key,
  before: { gpuMinutes: BigInt(before[0]), micros: BigInt(before[1]) },
  own: { gpuMinutes: BigInt(own[0]), micros: BigInt(own[1]) },
});
const same = { before: 20 * DAY, own: 20 * DAY };

describe("one cause alone is that cause", () => {
  test.each([
    ["price", [cell("a", [600, 14_900_000], [600, 22_900_000])], same, { price: 8_000_000n }],
    ["volume", [cell("a", [600, 6_000_000], [900, 9_000_000])], same, { volume: 3_000_000n }],
    ["hours", [cell("a", [44_640, 44_640], [43_200, 43_200])], { before: 31 * DAY, own: 30 * DAY }, { hours: -1_440n }],
    ["mix", [cell("cheap", [600, 600], [300, 300]), cell("dear", [600, 6_000], [900, 9_000])], same, { mix: 2_700n }],
    ["a first machine: volume", [cell("a", [0, 0], [60, 2_290_000])], same, { volume: 2_290_000n }],
    [
      "a type that is new beside another that ran on: the hours are volume, that it is dearer is mix",
      [cell("old", [60, 600], [60, 600]), cell("new", [0, 0], [60, 2_400])],
      same,
      { volume: 600n, mix: 1_800n },
    ],
    ["all is gone: volume", [cell("a", [60, 600], [0, 0])], same, { volume: -600n }],
  ])("%s", (_, cells, windows, expected) => {
    expect(whyOf(cells, windows).total).toEqual({ hours: 0n, volume: 0n, mix: 0n, price: 0n, ...expected });
  });

  test("a half of a micro-dollar goes away from zero, and what it moves is in the next effect", () => {
    const { total } = whyOf([cell("a", [2, 1], [1, 0])], same);
    expect(total).toEqual({ hours: 0n, volume: 0n, mix: 0n, price: -1n });
  });

  test("a window of no length is refused", () => {
    expect(() => whyOf([], { before: 0, own: 1 })).toThrow(RangeError);
  });
});

const amount = fc.record({ gpuMinutes: fc.bigInt(0n, 10_000_000n), micros: fc.bigInt(-1_000n, 10n ** 13n) });
const cells = fc
  .uniqueArray(fc.record({ key: fc.string(), before: amount, own: amount }), {
    selector: ({ key }) => key,
    maxLength: 12,
  })
  .map((all) => all as WhyCell[]);
const ms = fc.integer({ min: 1, max: 32 * DAY });

test("the effects of each key add up to its difference, and all of them to that of the whole, whatever the numbers", () => {
  fc.assert(
    fc.property(cells, ms, ms, (some, before, own) => {
      const { total, byKey } = whyOf(some, { before, own });
      for (const one of some) {
        const effects = byKey.get(one.key);
        expect(effects && sum(Object.values(effects))).toBe(one.own.micros - one.before.micros);
      }
      expect(sum(Object.values(total))).toBe(
        sum(some.map((one) => one.own.micros)) - sum(some.map((one) => one.before.micros)),
      );
    }),
  );
});

test("with the same machines in the same hours at other prices everything is price, however many keys", () => {
  fc.assert(
    fc.property(cells, ms, (some, window) => {
      const still = some.map((one) => ({ ...one, own: { ...one.own, gpuMinutes: one.before.gpuMinutes } }));
      const { total } = whyOf(
        still.filter(({ before }) => before.gpuMinutes > 0n),
        { before: window, own: window },
      );
      expect(total).toMatchObject({ hours: 0n, volume: 0n, mix: 0n });
    }),
  );
});

describe("the bridge", () => {
  const effects = { hours: 0n, volume: 5n, mix: 0n, price: -2n };
  test("leads from one total to the other, without steps that did not happen; the unexplained stands there at nothing, too", () => {
    const steps = bridgeOf(100n, 110n, effects, { storage: 10n, credit: -3n }, { storage: 12n, tax: 2n });
    expect(steps.map(({ step, micros }) => [step, micros])).toEqual([
      ["volume", 5n],
      ["mix", 0n],
      ["price", -2n],
      ["storage", 2n],
      ["credit", 3n],
      ["tax", 2n],
      ["unexplained", 0n],
    ]);
    expect(steps.map(({ fromMicros }) => fromMicros)).toEqual([100n, 105n, 105n, 103n, 105n, 108n, 110n]);
  });

  test("says what no step explains", () => {
    expect(bridgeOf(100n, 110n, effects, {}, {}).at(-1)).toEqual({ step: "unexplained", fromMicros: 103n, micros: 7n });
  });
});
