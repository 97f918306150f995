import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { estimateOf, groupUnits, type Units, type Work } from "./units";

const USD = 1_000_000n;
const work = (id: string, costUsd: number | null, made: Record<string, Units>, over: Partial<Work> = {}): Work => ({
  id,
  workload: "inference",
  team: "serving",
  costMicros: costUsd === null ? null : BigInt(costUsd) * USD,
  gpuMinutes: 60,
  made: new Map(Object.entries(made)),
  ...over,
});

describe("what a unit cost", () => {
  test("is the money of those that counted it by what they counted", () => {
    const [group] = groupUnits(
      [
        work("a", 10, { "chat-8b": { tasks: 2_000, tokens: 4_000_000 } }),
        work("b", 30, { "": { tasks: 2_000 } }),
        work("c", 7, {}),
      ],
      "workload",
    );
    expect(group).toMatchObject({ key: "inference", works: 3, costMicros: 47n * USD, unknown: 0 });
    expect(group?.prices).toEqual({
      perThousandTasks: 10n * USD,
      perMillionTokens: 2_500_000n,
      perMillionAllTokens: null,
      perThousandSamples: null,
      perEpoch: null,
      perWork: 15_666_667n,
    });
  });

  test.each([
    ["no units", { epochs: 0 }, null],
    ["ten epochs of 72 minutes at $1.29/h (C51)", { epochs: 10 }, 1_548_000n],
  ])("of %s", (_, units, expected) => {
    const training = work("t", 0, { "": units }, { costMicros: 15_480_000n, workload: "training" });
    expect(groupUnits([training], "workload")[0]?.prices.perEpoch).toBe(expected);
  });

  test("with prompts and answers together only where both are counted", () => {
    const [group] = groupUnits([work("a", 6, { m: { tokens: 1_000_000, promptTokens: 2_000_000 } })], "model");
    expect(group?.prices).toMatchObject({ perMillionTokens: 6n * USD, perMillionAllTokens: 2n * USD });
  });

  test("leaves out works whose money is not known, and says how many", () => {
    const [group] = groupUnits(
      [work("a", 10, { "": { tasks: 1_000 } }), work("b", null, { "": { tasks: 9_000 } })],
      "team",
    );
    expect(group).toMatchObject({ key: "serving", unknown: 1, units: { tasks: 10_000 } });
    expect(group?.prices.perThousandTasks).toBe(10n * USD);
  });

  test("by model splits a work by its tokens, to the last micro-dollar", () => {
    const models = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.integer({ min: 0, max: 1_000_000 }), {
      minKeys: 1,
    });
    fc.assert(
      fc.property(models, fc.integer({ min: 0, max: 1_000_000 }), (tokens, micros) => {
        const made = Object.fromEntries(Object.entries(tokens).map(([model, count]) => [model, { tokens: count }]));
        const groups = groupUnits([work("a", 0, made, { costMicros: BigInt(micros) })], "model");
        expect(groups.reduce((sum, one) => sum + one.costMicros, 0n)).toBe(BigInt(micros));
        expect(groups.reduce((sum, one) => sum + one.gpuMinutes, 0)).toBeCloseTo(60);
      }),
    );
  });
});

test.each([
  [100n, 110n, { offPct: 10, isGood: true }],
  [100n, 111n, { offPct: 11, isGood: false }],
  [100n, 66n, { offPct: -34, isGood: false }],
  [0n, 5n, null],
])("an estimate of %d against %d", (estimate, actual, expected) =>
  expect(estimateOf(estimate, actual)).toEqual(expected),
);
