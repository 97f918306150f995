import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BUNDLED_QUOTES } from "./catalogue";
import { quoteOf } from "./quotes.testing";
import { expectedRun, expectedStretch, measuredDiscounts, type SpotWork, spotAdvice } from "./spot";

/** The review's training: 12 hours on one A100, at $1.29 or $0.69. */
function work(given: Partial<SpotWork> = {}): SpotWork {
  return {
    runs: 4,
    hoursPerRun: 12,
    gpus: 1,
    onDemandMicros: 1_290_000n,
    spotMicros: 690_000n,
    interruptionsPerDay: 1,
    checkpointMinutes: 30,
    restartMinutes: 10,
    transferMicros: 0n,
    isGuaranteed: false,
    turnaroundHours: null,
    ...given,
  };
}

describe("S1-15: spot or on demand, with reasons", () => {
  test.each([
    ["several runs with checkpoints", {}, "spot", /cheaper with lost work/],
    ["it may not stop", { isGuaranteed: true }, "on_demand", /may not stop/],
    ["a single run without checkpoints", { runs: 1, checkpointMinutes: null }, "on_demand", /single run/],
    ["nobody sells it", { spotMicros: null }, "on_demand", /nobody/],
    ["not done in time", { turnaroundHours: 40 }, "on_demand", /in time/],
    ["in time", { turnaroundHours: 60 }, "spot", /cheaper/],
    ["hardly cheaper", { spotMicros: 1_200_000n }, "on_demand", /less than 10 %|costs more/],
    [
      "taken away each hour, without checkpoints",
      { interruptionsPerDay: 24, checkpointMinutes: null },
      "on_demand",
      /more than|never finish/,
    ],
    ["taken away all the time", { interruptionsPerDay: 240, checkpointMinutes: null }, "on_demand", /never finish/],
  ] as const)("%s", (_, given, choice, because) => {
    const advice = spotAdvice(work(given));
    expect(advice.choice).toBe(choice);
    expect(advice.because).toMatch(because);
    expect(advice.matrix).toHaveLength(5);
  });

  test("the matrix of the review says for each factor which way it points", () => {
    const votes = (given: Partial<SpotWork>) => spotAdvice(work(given)).matrix.map(({ speaksFor }) => speaksFor);
    expect(votes({})).toEqual(["spot", "spot", "spot", "on_demand", null]);
    expect(votes({ runs: 1, checkpointMinutes: null, isGuaranteed: true, transferMicros: 12_000_000n })).toEqual([
      "on_demand",
      "on_demand",
      "on_demand",
      null,
      null,
    ]);
    expect(votes({ turnaroundHours: 60 })[4]).toBe("spot");
  });

  test("S1-07: what the prices promise is 46.5 %; with lost work it is less", () => {
    const advice = spotAdvice(work());
    expect(advice.promisedPct).toBe(46.5);
    expect(advice.savedPct).toBeLessThan(46.5);
    expect(advice.onDemand.micros).toBe(61_920_000n);
    expect(spotAdvice(work({ interruptionsPerDay: 0 }))).toMatchObject({
      savedPct: 46.5,
      spot: { micros: 33_120_000n, interruptions: 0 },
    });
  });
});

describe("work that is lost", () => {
  test("nothing is lost where nothing is taken away", () => {
    expect(expectedStretch(3, 0, 1)).toEqual({ hours: 3, lost: 0 });
    expect(expectedRun(work({ interruptionsPerDay: 0 }))).toEqual({ hours: 12, interruptions: 0 });
  });

  test("the expectation is that of a simulation", () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const [stretch, perHour, restart] = [2, 0.3, 0.25];
    let total = 0;
    const tries = 40_000;
    for (let i = 0; i < tries; i++) {
      for (;;) {
        const life = -Math.log(1 - random()) / perHour;
        if (life >= stretch) break;
        total += life + restart;
      }
      total += stretch;
    }
    expect(total / tries).toBeCloseTo(expectedStretch(stretch, perHour, restart).hours, 1);
  });

  test("more interruptions, fewer checkpoints, slower restarts and dearer sessions never cost less", () => {
    const given = fc.record({
      runs: fc.integer({ min: 1, max: 20 }),
      hoursPerRun: fc.integer({ min: 1, max: 48 }),
      interruptionsPerDay: fc.integer({ min: 0, max: 6 }),
      checkpointMinutes: fc.integer({ min: 10, max: 600 }),
      restartMinutes: fc.integer({ min: 0, max: 60 }),
    });
    const cost = (one: SpotWork) => spotAdvice(one).spot?.micros ?? 10n ** 30n;
    fc.assert(
      fc.property(given, (one) => {
        const base = work(one);
        const micros = cost(base);
        expect(micros).toBeGreaterThanOrEqual(BigInt(one.runs * one.hoursPerRun) * 690_000n);
        expect(cost({ ...base, interruptionsPerDay: one.interruptionsPerDay + 1 })).toBeGreaterThanOrEqual(micros);
        expect(cost({ ...base, checkpointMinutes: null })).toBeGreaterThanOrEqual(micros - 1n);
        expect(cost({ ...base, restartMinutes: one.restartMinutes + 5 })).toBeGreaterThanOrEqual(micros);
        expect(cost({ ...base, transferMicros: 1_000_000n })).toBeGreaterThanOrEqual(micros);
      }),
      { numRuns: 200 },
    );
  });
});

describe("S4-17, S4-18: discounts are measured, not stated", () => {
  test("only where one source had both prices of one thing on one day", () => {
    const firm = quoteOf({ micros: 10_000_000n });
    expect(measuredDiscounts([firm, quoteOf({ tier: "spot", micros: 4_000_000n })])).toMatchObject([{ pct: 60 }]);
    expect(measuredDiscounts([firm, quoteOf({ tier: "spot", asOf: "2026-11-02" })])).toEqual([]);
    expect(measuredDiscounts([firm, quoteOf({ tier: "spot", status: "rejected" })])).toEqual([]);
  });

  test("the bundled prices have some for AWS, Azure and Google", () => {
    const found = measuredDiscounts(BUNDLED_QUOTES).map(({ provider, typeName, pct }) => [provider, typeName, pct]);
    expect(found).toContainEqual(["aws", "p4d.24xlarge", 70]);
    expect(found).toContainEqual(["azure", "Standard_NC24ads_A100_v4", 59.9]);
    expect(found).toContainEqual(["gcp", "a2-highgpu-1g", 70]);
    expect(found).toContainEqual(["gcp", "H100 without CPU and memory", 55]);
  });
});
