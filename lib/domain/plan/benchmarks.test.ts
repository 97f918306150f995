import { describe, expect, test } from "vitest";
import {
  BENCHMARKS,
  costOf,
  hoursFor,
  inFlight,
  measuredFigure,
  REQUESTS,
  requestsFigure,
  TOKENS,
  tokensFigure,
} from "./benchmarks";
import { earlyLines } from "./early-stop";
import { evaluated } from "./formula.testing";
import { CLUSTERS, downMinutes, nodesOf, speedFactor } from "./lambda-catalogue";

// The table of the requirement, with what it comes to.
test.each([
  ["GPT-2 small", 11.11, 5.84, 0.974],
  ["GPT-2 large", 23.15, 70.83, 8.5],
  ["GPT-J 6B", 34.72, 127.53, 22.67],
  ["Llama 7B", 46.3, 170.05, 29.15],
  ["Llama 65B", 69.44, 2_040, null],
])("%s: 100M tokens in %d h for $%d, a million requests for $%s", (model, hours, tokensUsd, requestsUsd) => {
  const bench = BENCHMARKS.find((one) => one.model === model);
  if (!bench) throw new Error(`No benchmark of ${model}`);
  expect(hoursFor(bench.tokensPerSecond)).toBeCloseTo(hours, 2);
  expect(Number(costOf(TOKENS, bench.tokensPerSecond, bench.usdPerHour)) / 1e6).toBeCloseTo(tokensUsd, 2);
  expect(evaluated(tokensFigure(bench))).toBeCloseTo(tokensUsd, 2);
  const requests = requestsFigure(bench);
  expect(requests?.amount ?? null).toEqual(requestsUsd === null ? null : expect.closeTo(requestsUsd, 2));
  if (requests) expect(evaluated(requests)).toBeCloseTo(requests.amount ?? Number.NaN, 4);
});

test("150 requests a second at 120 ms are 18 in flight", () => {
  expect(inFlight(150, 120)).toBe(18);
  expect(costOf(REQUESTS, 150, "0.526")).toBe(974_074n);
});

describe("measured figures", () => {
  const one = {
    model: "m",
    perMillionTokens: "123456",
    perThousandRequests: null,
    tokens: 1_000_000,
    gpuMinutes: 60,
    costMicros: "1",
  };
  test("a measured price of a million tokens is told for a hundred", () => {
    const figure = measuredFigure(one, "tokens", 30);
    expect(figure?.value).toBe("$12.35");
    expect(figure && evaluated(figure)).toBeCloseTo(12.3456, 6);
  });
  test("what was not counted has no price", () => {
    expect(measuredFigure(one, "requests", 30)).toBeNull();
  });
});

test("early stopping: what was promised, and what can be", () => {
  const lines = earlyLines();
  expect(lines.map(({ savedPct, figure, isPossible }) => [savedPct, figure.value, isPossible])).toEqual([
    [30, "$10.84", false],
    [50, "$7.74", true],
    [51, "$7.59", true],
    [80, "$3.10", true],
  ]);
  for (const { figure } of lines) expect(evaluated(figure)).toBeCloseTo(figure.amount ?? Number.NaN, 5);
});

describe("the catalogue of Lambda", () => {
  test("clusters of 16 to 512 GPUs are 2 to 64 nodes", () => {
    expect(CLUSTERS.map(({ fromGpus, toGpus }) => [nodesOf(fromGpus), nodesOf(toGpus)])).toEqual([
      [2, 4],
      [8, 16],
      [32, 64],
    ]);
  });

  test.each([
    ["H100", "A100", 1.667],
    ["H200", "H100", 1.14],
    ["B200", "H100", 2.5],
    ["H100", "V100", 5],
  ])("%s is %s times %d by the chart", (gpu, against, factor) => {
    expect(speedFactor(gpu, against)).toBeCloseTo(factor, 3);
  });

  test("a GPU that the chart has not has no factor, and 99.9 % leave 43.2 min of 30 days", () => {
    expect(speedFactor("T4", "A100")).toBeNull();
    expect(downMinutes(99.9, 30)).toBeCloseTo(43.2, 6);
  });
});
