import { describe, expect, test } from "vitest";
import { MachineLabel, NewLaunch } from "./launch";
import { budgetReachedAt, imagesFor, type LaunchChoice, type LaunchOffers, type Offer, preflight } from "./preflight";

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
  regions: [
    { name: "us-east-3", isListed: true, share: 0.72 },
    { name: "us-east-1", isListed: false, share: 0.1 },
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
  words: { owners: [], teams: [], projects: [], environments: [], costCenters: [] },
  fleetMicrosPerHour: "10000000",
  budget: null,
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
  team: "research",
  owner: "ada",
  ...more,
});

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
  const budget = (spentMicros: string, microsPerHour = "10000000") => ({
    micros: "3500000000",
    spentMicros,
    microsPerHour,
    monthEnd: MONTH_END,
  });

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
    ["within the budget", {}, { budget: budget("100000000", "1000000") }, "budget", "pass", "Within"],
    ["past the budget", {}, { budget: budget("2000000000") }, "budget", "warning", "Passes the budget on 25 Nov"],
    ["a budget used up", {}, { budget: budget("3500000000") }, "budget", "warning", "used up"],
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
        offers({ budget: { micros: "3500000000", spentMicros, microsPerHour, monthEnd: MONTH_END } }),
        "budget",
      )?.detail;
    expect(detail("1000000000", "9900000")).toContain("not this month");
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
  const budget = { micros: "100000000", spentMicros: "90000000", microsPerHour: "0", monthEnd: MONTH_END };
  test.each<[string, Partial<typeof budget>, bigint, number | null]>([
    ["$10 left at $2 per hour: in 5 h", {}, 2_000_000n, NOW + 5 * HOUR],
    ["at nothing per hour: never", {}, 0n, null],
    ["after the month: not in it", { monthEnd: NOW + 5 * HOUR - 1 }, 2_000_000n, null],
    ["on the last instant of the month: in it", { monthEnd: NOW + 5 * HOUR }, 2_000_000n, NOW + 5 * HOUR],
    ["spent to the last cent: now", { spentMicros: "100000000" }, 0n, NOW],
    ["overspent: now", { spentMicros: "900000000" }, 2_000_000n, NOW],
    ["a budget of nothing: now", { micros: "0", spentMicros: "0" }, 1n, NOW],
  ])("%s", (_, more, rate, expected) => expect(budgetReachedAt({ ...budget, ...more }, rate, NOW)).toBe(expected));
});

describe("what a machine may be called", () => {
  test.each(["gh-train-04", "a", "0", "A.b_c-d", "x".repeat(55), " padded "])("%s", (name) =>
    expect(MachineLabel.safeParse(name).success).toBe(true),
  );
  test.each(["", " ", "-gh", ".gh", "gh 1", "gh/1", "għ", "gh\u202E", "x".repeat(56), "gh\n1"])("not %j", (name) =>
    expect(MachineLabel.safeParse(name).success).toBe(false),
  );
});

test("an empty choice of image or file system is none, and what is not asked for does not come through", () => {
  const parsed = NewLaunch.parse({
    ...choice({ imageFamily: "", fileSystemName: "" }),
    intentId: "0190b8a2-1111-7222-8333-444455556666",
    priceMicros: "2290000",
    role: "admin",
  });
  expect(parsed).toMatchObject({ imageFamily: null, fileSystemName: null, workload: "unknown", accepted: [] });
  expect(parsed).not.toHaveProperty("role");
  expect(NewLaunch.safeParse({ ...parsed, priceMicros: "2.29" }).success).toBe(false);
  expect(NewLaunch.safeParse({ ...parsed, intentId: "1" }).success).toBe(false);
});
