import { describe, expect, test } from "vitest";
import { readFilter, sortRows } from "./filter";
import { NO_LABELS } from "./workloads";

const NOW = 1_000_000;
const row = (name: string, change: object = {}) => ({
  name,
  externalId: `id-${name}`,
  status: "active" as const,
  typeName: "gpu_1x_gh200",
  gpuModel: "GH200",
  gpus: 1,
  region: "us-east-3",
  ip: "10.0.0.1",
  labels: { ...NO_LABELS, team: "research" },
  isBilled: true,
  priceMicros: "2290000",
  todayMicros: "10000000",
  utilizationPct: 80,
  memoryUsedMib: 50,
  memoryTotalMib: 100,
  temperatureC: 60,
  powerW: 500,
  telemetry: { state: "reporting" as const, at: NOW - 5_000, intervalMs: 10_000, error: null },
  idle: null,
  alert: null,
  purpose: "",
  protection: null,
  ...change,
});
const fleet = [
  row("gh-train-01"),
  row("gh-train-02", { utilizationPct: 2, labels: { ...NO_LABELS, team: "ml" }, idle: { kind: "held", since: 0 } }),
  row("a10-dev", {
    typeName: "gpu_1x_a10",
    priceMicros: "1290000",
    utilizationPct: null,
    telemetry: { state: "silent", at: null, intervalMs: 10_000, error: null },
  }),
  row("h100", { gpus: 8, priceMicros: null, memoryUsedMib: 96, status: "unhealthy" }),
];
const names = (text: string) => fleet.filter((one) => readFilter(text).matches(one, NOW)).map(({ name }) => name);

describe("the fleet's text filter", () => {
  test.each([
    ["", ["gh-train-01", "gh-train-02", "a10-dev", "h100"]],
    ["train", ["gh-train-01", "gh-train-02"]],
    ["util<5", ["gh-train-02"]],
    ["util>=0 -team:ml", ["gh-train-01", "h100"]],
    ["team:ml,research type:gh200 cost>2", ["gh-train-01", "gh-train-02"]],
    ["status:idle", ["gh-train-02"]],
    ["status:silent", ["a10-dev"]],
    ["vram>95%", ["h100"]],
    ["gpus=8", ["h100"]],
    ["age<10s -h100", ["gh-train-01", "gh-train-02"]],
    ["team:", ["gh-train-01", "gh-train-02", "a10-dev", "h100"]],
    ["project:none status:unhealthy", ["h100"]],
  ])("%s", (text, expected) => expect(names(text)).toEqual(expected));

  test("a value that is not known satisfies no comparison", () => {
    expect(names("util<100")).not.toContain("a10-dev");
    expect(names("util>=0")).not.toContain("a10-dev");
    expect(names("cost<1000")).not.toContain("h100");
  });

  test.each([
    ["speed>3", /no field “speed”/],
    ["util>fast", /compared with a number/],
    ["team>3", /is a word/],
  ])("%s is explained and left out", (text, words) => {
    const { problems } = readFilter(text);
    expect(problems.join()).toMatch(words);
    expect(names(text)).toHaveLength(fleet.length);
  });
});

describe("sorting", () => {
  const sorted = (by: "util" | "cost" | "name", isDescending: boolean) =>
    sortRows(fleet, by, isDescending, NOW).map(({ name }) => name);
  test("what is not known comes last, both ways", () => {
    expect(sorted("util", false).at(-1)).toBe("a10-dev");
    expect(sorted("util", true).at(-1)).toBe("a10-dev");
    expect(sorted("cost", true).at(-1)).toBe("h100");
  });
  test("equals stay in order of name", () => {
    expect(sorted("cost", true).slice(0, 2)).toEqual(["gh-train-01", "gh-train-02"]);
  });
});
