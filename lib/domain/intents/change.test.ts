import { describe, expect, test } from "vitest";
import { type Concern, concernsOf, missingKeys, RequestTerminate, type UseFacts } from "./change";

const calm: UseFacts = {
  isBilled: true,
  telemetry: "reporting",
  peakPct: 2,
  isOurs: true,
  isReserved: false,
  launchedBy: null,
  owner: "",
  protection: null,
  self: ["Ada", "ada@example.com", "ada"],
};

describe("what makes an end worth a second thought", () => {
  test.each<[string, Partial<UseFacts>, Concern["key"][]]>([
    ["nothing at all", {}, []],
    ["5 % is idle", { peakPct: 5 }, []],
    ["more is busy", { peakPct: 5.1 }, ["busy"]],
    ["busy a moment ago and silent now", { peakPct: 90, telemetry: "silent" }, ["busy"]],
    ["silent counts as busy", { peakPct: null, telemetry: "silent" }, ["silent"]],
    ["never heard", { peakPct: null, telemetry: "never" }, ["silent"]],
    ["cannot be read", { peakPct: 1, telemetry: "failing" }, ["silent"]],
    ["reports, and no number came", { peakPct: null }, ["silent"]],
    ["not billed yet, so nothing runs on it", { isBilled: false, peakPct: null, telemetry: "not_expected" }, []],
    ["launched elsewhere", { isOurs: false }, ["not_ours"]],
    ["reserved", { isReserved: true }, ["reserved"]],
    ["protected, with or without a reason", { protection: "" }, ["protected"]],
    ["somebody else's", { owner: "grace" }, ["someone_elses"]],
    ["mine, by any of my names, whatever the case", { owner: "ADA" }, []],
    ["mine by address", { owner: "Ada@Example.com" }, []],
    [
      "everything",
      { peakPct: 99, isOurs: false, isReserved: true, owner: "grace" },
      ["busy", "not_ours", "reserved", "someone_elses"],
    ],
  ])("%s", (_, facts, keys) => expect(concernsOf({ ...calm, ...facts }).map(({ key }) => key)).toEqual(keys));

  test("who launched it is named where Lambda's log names somebody", () => {
    const detail = (launchedBy: string | null) => concernsOf({ ...calm, isOurs: false, launchedBy })[0]?.detail;
    expect(detail("API key …4d71")).toContain("API key …4d71");
    expect(detail(null)).toContain("does not say");
  });

  test("each needs its own yes", () => {
    const concerns = concernsOf({ ...calm, peakPct: 99, isOurs: false });
    expect(missingKeys(concerns, [])).toEqual(["busy", "not_ours"]);
    expect(missingKeys(concerns, ["not_ours", "something"])).toEqual(["busy"]);
    expect(missingKeys(concerns, ["not_ours", "busy"])).toEqual([]);
  });
});

describe("a request to end a machine", () => {
  const asked = {
    intentId: "0190b8a2-1111-7222-8333-444455556666",
    instanceId: "0190b8a2-1111-7222-8333-444455556667",
    planHash: "ab".repeat(32),
    seen: {
      name: "gh-1",
      typeName: "gpu_1x_gh200",
      region: "us-east-3",
      status: "active",
      tags: [],
      priceMicros: "2290000",
      concerns: [],
      holders: [],
      filesystems: [],
      protection: null,
    },
    confirmation: "gh-1",
  };
  test("has no concerns accepted and no reason unless it says so", () => {
    expect(RequestTerminate.parse(asked)).toMatchObject({ accepted: [], reason: "" });
    expect(RequestTerminate.parse({ ...asked, reason: "  done  " }).reason).toBe("done");
  });
  test.each([
    ["a hash that is none", { planHash: "xyz" }],
    ["an id that is none", { instanceId: "1" }],
    ["a reason without end", { reason: "x".repeat(501) }],
    ["nothing that was seen", { seen: undefined }],
    ["concerns without end", { accepted: Array.from({ length: 21 }, () => "busy") }],
  ])("not with %s", (_, more) => expect(RequestTerminate.safeParse({ ...asked, ...more }).success).toBe(false));
});
