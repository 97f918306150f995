import { formatUsdRate } from "@/lib/domain/format";
import { fitsPattern, LABEL_WORDS, type TunableCheck } from "./guardrails";
import { namesOf } from "./names";
import { type Check, finding, type LaunchChoice, type LaunchOffers, type Offer } from "./offers";
import { launchMicrosPerHour } from "./preflight-money";
import { spanWords } from "./span";

/** Between filling in a form and sending it some time passes. */
const LEASE_SLACK_MS = 10 * 60_000;

/** What the house's guardrails say of a launch. Those that nobody set say nothing. */
export function guardChecks(choice: LaunchChoice, offer: Offer | undefined, offers: LaunchOffers): Check[] {
  const { guardrails } = offers;
  const findings = [
    ...lease(choice, offers),
    ...places(choice, offers),
    ...spend(choice, offer, offers),
    ...words(choice, offers),
  ];
  const isAnySet =
    guardrails.types.length > 0 ||
    guardrails.regions.length > 0 ||
    guardrails.maxPersonMicrosPerHour !== null ||
    guardrails.maxFleetMicrosPerHour !== null ||
    guardrails.namePattern !== "" ||
    guardrails.labels.length > 0 ||
    guardrails.maxLeaseMs !== null;
  if (findings.length > 0 || !isAnySet) return findings;
  return [
    {
      key: "guardrails",
      level: "pass",
      title: "Within the guardrails",
      detail: "Type, region, money, name and labels.",
    },
  ];
}

function lease({ leaseUntil }: LaunchChoice, offers: LaunchOffers): Check[] {
  const { maxLeaseMs } = offers.guardrails;
  if (leaseUntil !== null && leaseUntil <= offers.now)
    return [
      {
        key: "lease",
        level: "error",
        title: "The lease is over already",
        detail: "Choose a later end, or none.",
        field: "leaseUntil",
      },
    ];
  if (maxLeaseMs === null) return [];
  const most = `The guardrails allow ${spanWords(maxLeaseMs)} at most; it can be extended later.`;
  if (leaseUntil === null)
    return [finding("guard-lease", offers, { title: "It has no lease", detail: most, field: "leaseUntil" })];
  if (leaseUntil - offers.now <= maxLeaseMs + LEASE_SLACK_MS) return [];
  return [finding("guard-lease", offers, { title: "The lease is too long", detail: most, field: "leaseUntil" })];
}

function places(choice: LaunchChoice, offers: LaunchOffers): Check[] {
  const { types, regions } = offers.guardrails;
  const check = (key: TunableCheck, allowed: readonly string[], value: string, field: "typeName" | "region") =>
    allowed.length === 0 || value === "" || allowed.includes(value)
      ? []
      : [
          finding(key, offers, {
            title: `${value} is not allowed here`,
            detail: `The guardrails allow ${allowed.join(", ")}.`,
            field,
          }),
        ];
  return [
    ...check("guard-type", types, choice.typeName, "typeName"),
    ...check("guard-region", regions, choice.region, "region"),
  ];
}

function spend(choice: LaunchChoice, offer: Offer | undefined, offers: LaunchOffers): Check[] {
  const micros = launchMicrosPerHour(choice, offer);
  if (micros === null) return [];
  const check = (key: TunableCheck, limit: string | null, now: string, whose: string) => {
    const total = BigInt(now) + micros;
    if (limit === null || total <= BigInt(limit)) return [];
    return [
      finding(key, offers, {
        title: `${whose} would cost ${formatUsdRate(total)}`,
        detail: `The guardrails allow ${formatUsdRate(limit)}; it is ${formatUsdRate(now)} without this launch.`,
        field: "count",
      }),
    ];
  };
  return [
    ...check(
      "guard-person",
      offers.guardrails.maxPersonMicrosPerHour,
      offers.personMicrosPerHour,
      "What you launched and runs",
    ),
    ...check("guard-fleet", offers.guardrails.maxFleetMicrosPerHour, offers.committedMicrosPerHour, "The fleet"),
  ];
}

function words(choice: LaunchChoice, offers: LaunchOffers): Check[] {
  const { namePattern, labels } = offers.guardrails;
  const [misfit] = namesOf(choice.name, choice.count, offers.names).filter((name) => !fitsPattern(name, namePattern));
  const [missing, ...more] = labels.filter((label) => choice[label] === "");
  return [
    ...(misfit === undefined || misfit === ""
      ? []
      : [
          finding("guard-name", offers, {
            title: `${misfit} does not fit the pattern of names`,
            detail: `The guardrails ask for ${namePattern}; * stands for anything.`,
            field: "name",
          }),
        ]),
    ...(missing === undefined
      ? []
      : [
          finding("guard-labels", offers, {
            title: `Needed: ${[missing, ...more].map((label) => LABEL_WORDS[label]).join(", ")}`,
            detail: "The guardrails ask for these labels.",
            field: missing,
          }),
        ]),
  ];
}
