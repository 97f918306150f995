import { NO_GUARDRAILS } from "./guardrails";
import type { LaunchChoice, LaunchOffers, Offer } from "./offers";
import { preflight } from "./preflight";

export const NOW = Date.UTC(2026, 10, 20, 12);
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const MONTH_END = Date.UTC(2026, 11, 1);

export const gh200: Offer = {
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

export const offers = (more: Partial<LaunchOffers> = {}): LaunchOffers => ({
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

export const choice = (more: Partial<LaunchChoice> = {}): LaunchChoice => ({
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

export const oneOf = <T>(list: readonly T[]): T => {
  const [first] = list;
  if (first === undefined) throw new Error("empty");
  return first;
};

/** One check, with plain spaces. */
export const verdict = (given: LaunchChoice, seen: LaunchOffers, key: string) => {
  const check = preflight(given, seen).find((one) => one.key === key);
  const plain = (text: string) => text.replaceAll(/\s/g, " ");
  return check && { ...check, title: plain(check.title), detail: plain(check.detail) };
};
