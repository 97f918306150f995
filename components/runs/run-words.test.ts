import { describe, expect, test } from "vitest";
import { bigCount, gpuWords, latencyText, perSecondText, successText, unitUsd } from "./run-words";

const place = { instanceId: "1", instanceName: "gh", typeName: null, region: null, gpusHeld: 1 };

test.each([
  [{ gpuPositions: [], gpusOfInstance: 1 }, "1 GPU"],
  [{ gpuPositions: [], gpusOfInstance: 8 }, "all 8 GPUs"],
  [{ gpuPositions: [3], gpusOfInstance: 8 }, "GPU 3 of 8"],
  [{ gpuPositions: [0, 1], gpusOfInstance: 8 }, "GPUs 0, 1 of 8"],
])("%o is %s", (part, words) => {
  expect(gpuWords({ ...place, ...part }).replaceAll("\u00a0", " ")).toBe(words);
});

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

describe("amounts", () => {
  test.each([
    [null, "—"],
    [4.25, "4.3 ms"],
    [384.4, "384 ms"],
    [1_420, "1.42 s"],
  ])("latency %s", (ms, text) => expect(plain(latencyText(ms))).toBe(text));
  test("latency beyond the buckets is at least that", () => expect(plain(latencyText(2_500, true))).toBe("≥ 2.50 s"));
  test.each([
    [null, "—"],
    [0.421, "0.42 /s"],
    [12.34, "12.3 /s"],
    [1240.4, "1,240 /s"],
  ])("rate %s", (value, text) => expect(plain(perSecondText(value))).toBe(text));
  test.each([
    [null, "—"],
    [999, "999"],
    [120_000, "120,000"],
    [8_412_000, "8.41 M"],
    [41_000_000_000, "41.0 G"],
  ])("count %s", (value, text) => expect(plain(bigCount(value))).toBe(text));
  test.each([
    [null, "—"],
    [1, "100 %"],
    [0.99996, "99.99 %"],
    [0.9812, "98.12 %"],
    [0.5, "50 %"],
    [0, "0 %"],
  ])("success %s", (ratio, text) => expect(plain(successText(ratio))).toBe(text));
  test.each([
    ["0", "$0.00"],
    ["2290000", "$2.29"],
    ["420", "$0.00042"],
    ["13107", "$0.0131"],
    ["9999", "$0.00999"],
    ["500000", "$0.50"],
    ["12", "$0.000012"],
  ])("unit price %s", (micros, text) => expect(unitUsd(micros)).toBe(text));
});
