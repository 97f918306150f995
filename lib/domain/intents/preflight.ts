import type { Freshness } from "@/lib/domain/fleet/view";
import { formatStorage, formatUsdRate } from "@/lib/domain/format";
import { formatAge, formatDay } from "@/lib/domain/format-time";

const LABEL_MOST = 55;

/**
 * What is wrong with what a person calls a machine; null: nothing. Plain letters, so that no name can look like another and each
 * can be typed to confirm.
 */
export function labelProblem(label: string): string | null {
  if (label === "") return "Give the machine a name";
  if (label.length > LABEL_MOST)
    return "Use at most 55 characters; the last 9 of Lambda's 64 carry the mark of the launch";
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(label)
    ? null
    : "Use letters, digits, dots, dashes and underscores, beginning with a letter or digit";
}

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
  /** Where it is or was listed as launchable within the last 24 h, and for which part of that time. */
  regions: { name: string; isListed: boolean; share: number }[];
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
  words: { owners: string[]; teams: string[]; projects: string[]; environments: string[]; costCenters: string[] };
  fleetMicrosPerHour: string;
  budget: { micros: string; spentMicros: string; microsPerHour: string; monthEnd: number } | null;
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
  name: string;
  team: string;
  owner: string;
};

export type Check = {
  key: string;
  level: "pass" | "warning" | "error";
  title: string;
  detail: string;
  /** The field that the check is about. */
  field?: keyof LaunchChoice;
};

/** A price older than this is not shown to somebody who is about to pay it (reliability 2.3). */
const PRICE_FRESH_MS = 5 * 60_000;
const CAPACITY_FRESH_MS = 90_000;

/** What stands in the way of a launch (error), what should be read first (warning), and what was looked at and is well. */
export function preflight(choice: LaunchChoice, offers: LaunchOffers): Check[] {
  const offer = offers.offers.find((one) => one.typeName === choice.typeName);
  return [
    connection(offers),
    ...(offer ? [capacity(offer, choice, offers), price(offer, offers), image(offer, choice, offers)] : [noType()]),
    sshKey(choice, offers),
    filesystem(choice, offers),
    name(choice, offers),
    owner(choice),
    ...(offer ? budget(offer, offers) : []),
    ...reach(offers),
  ];
}

function noType(): Check {
  return {
    key: "type",
    level: "error",
    title: "No machine is chosen",
    detail: "Choose one of the types.",
    field: "typeName",
  };
}

function connection({ freshness }: LaunchOffers): Check {
  const key = "connection";
  if (freshness.isFrozen)
    return {
      key,
      level: "error",
      title: "Lambda refuses our key",
      detail: "Nothing can be launched until it is accepted again; see Settings.",
    };
  if (freshness.staleSince !== null)
    return {
      key,
      level: "warning",
      title: "The fleet is not up to date",
      detail: `No good answer from Lambda for ${formatAge(freshness.lastOkAt ?? freshness.staleSince, freshness.now, "UTC").replace(" ago", "")}.`,
    };
  return { key, level: "pass", title: "Lambda answers", detail: "The fleet and the offers are up to date." };
}

function capacity(offer: Offer, choice: LaunchChoice, offers: LaunchOffers): Check {
  const key = "capacity";
  const region = offer.regions.find((one) => one.name === choice.region);
  const age = offers.readAt === null ? Number.POSITIVE_INFINITY : offers.now - offers.readAt;
  if (!region?.isListed)
    return {
      key,
      level: "warning",
      title: `No capacity listed in ${choice.region || "any region"}`,
      detail: "Lambda would probably refuse this launch now. It costs nothing to ask.",
      field: "region",
    };
  if (age > CAPACITY_FRESH_MS)
    return {
      key,
      level: "warning",
      title: "Capacity was not read lately",
      detail: "It may be gone meanwhile.",
      field: "region",
    };
  return {
    key,
    level: "pass",
    title: `Capacity listed in ${choice.region}`,
    detail: `Listed for ${Math.round(region.share * 100)} % of the last 24 h. It is no promise.`,
  };
}

