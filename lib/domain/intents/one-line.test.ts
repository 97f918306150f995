import { describe, expect, test } from "vitest";
import { isLaunchLine } from "./launch-word";
import type { Offer } from "./offers";
import { parseLaunchLine } from "./one-line";
import { readSpan, spanText, spanWords } from "./span";

const HOUR = 3_600_000;
const offer = (typeName: string, gpuModel: string, gpus: number) => ({ typeName, gpuModel, gpus }) as Offer;
const known = {
  offers: [
    offer("gpu_1x_gh200", "GH200", 1),
    offer("gpu_1x_h100_pcie", "H100", 1),
    offer("gpu_1x_h100_sxm5", "H100", 1),
    offer("gpu_8x_h100_sxm5", "H100", 8),
    offer("gpu_1x_rtx6000", "RTX 6000", 1),
  ],
  regions: [
    { name: "us-east-3", description: "" },
    { name: "us-west-1", description: "" },
  ],
  sshKeys: ["Team-Key"],
  filesystems: [{ name: "moe-scratch", region: "us-east-3", bytesUsed: 0 }],
  images: [{ family: "lambda-stack-24-04", name: "Lambda Stack", region: "us-east-3", architecture: "arm64" }],
};

describe("one line", () => {
  test.each<[string, object]>([
    [
      "launch 2 gh200 us-east-3 name:train-{n} team:nlp lease:8h",
      { count: 2, typeName: "gpu_1x_gh200", region: "us-east-3", name: "train-{n}", team: "nlp", leaseMs: 8 * HOUR },
    ],
    ["launch us-east-3 GH200", { region: "us-east-3", typeName: "gpu_1x_gh200" }],
    ["LAUNCH gpu_8x_h100_sxm5", { typeName: "gpu_8x_h100_sxm5" }],
    ["launch 8x_h100", { typeName: "gpu_8x_h100_sxm5" }],
    ["launch 8xh100", { typeName: "gpu_8x_h100_sxm5" }],
    ["launch h100_pcie", { typeName: "gpu_1x_h100_pcie" }],
    ["launch 3x rtx6000", { count: 3, typeName: "gpu_1x_rtx6000" }],
    ["launch n:4 type:gh200", { count: 4, typeName: "gpu_1x_gh200" }],
    ['launch purpose:"nightly eval" cost:cc-12', { purpose: "nightly eval", costCenter: "cc-12" }],
    [
      "launch key:team-key fs:moe-scratch image:lambda-stack-24-04",
      {
        sshKeyName: "Team-Key",
        fileSystemName: "moe-scratch",
        imageFamily: "lambda-stack-24-04",
      },
    ],
    ["launch workload:training lease:1d12h", { workload: "training", leaseMs: 36 * HOUR }],
  ])("%s", (line, fields) => {
    const read = parseLaunchLine(line, known);
    expect(read.words.filter(({ problem }) => problem !== null)).toEqual([]);
    expect(read.fields).toEqual(fields);
    expect(read.isUnderstood).toBe(true);
  });

  test.each([
    ["launch h100", "may be gpu_1x_h100_pcie or gpu_1x_h100_sxm5"],
    ["launch 0 gh200", "is not from 1 to 20"],
    ["launch 21 gh200", "is not from 1 to 20"],
    ["launch gh200 mars", "is no region"],
    ["launch tpu", "is no type, GPU or region"],
    ["launch gh200 gh200", "is said twice"],
    ["launch lease:soon", "is no time"],
    ["launch lease:500d", "is no time"],
    ["launch lease:8", "is no time"],
    ["launch key:nobodys", "is no SSH key"],
    ["launch team:", "says nothing"],
    ["launch colour:red", "is no name that a launch knows"],
    ["launch constructor:x", "is no name that a launch knows"],
    ["launch workload:fun", "is none of"],
  ])("%s: %s", (line, words) => {
    const read = parseLaunchLine(line, known);
    expect(read.isUnderstood).toBe(false);
    expect(read.words.find(({ problem }) => problem?.includes(words))).toBeDefined();
  });

  test("each word comes back with what it was taken for", () => {
    const read = parseLaunchLine("launch 2 gh200 lease:8h mars", known);
    expect(read.words.map(({ text, meaning }) => [text, meaning?.replaceAll(/\s/g, " ") ?? null])).toEqual([
      ["2", "2 machines"],
      ["gh200", "gpu_1x_gh200"],
      ["lease:8h", "lease of 8 h"],
      ["mars", null],
    ]);
  });

  test.each([
    ["launch", true],
    ["  launch 2", true],
    ["launches", false],
    ["relaunch", false],
    ["", false],
  ])("%j is one: %s", (text, is) => expect(isLaunchLine(text)).toBe(is));
});

test.each([
  ["90m", 5_400_000, "1 h 30 min", "1h30m"],
  ["8h", 8 * HOUR, "8 h", "8h"],
  ["2w", 336 * HOUR, "14 d", "14d"],
  ["1d 12h", 36 * HOUR, "1 d 12 h", "1d12h"],
])("a span of %s", (typed, ms, words, text) => {
  expect(readSpan(typed)).toBe(ms);
  expect(spanWords(ms).replaceAll(/\s/g, " ")).toBe(words);
  expect(spanText(ms)).toBe(text);
  expect(readSpan(spanText(ms))).toBe(ms);
});
