import { formatCount, formatStorage, formatUsdRate } from "@/lib/domain/format";
import { formatAge, formatDay } from "@/lib/domain/format-time";
import { labelProblem, namesOf } from "./names";
import { type Check, finding, imagesFor, type LaunchChoice, type LaunchOffers, type Offer } from "./offers";
import { ownDataProblem, ownDataType } from "./own-data";
import { guardChecks } from "./preflight-guard";
import { budgetCheck, reuseCheck } from "./preflight-money";

/** A price older than this is not shown to somebody who is about to pay it (reliability 2.3). */
const PRICE_FRESH_MS = 5 * 60_000;
const CAPACITY_FRESH_MS = 90_000;

/** What stands in the way of a launch (error), what should be read first (warning), and what was looked at and is well. */
export function preflight(choice: LaunchChoice, offers: LaunchOffers): Check[] {
  const offer = offers.offers.find((one) => one.typeName === choice.typeName);
  return [
    connection(offers),
    ...quota(offers),
    ...stopped(offers),
    ...(offer ? [capacity(offer, choice, offers), price(offer, offers), image(offer, choice, offers)] : [noType()]),
    sshKey(choice, offers),
    filesystem(choice, offers),
    name(choice, offers),
    ...owner(choice, offers),
    ...ownData(choice),
    ...guardChecks(choice, offer, offers),
    ...(offer ? [...budgetCheck(choice, offer, offers), reuseCheck(choice, offer, offers)] : []),
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

function connection(offers: LaunchOffers): Check {
  const { freshness } = offers;
  const key = "connection";
  if (freshness.isFrozen)
    return {
      key,
      level: "error",
      title: "Lambda refuses our key",
      detail: "Nothing can be launched until it is accepted again; see Settings.",
    };
  if (freshness.staleSince !== null)
    return finding(key, offers, {
      title: "The fleet is not up to date",
      detail: `No good answer from Lambda for ${formatAge(freshness.lastOkAt ?? freshness.staleSince, freshness.now, "UTC").replace(" ago", "")}.`,
    });
  return { key, level: "pass", title: "Lambda answers", detail: "The fleet and the offers are up to date." };
}

function quota(offers: LaunchOffers): Check[] {
  const { quotaRefusal, now } = offers;
  if (quotaRefusal === null) return [];
  return [
    finding("quota", offers, {
      title: `Lambda said ${formatAge(quotaRefusal.at, now, "UTC")} that the quota is used up`,
      detail: `${quotaRefusal.message.replace(/[.\s]*$/, "")}. No launch was accepted since.`,
    }),
  ];
}

/** What a standing policy says of launches; asking for them is told at the button. */
function stopped({ stop }: LaunchOffers): Check[] {
  if (stop?.act !== "stop") return [];
  return [{ key: "policy", level: "error", title: "A policy stops launches", detail: stop.words }];
}

function capacity(offer: Offer, choice: LaunchChoice, offers: LaunchOffers): Check {
  const key = "capacity";
  const region = offer.regions.find((one) => one.name === choice.region);
  const age = offers.readAt === null ? Number.POSITIVE_INFINITY : offers.now - offers.readAt;
  if (!region?.isListed)
    return finding(key, offers, {
      title: `No capacity listed in ${choice.region || "any region"}`,
      detail: `Lambda would probably refuse this launch now${region ? `; it was last listed ${formatAge(region.seenAt, offers.now, "UTC")}` : ""}. It costs nothing to ask.`,
      field: "region",
    });
  if (age > CAPACITY_FRESH_MS)
    return finding(key, offers, {
      title: "Capacity was not read lately",
      detail: "It may be gone meanwhile.",
      field: "region",
    });
  const past = offers.record.find((one) => one.typeName === offer.typeName && one.region === choice.region);
  const record = past?.refused
    ? `${past.refused} of ${formatCount(past.asked, "launch", "launches")} of the last 7 days ${past.refused === 1 ? "was" : "were"} refused.`
    : "It is no promise.";
  return {
    key,
    level: "pass",
    title: `Capacity listed in ${choice.region}`,
    detail: `Listed for ${Math.round(region.share * 100)} % of the last 24 h. ${record}`,
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
  const names = namesOf(choice.name, choice.count, offers.names);
  const problem = names.map(labelProblem).find((one) => one !== null) ?? null;
  if (problem !== null) return { key, level: "error", title: "The name will not do", detail: problem, field: "name" };
  const taken = names.find((one) => offers.names.includes(one));
  if (taken !== undefined)
    return finding(key, offers, {
      title: `A ${taken} runs already`,
      detail: "Two machines of one name are easily mixed up.",
      field: "name",
    });
  return {
    key,
    level: "pass",
    title: names.length === 1 ? "The name is free" : "The names are free",
    detail: names.length > 3 ? `${names[0]} to ${names.at(-1)}` : names.join(", "),
  };
}

function owner(choice: LaunchChoice, offers: LaunchOffers): Check[] {
  const key = "owner";
  if (choice.team)
    return [
      {
        key,
        level: "pass",
        title: "Cost goes to a team",
        detail: [choice.team, choice.project, choice.owner].filter(Boolean).join(", "),
      },
    ];
  // The policy says it already.
  if (offers.guardrails.labels.includes("team")) return [];
  return [
    finding(key, offers, {
      title: "No team is named",
      detail: "Its cost will be nobody's until somebody is named.",
      field: "team",
    }),
  ];
}

function ownData(choice: LaunchChoice): Check[] {
  const key = "own-data";
  const problem = ownDataProblem(choice.userData);
  if (problem !== null)
    return [{ key, level: "error", title: "The start-up data will not do", detail: problem, field: "userData" }];
  const type = ownDataType(choice.userData);
  if (type === null) return [];
  return [
    { key, level: "pass", title: "Start-up data of your own", detail: `${type.words}, run after the agent's part` },
  ];
}

function reach(offers: LaunchOffers): Check[] {
  const { unreachable } = offers;
  const key = "agent";
  if (unreachable === null)
    return [{ key, level: "pass", title: "The agent can report", detail: "It is installed at first boot." }];
  return [finding(key, offers, { title: "The machine cannot report to us", detail: unreachable })];
}