function price(offer: Offer, offers: LaunchOffers): Check {
  const key = "price";
  const isFresh = offers.readAt !== null && offers.now - offers.readAt <= PRICE_FRESH_MS;
  if (offer.priceMicros === null)
    return { key, level: "error", title: "Its price is not known", detail: "Nothing is launched at an unknown price." };
  if (!isFresh)
    return {
      key,
      level: "error",
      title: "Its price is more than 5 min old",
      detail: "Wait until Lambda's price list is read again.",
    };
  return {
    key,
    level: "pass",
    title: `${formatUsdRate(offer.priceMicros)}, read from Lambda`,
    detail: offer.priceSince === null ? "" : `Unchanged since ${formatDay(offer.priceSince, offers.zone)}.`,
  };
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

function image(offer: Offer, choice: LaunchChoice, offers: LaunchOffers): Check {
  const key = "image";
  const { architecture } = offer;
  if (choice.imageFamily === null)
    return { key, level: "pass", title: "Lambda's own image", detail: `It fits ${architecture ?? "the machine"}.` };
  if (imagesFor(offer, choice.region, offers).some((one) => one.family === choice.imageFamily))
    return { key, level: "pass", title: `Image for ${architecture ?? "this machine"}`, detail: choice.imageFamily };
  const elsewhere = offers.images.filter((one) => one.family === choice.imageFamily);
  return {
    key,
    level: "error",
    title: elsewhere.some((one) => one.region === choice.region)
      ? `The image is not for ${architecture}`
      : `The image is not offered in ${choice.region}`,
    detail: `${choice.imageFamily} would not start on ${offer.typeName}.`,
    field: "imageFamily",
  };
}

function sshKey(choice: LaunchChoice, offers: LaunchOffers): Check {
  const key = "ssh-key";
  if (offers.sshKeys.length === 0)
    return {
      key,
      level: "error",
      title: "There is no SSH key in the account",
      detail: "Add one in Lambda's console first: Lambda asks for exactly one.",
      field: "sshKeyName",
    };
  if (!offers.sshKeys.includes(choice.sshKeyName))
    return {
      key,
      level: "error",
      title: "No SSH key is chosen",
      detail: "Lambda asks for exactly one.",
      field: "sshKeyName",
    };
  return { key, level: "pass", title: "SSH key", detail: choice.sshKeyName };
}

function filesystem(choice: LaunchChoice, offers: LaunchOffers): Check {
  const key = "filesystem";
  if (choice.fileSystemName === null)
    return {
      key,
      level: "pass",
      title: "No file system",
      detail: "The local disk is lost when the machine ends.",
    };
  const found = offers.filesystems.filter((one) => one.name === choice.fileSystemName);
  const here = found.find((one) => one.region === choice.region);
  if (!here)
    return {
      key,
      level: "error",
      title: found[0] ? `The file system is in ${found[0].region}` : "There is no such file system",
      detail: "A file system can be attached in its own region only.",
      field: "fileSystemName",
    };
  return {
    key,
    level: "pass",
    title: "File system is in the same region",
    detail: `${here.name}, ${here.bytesUsed === null ? "size unknown" : formatStorage(here.bytesUsed)}`,
  };
}

function name(choice: LaunchChoice, offers: LaunchOffers): Check {
  const key = "name";
  const label = choice.name.trim();
  const problem = labelProblem(label);
  if (problem !== null) return { key, level: "error", title: "The name will not do", detail: problem, field: "name" };
  if (offers.names.includes(label))
    return {
      key,
      level: "warning",
      title: `A ${label} runs already`,
      detail: "Two machines of one name are easily mixed up.",
      field: "name",
    };
  return { key, level: "pass", title: "The name is free", detail: label };
}

function owner(choice: LaunchChoice): Check {
  const key = "owner";
  if (!choice.team)
    return {
      key,
      level: "warning",
      title: "No team is named",
      detail: "Its cost will be nobody's until somebody is named.",
      field: "team",
    };
  return {
    key,
    level: "pass",
    title: "Cost goes to a team",
    detail: [choice.team, choice.owner].filter(Boolean).join(", "),
  };
}

const HOUR_MS = 3_600_000n;

/** When the month's budget is reached at a rate; null: not in this month. */
export function budgetReachedAt(
  budget: NonNullable<LaunchOffers["budget"]>,
  microsPerHour: bigint,
  now: number,
): number | null {
  const rest = BigInt(budget.micros) - BigInt(budget.spentMicros);
  if (rest <= 0n) return now;
  if (microsPerHour <= 0n) return null;
  const at = now + Number((rest * HOUR_MS) / microsPerHour);
  return at <= budget.monthEnd ? at : null;
}

function budget(offer: Offer, offers: LaunchOffers): Check[] {
  if (offers.budget === null || offer.priceMicros === null) return [];
  const rate = BigInt(offers.budget.microsPerHour);
  const withIt = budgetReachedAt(offers.budget, rate + BigInt(offer.priceMicros), offers.now);
  const without = budgetReachedAt(offers.budget, rate, offers.now);
  const key = "budget";
  if (withIt === null)
    return [
      { key, level: "pass", title: "Within the month's budget", detail: "At the rate of now with this machine." },
    ];
  const day = (at: number) => formatDay(at, offers.zone);
  return [
    {
      key,
      level: "warning",
      title: withIt <= offers.now ? "The month's budget is used up" : `Passes the budget on ${day(withIt)}`,
      detail:
        without === null
          ? "Without this launch: not this month."
          : without <= offers.now
            ? "It was before this launch."
            : `Without this launch: on ${day(without)}.`,
    },
  ];
}

function reach({ unreachable }: LaunchOffers): Check[] {
  if (unreachable === null)
    return [{ key: "agent", level: "pass", title: "The agent can report", detail: "It is installed at first boot." }];
  return [{ key: "agent", level: "warning", title: "The machine cannot report to us", detail: unreachable }];
}
