import type { Selector } from "@/lib/domain/cost/scope";
import type { Freshness } from "@/lib/domain/fleet/view";
import { type Guardrails, levelOf, type TunableCheck } from "./guardrails";

export type Offer = {
  typeName: string;
  description: string;
  gpuModel: string | null;
  gpus: number;
  gpuMemoryGb: number | null;
  architecture: string | null;
  vcpus: number;
  memoryGib: number;
  storageGib: number;
  /** Null: not known. */
  priceMicros: string | null;
  priceSince: number | null;
  /** What it cost before, the oldest first; the last is the price now. */
  prices: { micros: string; from: number }[];
  /** Where it is or was listed as launchable, for which part of the last 24 h, and when last. */
  regions: { name: string; isListed: boolean; share: number; seenAt: number }[];
};

export type LaunchBudget = {
  name: string;
  selector: Selector;
  micros: string;
  spentMicros: string;
  microsPerHour: string;
  /** When its period ends. */
  to: number;
};

export type IdleMachine = {
  id: string;
  name: string;
  typeName: string | null;
  gpuModel: string | null;
  team: string;
  project: string;
  purpose: string;
  owner: string;
  since: number;
};

export type LaunchOffers = {
  now: number;
  freshness: Freshness;
  /** When types, prices and capacity were last read. */
  readAt: number | null;
  offers: Offer[];
  images: { family: string; name: string; region: string; architecture: string }[];
  sshKeys: string[];
  filesystems: { name: string; region: string; bytesUsed: number | null }[];
  regions: { name: string; description: string }[];
  /** Names of machines that run, without the mark of their launch. */
  names: string[];
  words: {
    owners: string[];
    teams: string[];
    projects: string[];
    environments: string[];
    costCenters: string[];
    purposes: string[];
  };
  /** What runs and bills now. */
  fleetMicrosPerHour: string;
  /** The same with what boots and what is asked for; and of that, what the reader launched. */
  committedMicrosPerHour: string;
  personMicrosPerHour: string;
  budgets: LaunchBudget[];
  idle: IdleMachine[];
  /** The last time that Lambda refused a launch for the account's quota, within a day, if no launch was accepted since. */
  quotaRefusal: { at: number; message: string } | null;
  /** Launches of the last 7 days that Lambda answered, and how many of them it refused for want of capacity. */
  record: { typeName: string; region: string; asked: number; refused: number }[];
  guardrails: Guardrails;
  /** A standing policy that stops launches, or has them asked for. */
  stop: { act: "stop" | "ask"; words: string } | null;
  /** Why machines cannot report to us; null: they can. */
  unreachable: string | null;
  zone: string;
};

export type LaunchChoice = {
  typeName: string;
  region: string;
  imageFamily: string | null;
  sshKeyName: string;
  fileSystemName: string | null;
  /** `{n}` in it is a running number. */
  name: string;
  count: number;
  owner: string;
  team: string;
  project: string;
  environment: string;
  costCenter: string;
  purpose: string;
  leaseUntil: number | null;
  userData: string;
};

export type Check = {
  key: string;
  level: "pass" | "warning" | "error";
  title: string;
  detail: string;
  /** The field that the check is about. */
  field?: keyof LaunchChoice;
  /** Machines that it names. */
  instances?: { id: string; name: string }[];
};

/** A check that is not well, as grave as the house's policy says. */
export function finding(
  key: TunableCheck,
  { guardrails }: Pick<LaunchOffers, "guardrails">,
  rest: Pick<Check, "title" | "detail" | "field" | "instances">,
): Check {
  return { key, level: levelOf(key, guardrails), ...rest };
}

/** Families of images that run on this type in this region. */
export function imagesFor(
  offer: Offer | undefined,
  region: string,
  offers: LaunchOffers,
): { family: string; name: string }[] {
  const fitting = offers.images.filter(
    (one) => one.region === region && (!offer?.architecture || one.architecture === offer.architecture),
  );
  return [...new Map(fitting.map((one) => [one.family, { family: one.family, name: one.name }])).values()];
}
