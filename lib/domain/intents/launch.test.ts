import { describe, expect, test } from "vitest";
import { Guardrails, NO_GUARDRAILS } from "./guardrails";
import { NewLaunch } from "./launch";
import { labelProblem, namesOf, patternProblem } from "./names";
import { imagesFor, type LaunchBudget, type LaunchChoice, type LaunchOffers, type Offer } from "./offers";
import { ownDataProblem, ownDataType } from "./own-data";
import { preflight } from "./preflight";
import { budgetReachedAt, headroom } from "./preflight-money";

const NOW = Date.UTC(2026, 10, 20, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MONTH_END = Date.UTC(2026, 11, 1);

const gh200: Offer = {
  typeName: "gpu_1x_gh200",
  description: "1x GH200 (96 GB)",
  gpuModel: "GH200",
  gpus: 1,
  gpuMemoryGb: 96,
  architecture: "arm64",
  vcpus: 64,
  memoryGib: 432,
  storageGib: 4096,
  priceMicros: "2290000",
  priceSince: Date.UTC(2026, 9, 27),
  prices: [
    { micros: "1490000", from: Date.UTC(2026, 4, 12) },
    { micros: "2290000", from: Date.UTC(2026, 9, 27) },
  ],
  regions: [
    { name: "us-east-3", isListed: true, share: 0.72, seenAt: NOW },
    { name: "us-east-1", isListed: false, share: 0.1, seenAt: NOW - 2 * HOUR },
  ],
};

const offers = (more: Partial<LaunchOffers> = {}): LaunchOffers => ({
  now: NOW,
  freshness: { now: NOW, lastOkAt: NOW, staleSince: null, error: null, isFrozen: false },
  readAt: NOW - 20_000,
  offers: [gh200],
  images: [
    { family: "lambda-stack-24-04", name: "Lambda Stack 24.04", region: "us-east-3", architecture: "arm64" },
    { family: "lambda-stack-24-04", name: "Lambda Stack 24.04", region: "us-east-3", architecture: "x86_64" },
    { family: "x86-only", name: "x86 only", region: "us-east-3", architecture: "x86_64" },
    { family: "elsewhere", name: "Elsewhere", region: "us-west-1", architecture: "arm64" },
  ],
  sshKeys: ["team-key", "laptop"],
  filesystems: [
    { name: "moe-scratch", region: "us-east-3", bytesUsed: 412 * 1024 ** 3 },
    { name: "far-away", region: "us-west-1", bytesUsed: 0 },
  ],
  regions: [{ name: "us-east-3", description: "Washington DC" }],
  names: ["gh-train-02"],
  words: { owners: [], teams: [], projects: [], environments: [], costCenters: [], purposes: [] },
  fleetMicrosPerHour: "10000000",
  committedMicrosPerHour: "12000000",
  personMicrosPerHour: "2290000",
  budgets: [],
  idle: [],
  quotaRefusal: null,
  record: [],
  guardrails: NO_GUARDRAILS,
  stop: null,
  unreachable: null,
  zone: "UTC",
  ...more,
});

const choice = (more: Partial<LaunchChoice> = {}): LaunchChoice => ({
  typeName: "gpu_1x_gh200",
  region: "us-east-3",
  imageFamily: null,
  sshKeyName: "team-key",
  fileSystemName: null,
  name: "gh-train-04",
  count: 1,
  team: "research",
  owner: "ada",
  project: "",
  environment: "",
  costCenter: "",
  purpose: "",
  leaseUntil: null,
  userData: "",
  ...more,
});

const oneOf = <T>(list: readonly T[]): T => {
  const [first] = list;
  if (first === undefined) throw new Error("empty");
  return first;
};

/** One check, with plain spaces. */
const verdict = (given: LaunchChoice, seen: LaunchOffers, key: string) => {
  const check = preflight(given, seen).find((one) => one.key === key);
  const plain = (text: string) => text.replaceAll(/\s/g, " ");
  return check && { ...check, title: plain(check.title), detail: plain(check.detail) };
};

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

describe("images", () => {
  test("are those of the region and the CPU, each family once", () => {
    expect(imagesFor(gh200, "us-east-3", offers()).map(({ family }) => family)).toEqual(["lambda-stack-24-04"]);
    expect(imagesFor(gh200, "us-west-1", offers()).map(({ family }) => family)).toEqual(["elsewhere"]);
    expect(imagesFor(gh200, "mars", offers())).toEqual([]);
  });

  test("are all of the region where the CPU is not known", () => {
    const families = (offer: Offer | undefined) => imagesFor(offer, "us-east-3", offers()).map(({ family }) => family);
    expect(families(undefined)).toEqual(["lambda-stack-24-04", "x86-only"]);
    expect(families({ ...gh200, architecture: null })).toEqual(["lambda-stack-24-04", "x86-only"]);
  });
});

describe("when a budget is reached", () => {
  const budget = { micros: "100000000", spentMicros: "90000000", to: MONTH_END };
  test.each<[string, Partial<typeof budget>, bigint, number | null]>([
    ["$10 left at $2 per hour: in 5 h", {}, 2_000_000n, NOW + 5 * HOUR],
    ["at nothing per hour: never", {}, 0n, null],
    ["after the month: not in it", { to: NOW + 5 * HOUR - 1 }, 2_000_000n, null],
    ["on the last instant of the month: in it", { to: NOW + 5 * HOUR }, 2_000_000n, NOW + 5 * HOUR],
    ["spent to the last cent: now", { spentMicros: "100000000" }, 0n, NOW],
    ["overspent: now", { spentMicros: "900000000" }, 2_000_000n, NOW],
    ["a budget of nothing: now", { micros: "0", spentMicros: "0" }, 1n, NOW],
  ])("%s", (_, more, rate, expected) => expect(budgetReachedAt({ ...budget, ...more }, rate, NOW)).toBe(expected));
});

test("the budget that is gone first is the one that is told, and each counts what it holds", () => {
  const budget = (name: string, selector: object, spentMicros: string): LaunchBudget => ({
    name,
    selector,
    micros: "1000000000",
    spentMicros,
    microsPerHour: "0",
    to: MONTH_END,
  });
  const budgets = [
    budget("Fleet", {}, "900000000"),
    budget("Research", { team: "research" }, "990000000"),
    budget("Other", { team: "nlp" }, "1000000000"),
    budget("East", { region: "us-east-3", type: "gpu_1x_gh200" }, "0"),
  ];
  const found = headroom(choice(), gh200, offers({ budgets }));
  expect(found.map(({ budget: { name } }) => name)).toEqual(["Research", "Fleet", "East"]);
  expect(found[0]?.withIt).toBe(NOW + Number((10_000_000n * 3_600_000n) / 2_290_000n));
  expect(found[0]?.without).toBeNull();
});

describe("names", () => {
  test.each<[string, number, string[], string[]]>([
    ["gh", 1, [], ["gh"]],
    ["gh", 1, ["gh"], ["gh"]],
    ["gh", 3, [], ["gh-1", "gh-2", "gh-3"]],
    ["gh-{n}", 1, [], ["gh-1"]],
    ["gh-{n}", 2, ["gh-1", "gh-3"], ["gh-2", "gh-4"]],
    ["gh-{nn}-x", 2, ["gh-01-x"], ["gh-02-x", "gh-03-x"]],
    [" gh-{nnn} ", 1, [], ["gh-001"]],
  ])("%j for %d beside %j: %j", (pattern, count, taken, names) =>
    expect(namesOf(pattern, count, taken)).toEqual(names),
  );

  test("of a pattern are judged by the longest", () => {
    expect(patternProblem(`${"x".repeat(54)}{n}`, 9)).toBeNull();
    expect(patternProblem(`${"x".repeat(54)}{n}`, 10)).toMatch(/at most 55/);
    expect(patternProblem("", 2)).toMatch(/Give the machine a name/);
    expect(patternProblem("{m}", 1)).not.toBeNull();
  });

  test.each(["gh-train-04", "a", "0", "A.b_c-d", "x".repeat(55)])("%s will do", (name) =>
    expect(labelProblem(name)).toBeNull(),
  );
  test.each(["", " ", "-gh", ".gh", "gh 1", "gh/1", "għ", "gh\u202E", "x".repeat(56), "gh\n1"])("not %j", (name) =>
    expect(labelProblem(name)).not.toBeNull(),
  );
});

describe("start-up data of one's own", () => {
  test.each([
    ["#!/bin/bash\necho hi", "text/x-shellscript"],
    ["#cloud-config\npackages: [htop]", "text/cloud-config"],
    ["#cloud-config\r\npackages: [htop]", "text/cloud-config"],
  ])("%j is %s", (text, type) => {
    expect(ownDataProblem(text)).toBeNull();
    expect(ownDataType(text)?.type).toBe(type);
  });
  test.each(["echo hi", "Content-Type: multipart/mixed", "#include\nhttps://example.com", " #!/bin/sh", "#!/bin/sh\0"])(
    "not %j",
    (text) => expect(ownDataProblem(text)).not.toBeNull(),
  );
  test("of at most 64 KiB, counted in bytes", () => {
    const least = "#!\n";
    expect(ownDataProblem(least + "x".repeat(64 * 1024 - 3))).toBeNull();
    expect(ownDataProblem(`${least + "x".repeat(64 * 1024 - 4)}é`)).toMatch(/64 KiB/);
    expect(ownDataProblem("  \n")).toBeNull();
  });
});

test("an empty choice of image or file system is none, and what is not asked for does not come through", () => {
  const parsed = NewLaunch.parse({
    ...choice({ imageFamily: "", fileSystemName: "" }),
    intentId: "0190b8a2-1111-7222-8333-444455556666",
    priceMicros: "2290000",
    role: "admin",
  });
  expect(parsed).toMatchObject({
    imageFamily: null,
    fileSystemName: null,
    workload: "unknown",
    accepted: [],
    count: 1,
    leaseUntil: null,
    userData: "",
  });
  expect(parsed).not.toHaveProperty("role");
  expect(NewLaunch.safeParse({ ...parsed, priceMicros: "2.29" }).success).toBe(false);
  expect(NewLaunch.safeParse({ ...parsed, intentId: "1" }).success).toBe(false);
});
