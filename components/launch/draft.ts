import type { Labels } from "@/lib/domain/fleet/workloads";
import { imagesFor, type LaunchChoice, type LaunchOffers } from "@/lib/domain/intents/offers";
import type { LaunchTemplate } from "@/lib/domain/intents/templates";

export type Draft = LaunchChoice & Labels;

const HEART = "gpu_1x_gh200";

/** What the form begins with: what is given, and for the rest what is most likely meant. */
export function draftOf(given: Partial<LaunchTemplate>, offers: LaunchOffers): Draft {
  const { leaseMs, ...fields } = given;
  const first =
    offers.offers.find((one) => one.typeName === HEART) ??
    offers.offers.find((one) => one.regions.some((region) => region.isListed));
  const typeName = fields.typeName || (first?.typeName ?? "");
  const offer = offers.offers.find((one) => one.typeName === typeName);
  const [key, ...keys] = offers.sshKeys;
  const lease = leaseMs === undefined ? offers.guardrails.leaseMs : leaseMs;
  const isKnownKey = fields.sshKeyName !== undefined && offers.sshKeys.includes(fields.sshKeyName);
  return {
    imageFamily: null,
    fileSystemName: null,
    name: "",
    count: 1,
    owner: "",
    team: "",
    project: "",
    environment: "",
    costCenter: "",
    purpose: "",
    workload: "unknown",
    userData: "",
    ...fields,
    typeName,
    region: fields.region || (offer?.regions[0]?.name ?? ""),
    sshKeyName: isKnownKey ? (fields.sshKeyName ?? "") : key !== undefined && keys.length === 0 ? key : "",
    leaseUntil: lease === null ? null : toMinute(offers.now + lease),
  };
}

/** A change, and what follows from it: another type has other places, another place other images and file systems. */
export function changed(old: Draft, part: Partial<Draft>, offers: LaunchOffers): Draft {
  const next = { ...old, ...part };
  const offer = offers.offers.find((one) => one.typeName === next.typeName);
  if (part.typeName !== undefined && !offer?.regions.some((one) => one.name === next.region && one.isListed))
    next.region = offer?.regions[0]?.name ?? "";
  if (next.imageFamily && !imagesFor(offer, next.region, offers).some((one) => one.family === next.imageFamily))
    next.imageFamily = null;
  const isHere = offers.filesystems.some((one) => one.name === next.fileSystemName && one.region === next.region);
  if (next.fileSystemName && !isHere) next.fileSystemName = null;
  return next;
}

/** The same as a template; a lease becomes a span from now. */
export function templateOf({ leaseUntil, ...draft }: Draft, now: number): LaunchTemplate {
  return { ...draft, leaseMs: leaseUntil === null || leaseUntil <= now ? null : toMinute(leaseUntil - now) };
}

export function toMinute(ms: number): number {
  return Math.round(ms / 60_000) * 60_000;
}
