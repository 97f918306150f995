import { describe, expect, test } from "vitest";
import { fieldWords, valueWords } from "./fields";

describe("a field of an entry", () => {
  test.each([
    ["typeName", "Type"],
    ["clearThreshold", "Clear threshold"],
    ["samplesDays", "Samples days"],
    ["somethingMicros", "Something"],
    ["idleMs", "Idle"],
    ["ssh_key_lrn", "Ssh key lrn"],
  ])("%s", (field, words) => expect(fieldWords(field)).toBe(words));

  test.each<[string, unknown, string]>([
    ["monthMicros", "12500000000", "$12,500.00"],
    ["microsPerHour", "2290000", "$2.29"],
    ["microsPerHour", null, "none"],
    ["forMs", 600_000, "10 min"],
    ["peakPct", 97, "97 %"],
    ["isDisabled", true, "yes"],
    ["enabled", false, "no"],
    ["threshold", 0, "0"],
    ["team", "", "none"],
    ["accepted", ["budget", "owner"], "budget, owner"],
    ["accepted", [], "none"],
    ["selector", {}, "none"],
    ["labels", { team: "research", owner: "", workload: "training" }, "team research, workload training"],
    ["selector", { workloads: ["training"], typeName: "gpu_1x_gh200" }, "workloads training, type gpu_1x_gh200"],
    ["nameMicros", "not a number", "not a number"],
  ])("%s: %j", (field, value, words) => expect(valueWords(field, value).replaceAll(/\s/g, " ")).toBe(words));
});
