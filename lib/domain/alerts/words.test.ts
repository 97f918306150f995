import { describe, expect, it } from "vitest";
import { DEFAULT_PACK } from "./default-pack";
import { conditionText, limitText, type RuleText, selectorText, valueText } from "./words";

const plain = (text: string | null) => text?.replace(/[\u00a0\u202f]/g, " ") ?? null;
const packed = (key: string): RuleText => {
  const rule = DEFAULT_PACK.find(({ packKey }) => packKey === key);
  if (!rule) throw new Error(`No rule ${key}`);
  return rule;
};

describe("a rule in one line", () => {
  it.each([
    ["gpu-saturated", "GPU utilisation above 90 % for 10 min"],
    ["vram-full", "GPU memory in use above 90 % for 5 min"],
    ["gpu-overheating", "At its own slowdown limit for 1 min"],
    ["telemetry-lost", "No report for three intervals while billing"],
    ["instance-unhealthy", "Lambda reports the instance as unhealthy"],
    ["stuck-booting", "Booting for more than 15 min"],
    ["lambda-stale", "Lambda has not answered for 3 min"],
    ["spend-per-day", "Spend today above $1,000.00"],
  ])("%s: %s", (key, text) => expect(plain(conditionText(packed(key)))).toBe(text));

  it("a comparison that a plain sentence does not fit is written out", () => {
    expect(plain(conditionText({ ...packed("spend-per-day"), comparison: "below", threshold: 5 }))).toBe(
      "Spend today below $5.00",
    );
  });

  it("no default rule shows milliseconds or bare numbers", () => {
    for (const rule of DEFAULT_PACK) expect(conditionText(rule)).not.toMatch(/\d{5,}|ms/);
  });
});

describe("a value", () => {
  it.each([
    ["vram-high", 87.66904939982099, "87.7 %"],
    ["vram-high", 85.0206598903861, "85.02 %"],
    ["vram-high", 85, "85 %"],
    ["gpu-hot", 4, "4 °C below its limit"],
    ["gpu-hot", -1, "1 °C above its limit"],
    ["telemetry-lost", 33_465_000, "overdue for 9 h 17 min"],
    ["telemetry-lost", -5_000, "reports in time"],
    ["instance-unhealthy", 1, "unhealthy"],
    ["instance-unhealthy", 0, "not unhealthy"],
    ["stuck-booting", 0, "not booting"],
    ["spend-per-day", 1012.3, "$1,012.30 today"],
    ["gpu-hot", null, null],
  ])("of %s, %s, is %s", (key, value, text) => expect(plain(valueText(packed(key), value))).toBe(text));

  it("infinite stays infinite", () => {
    expect(plain(valueText(packed("gpu-saturated"), Number.POSITIVE_INFINITY))).toBe("infinite %");
  });
});

it("a flag on a chart says side and value", () => {
  expect(plain(limitText(packed("training-starved")))).toBe("below 80 %");
});

it.each([
  [{}, ""],
  [{ workload: [] }, ""],
  [{ workload: ["inference"] }, "inference"],
  [{ workload: ["training", "batch", "dev"], team: ["ml"] }, "training, batch or dev; team ml"],
] as const)("selector %j reads %s", (selector, text) => expect(selectorText(selector)).toBe(text));
