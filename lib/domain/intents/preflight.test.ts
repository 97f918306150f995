import { describe, expect, test } from "vitest";
import { Guardrails } from "./guardrails";
import { choice, gh200, HOUR, MINUTE, MONTH_END, NOW, offers, oneOf, verdict } from "./launch.testing";
import type { LaunchBudget, LaunchChoice, LaunchOffers } from "./offers";
import { preflight } from "./preflight";

describe("pre-flight", () => {
  test("what is well is said to be well, each once, and nothing stands in the way", () => {
    const checks = preflight(choice(), offers());
    expect(checks.map(({ level }) => level)).toEqual(checks.map(() => "pass"));
    expect(new Set(checks.map(({ key }) => key)).size).toBe(checks.length);
    expect(checks.every(({ title }) => title !== "")).toBe(true);
  });

  const stale = {
    now: NOW,
    lastOkAt: NOW - 6 * MINUTE,
    staleSince: NOW - 6 * MINUTE,
    error: "timeout",
    isFrozen: false,
  };
  const frozen = { ...stale, lastOkAt: NOW, staleSince: null, isFrozen: true };
  const budget = (spentMicros: string, microsPerHour = "10000000"): LaunchBudget[] => [
    { name: "Fleet", selector: {}, micros: "3500000000", spentMicros, microsPerHour, to: MONTH_END },
  ];
  const idle = (more: object = {}) => ({
    id: "0190b8a2-1111-7222-8333-000000000001",
    name: "gh-idle-01",
    typeName: "gpu_1x_gh200",
    gpuModel: "GH200",
    team: "research",
    project: "",
    purpose: "",
    owner: "",
    since: NOW - HOUR,
    ...more,
  });
  const guarded = (rails: object) => ({ guardrails: Guardrails.parse(rails) });

  test.each<[string, Partial<LaunchChoice>, Partial<LaunchOffers>, string, "pass" | "warning" | "error", string]>([
    ["a refused key", {}, { freshness: frozen }, "connection", "error", "refuses our key"],
    ["an old fleet", {}, { freshness: stale }, "connection", "warning", "not up to date"],
    ["an unknown type", { typeName: "gpu_9x" }, {}, "type", "error", "No machine is chosen"],
    ["no capacity now", { region: "us-east-1" }, {}, "capacity", "warning", "No capacity listed in us-east-1"],
    ["a region never listed", { region: "mars" }, {}, "capacity", "warning", "No capacity listed in mars"],
    ["capacity read long ago", {}, { readAt: NOW - 91_000 }, "capacity", "warning", "not read lately"],
    ["capacity never read", {}, { readAt: null }, "capacity", "warning", "not read lately"],
    ["a price 5 min old", {}, { readAt: NOW - 5 * MINUTE }, "price", "pass", "$2.29/h"],
    ["a price older than 5 min", {}, { readAt: NOW - 5 * MINUTE - 1 }, "price", "error", "more than 5 min old"],
    ["an unknown price", {}, { offers: [{ ...gh200, priceMicros: null }] }, "price", "error", "not known"],
    ["a fitting image", { imageFamily: "lambda-stack-24-04" }, {}, "image", "pass", "Image for arm64"],
    ["an image for another CPU", { imageFamily: "x86-only" }, {}, "image", "error", "not for arm64"],
    ["an image of another region", { imageFamily: "elsewhere" }, {}, "image", "error", "not offered in us-east-3"],
    ["no key in the account", { sshKeyName: "" }, { sshKeys: [] }, "ssh-key", "error", "no SSH key in the account"],
    ["no key chosen", { sshKeyName: "" }, {}, "ssh-key", "error", "No SSH key is chosen"],
    ["a key that went", { sshKeyName: "old" }, {}, "ssh-key", "error", "No SSH key is chosen"],
    ["a file system here", { fileSystemName: "moe-scratch" }, {}, "filesystem", "pass", "same region"],
    ["a file system elsewhere", { fileSystemName: "far-away" }, {}, "filesystem", "error", "is in us-west-1"],
    ["no such file system", { fileSystemName: "gone" }, {}, "filesystem", "error", "no such file system"],
    ["no name", { name: "" }, {}, "name", "error", "will not do"],
    ["a name with a space", { name: "gh 1" }, {}, "name", "error", "will not do"],
    ["a name that runs", { name: "gh-train-02" }, {}, "name", "warning", "gh-train-02 runs already"],
    ["no team", { team: "" }, {}, "owner", "warning", "No team"],
    ["within the budget", {}, { budgets: budget("100000000", "1000000") }, "budget", "pass", "Within"],
    ["past the budget", {}, { budgets: budget("2000000000") }, "budget", "warning", "Passes the budget on 25 Nov"],
    ["a budget used up", {}, { budgets: budget("3500000000") }, "budget", "warning", "used up"],
    [
      "another team's budget",
      {},
      { budgets: [{ ...oneOf(budget("3500000000")), selector: { team: "nlp" } }] },
      "connection",
      "pass",
      "answers",
    ],
    [
      "its own team's budget",
      {},
      { budgets: [{ ...oneOf(budget("3500000000")), name: "R&D", selector: { team: "research" } }] },
      "budget",
      "warning",
      "The budget of R&D is used up",
    ],
    [
      "a budget that policy makes a limit",
      {},
      { budgets: budget("3500000000"), ...guarded({ checks: { budget: "block" } }) },
      "budget",
      "error",
      "used up",
    ],
    ["an idle one of the team", {}, { idle: [idle()] }, "reuse", "warning", "A GH200 is under 5 % now: reuse it?"],
    [
      "three idle ones",
      {},
      { idle: [idle(), idle(), idle()] },
      "reuse",
      "warning",
      "3 GH200s are under 5 % now: reuse one?",
    ],
    ["an idle one of another team", {}, { idle: [idle({ team: "nlp" })] }, "reuse", "pass", "Nothing like it"],
    [
      "an idle one of the same purpose",
      { purpose: "eval" },
      { idle: [idle({ team: "nlp", purpose: "Eval" })] },
      "reuse",
      "warning",
      "reuse it",
    ],
    [
      "an idle one of another purpose",
      { purpose: "eval" },
      { idle: [idle({ purpose: "train" })] },
      "reuse",
      "pass",
      "Nothing like it",
    ],
    [
      "an idle one of another type",
      {},
      { idle: [idle({ typeName: "gpu_1x_a10" })] },
      "reuse",
      "pass",
      "Nothing like it",
    ],
    [
      "a quota that Lambda said is used up",
      {},
      { quotaRefusal: { at: NOW - HOUR, message: "Quota exceeded." } },
      "quota",
      "warning",
      "quota is used up",
    ],
    [
      "a policy that stops launches",
      {},
      { stop: { act: "stop", words: "Budget" } },
      "policy",
      "error",
      "stops launches",
    ],
    ["a type that is allowed", {}, guarded({ types: ["gpu_1x_gh200"] }), "guardrails", "pass", "Within"],
    [
      "a type that is not",
      {},
      guarded({ types: ["gpu_1x_a10"] }),
      "guard-type",
      "error",
      "gpu_1x_gh200 is not allowed",
    ],
    [
      "a region that is not",
      {},
      guarded({ regions: ["us-west-1"] }),
      "guard-region",
      "error",
      "us-east-3 is not allowed",
    ],
    [
      "a region, by a policy that only warns",
      {},
      guarded({ regions: ["us-west-1"], checks: { "guard-region": "warn" } }),
      "guard-region",
      "warning",
      "not allowed",
    ],
    ["as much as a person may", {}, guarded({ maxPersonMicrosPerHour: "4580000" }), "guardrails", "pass", "Within"],
    ["more than a person may", {}, guarded({ maxPersonMicrosPerHour: "4579999" }), "guard-person", "error", "$4.58/h"],
    [
      "more than a person may, by their number",
      { count: 2 },
      guarded({ maxPersonMicrosPerHour: "4580000" }),
      "guard-person",
      "error",
      "$6.87/h",
    ],
    ["as much as the fleet may", {}, guarded({ maxFleetMicrosPerHour: "14290000" }), "guardrails", "pass", "Within"],
    ["more than the fleet may", {}, guarded({ maxFleetMicrosPerHour: "14289999" }), "guard-fleet", "error", "$14.29/h"],
    ["a name that fits the pattern", {}, guarded({ namePattern: "gh-*" }), "guardrails", "pass", "Within"],
    ["a name that does not", {}, guarded({ namePattern: "nlp-*" }), "guard-name", "error", "does not fit"],
    [
      "labels that are needed",
      {},
      guarded({ labels: ["team", "purpose", "costCenter"] }),
      "guard-labels",
      "error",
      "Needed: purpose, cost centre",
    ],
    [
      "no team, where it is needed",
      { team: "" },
      guarded({ labels: ["team"] }),
      "guard-labels",
      "error",
      "Needed: team",
    ],
    ["no lease, where one is needed", {}, guarded({ maxLeaseMs: 8 * HOUR }), "guard-lease", "error", "no lease"],
    [
      "a lease as long as may be",
      { leaseUntil: NOW + 8 * HOUR },
      guarded({ maxLeaseMs: 8 * HOUR }),
      "guardrails",
      "pass",
      "Within",
    ],
    [
      "a longer lease",
      { leaseUntil: NOW + 9 * HOUR },
      guarded({ maxLeaseMs: 8 * HOUR }),
      "guard-lease",
      "error",
      "too long",
    ],
    ["a lease in the past", { leaseUntil: NOW - 1 }, {}, "lease", "error", "over already"],
    ["two machines of a taken name", { name: "gh-train-02", count: 2 }, {}, "name", "pass", "names are free"],
    ["a script of one's own", { userData: "#!/bin/sh\necho" }, {}, "own-data", "pass", "of your own"],
    ["start-up data of no known form", { userData: "echo" }, {}, "own-data", "error", "will not do"],
    ["no way home", {}, { unreachable: "PUBLIC_URL is …" }, "agent", "warning", "cannot report"],
  ])("%s", (_, given, seen, key, level, words) => {
    const check = verdict(choice(given), offers(seen), key);
    expect(check?.level).toBe(level);
    expect(check?.title).toContain(words);
  });

  test("the size of a file system is a number of bytes", () => {
    expect(verdict(choice({ fileSystemName: "moe-scratch" }), offers(), "filesystem")?.detail).toBe(
      "moe-scratch, 412 GiB",
    );
  });

  test("says what the budget does without the launch", () => {
    const detail = (spentMicros: string, microsPerHour: string) =>
      verdict(
        choice(),
        offers({
          budgets: [{ name: "Fleet", selector: {}, micros: "3500000000", spentMicros, microsPerHour, to: MONTH_END }],
        }),
        "budget",
      )?.detail;
    expect(detail("1000000000", "9900000")).toContain("not in its period");
    expect(detail("2000000000", "10000000")).toContain("on 26 Nov");
    expect(detail("3600000000", "10000000")).toContain("before this launch");
  });

  test("a form that is asked for a field names a field that it has", () => {
    const fields = new Set(Object.keys(choice()));
    const bad = choice({ typeName: "", region: "", imageFamily: "x", sshKeyName: "", fileSystemName: "x", name: "" });
    const named = [...preflight(bad, offers()), ...preflight({ ...bad, typeName: "gpu_1x_gh200" }, offers())].flatMap(
      ({ field }) => field ?? [],
    );
    expect(named.length).toBeGreaterThan(5);
    for (const field of named) expect(fields).toContain(field);
  });
});
