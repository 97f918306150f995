import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exactText, parseDecimal } from "@/lib/domain/cost/decimal";
import { drawPools, fitPools, judgePools, nominalShareGb, poolUse } from "./pools";

test.each([
  [["40", "30", "20", "6"], "96", "96", "0", true],
  [["60", "40", "30", "11"], "96", "141", "45", false],
  [["0.1", "0.2"], "0.3", "0.3", "0", true],
  [["0.1", "0.2", "0.05"], "0.3", "0.35", "0.05", false],
  [[], "96", "0", "0", true],
])("pools of %j in %s GB", (pools, memory, total, over, fits) => {
  const found = fitPools(pools.map(parseDecimal), parseDecimal(memory));
  expect({ ...found, sumGb: exactText(found.sumGb), overGb: exactText(found.overGb) }).toEqual({
    sumGb: total,
    overGb: over,
    fits,
  });
});

describe("pools on a card", () => {
  const two = [
    { name: "weights", gb: 60 },
    { name: "cache", gb: 36 },
  ];

  test("96 GB of pools end exactly at what a GH200 reports: GB are never converted", () => {
    const drawn = drawPools(two, 96, 97_871);
    expect(drawn?.map(({ toMib }) => toMib)).toEqual([(60 / 96) * 97_871, 97_871]);
    expect(drawn?.map(({ existsGb }) => existsGb)).toEqual([60, 36]);
  });

  test("what lies beyond the card does not exist", () => {
    const drawn = drawPools([...two, { name: "reserve", gb: 45 }], 96, 97_871);
    expect(drawn?.at(-1)).toMatchObject({ existsGb: 0, toMib: (141 / 96) * 97_871 });
    expect(
      drawPools(
        [
          { name: "a", gb: 60 },
          { name: "b", gb: 60 },
        ],
        96,
        97_871,
      )?.map(({ existsGb }) => existsGb),
    ).toEqual([60, 36]);
  });

  test("an unknown size draws nothing", () => {
    expect(drawPools(two, null, 97_871)).toBeNull();
    expect(drawPools(two, 96, null)).toBeNull();
  });

  test("S0-18: 85 % of a nominal 96 GB is 81.6 GB, 90 % is 86.4", () => {
    expect(nominalShareGb(85, 96)).toBe(81.6);
    expect(nominalShareGb(90, 96)).toBe(86.4);
  });

  test("S0-12, S0-13: 60 + 40 + 30 + 11 is 45 over 96; 40 + 30 + 20 + 6 fits", () => {
    const of = (...sizes: number[]) =>
      judgePools(
        sizes.map((gb) => ({ gb })),
        96,
      );
    expect(of(60, 40, 30, 11)).toEqual({ sumGb: 141, overGb: 45, underGb: 0, verdict: "over" });
    expect(of(40, 30, 20, 6)).toEqual({ sumGb: 96, overGb: 0, underGb: 0, verdict: "fits" });
    expect(of(91).verdict).toBe("under");
    expect(of(91.2).verdict).toBe("fits");
  });

  test("head-room is told where processes are listed and a pool names them", () => {
    const drawn = drawPools(two, 96, 97_871) ?? [];
    const named = drawn.map((pool, i) => ({ ...pool, processes: i === 0 ? ["python*"] : [] }));
    const held = [
      { name: "python3", usedMib: 40_000 },
      { name: "python3", usedMib: 10_000 },
      { name: "Xorg", usedMib: 20 },
    ];
    const is = (name: string, pattern: string) => name.startsWith(pattern.replace("*", ""));
    expect(poolUse(named, held, is)).toMatchObject([
      { usedMib: 50_000, freeMib: (60 / 96) * 97_871 - 50_000 },
      { usedMib: null },
    ]);
    expect(poolUse(named, null, is)[0]?.usedMib).toBeNull();
  });

  test("thousandths add up exactly, and pools and rest make the size", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 20 }), (thousandths) => {
        const { sumGb, overGb, underGb } = judgePools(
          thousandths.map((one) => ({ gb: one / 1_000 })),
          96,
        );
        expect(sumGb).toBe(thousandths.reduce((sum, one) => sum + one, 0) / 1_000);
        expect(Math.round((sumGb - overGb + underGb) * 1_000)).toBe(96_000);
      }),
    );
  });
});
