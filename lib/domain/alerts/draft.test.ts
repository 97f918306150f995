import { describe, expect, it } from "vitest";
import { DEFAULT_PACK } from "./default-pack";
import { draftOf, inputOf, NEW_DRAFT, selectorOf, thresholdOf, withMetric } from "./draft";
import { NewAlertRule } from "./rule-input";

describe("a rule through the form and back", () => {
  it.each(DEFAULT_PACK.map((rule) => [rule.packKey, rule] as const))("%s is the same rule", (_, packed) => {
    const { packKey: _key, ...rule } = packed;
    const parsed = NewAlertRule.parse(inputOf(draftOf({ ...rule, enabled: true })));
    const { selector, ...rest } = parsed;
    const { selector: given, ...wanted } = rule;
    expect(rest).toEqual({ ...wanted, enabled: true });
    expect(selector.workload).toEqual(given.workload ?? []);
  });

  it("a new draft needs a name and nothing else", () => {
    const refused = NewAlertRule.safeParse(inputOf(NEW_DRAFT));
    expect(refused.error?.issues.map(({ path }) => path.join("."))).toEqual(["name"]);
    expect(NewAlertRule.safeParse(inputOf({ ...NEW_DRAFT, name: "Busy" })).success).toBe(true);
  });
});

describe("what is typed", () => {
  const silence = { ...NEW_DRAFT, name: "Silent", kind: "telemetry", metric: "silentMs" } as const;

  it("durations are typed in minutes", () => {
    expect(NewAlertRule.parse(inputOf({ ...silence, threshold: "2.5" })).threshold).toBe(150_000);
    expect(thresholdOf(silence, "5")).toBe(300_000);
  });

  it("what is no number is refused as it was typed", () => {
    const refused = NewAlertRule.safeParse(inputOf({ ...silence, threshold: "five" }));
    expect(refused.error?.issues[0]?.path).toEqual(["threshold"]);
    expect(thresholdOf(silence, "five")).toBeNull();
    expect(thresholdOf(silence, " ")).toBeNull();
  });

  it("selectors are words with commas", () => {
    expect(selectorOf({ ...NEW_DRAFT, team: " ml, ,vision " })).toMatchObject({ team: ["ml", "vision"], type: [] });
  });

  it("another metric keeps a threshold that can hold there, and drops one that means something else", () => {
    expect(withMetric(NEW_DRAFT, "gpu_metric", "memoryUsedPct").threshold).toBe("90");
    expect(withMetric(NEW_DRAFT, "gpu_metric", "temperatureC").threshold).toBe("");
    expect(withMetric(silence, "telemetry", "overdueMs").threshold).toBe("90");
  });
});
