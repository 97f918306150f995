import { isLike } from "@/lib/domain/cost/glob";
import { capabilityOf } from "./capability";
import type { Check, Evidence } from "./check";
import { checkOf, distinct, type Subject } from "./check-hardware";
import type { Deprecation, SoftwarePart, SoftwarePolicy } from "./declaration";
import { cardGb, type Said } from "./observed";
import { compareVersions, isVersion } from "./versions";

/** What runs on a machine against its software policy. */
export function softwareChecks(subject: Subject, policy: SoftwarePolicy | null): Check[] {
  if (policy === null) return [];
  return [
    ...driver(subject, policy),
    ...versions(subject, policy, "cuda"),
    ...versions(subject, policy, "pytorch"),
    ...images(subject, policy),
    ...capability(subject, policy),
  ];
}

const UNSAID = "The agent has not said it.";
const START = "Install the agent, or start it: it says so once an hour.";

function evidence({ declaredAt }: Subject, declared: string, said: Said<string> | null, source: Evidence["source"]) {
  return [
    { source: "declared", says: declared, at: declaredAt },
    { source, says: said?.value ?? null, at: said?.at ?? null },
  ] satisfies Evidence[];
}

/** Which deprecation a version falls under, and whether its day has passed. */
export function deprecationOf(
  policy: Pick<SoftwarePolicy, "deprecated">,
  part: SoftwarePart,
  version: string,
  now: number,
): { entry: Deprecation; isOver: boolean } | null {
  const entry = policy.deprecated.find(
    (one) => one.part === part && (part === "image" ? isLike(version, one.version) : isVersion(version, one.version)),
  );
  return entry ? { entry, isOver: Date.parse(entry.until) <= now } : null;
}

function driver(subject: Subject, policy: SoftwarePolicy): Check[] {
  const { machine, polledAt } = subject;
  const { driverMin, driverRecommended } = policy;
  if (driverMin === undefined && driverRecommended === undefined) return [];
  const oldest = machine.cards
    .flatMap(({ driver: value, at }) => (value === null ? [] : [{ value, at }]))
    .sort((a, b) => compareVersions(a.value, b.value))[0];
  const said = oldest ?? machine.driver;
  const wanted = driverMin === undefined ? `${driverRecommended} recommended` : `at least ${driverMin}`;
  const isOld = said !== null && driverMin !== undefined && compareVersions(said.value, driverMin) < 0;
  const isLow = said !== null && driverRecommended !== undefined && compareVersions(said.value, driverRecommended) < 0;
  const out = said && deprecationOf(policy, "driver", said.value, polledAt);
  const differs = isOld || isLow || out !== null;
  return [
    checkOf("driver", subject, {
      state: said === null ? "unverified" : differs ? "differs" : "agrees",
      severity: isOld || out?.isOver ? "critical" : "info",
      declared: wanted,
      observed: said?.value ?? null,
      why:
        said === null
          ? UNSAID
          : isOld
            ? `Driver ${said.value} is older than ${driverMin}.`
            : out
              ? deprecationText(out)
              : isLow
                ? `Driver ${said.value} is older than the recommended ${driverRecommended}.`
                : `Driver ${said.value}.`,
      settle: said === null ? START : "Launch machines with a newer image, or upgrade the driver.",
      evidence: evidence(subject, wanted, said, oldest ? "gpus" : "agent"),
      seenAt: said?.at ?? polledAt,
    }),
  ];
}

const CALLED = { cuda: "CUDA", pytorch: "PyTorch" } as const;

function versions(subject: Subject, policy: SoftwarePolicy, part: "cuda" | "pytorch"): Check[] {
  const { machine, polledAt } = subject;
  const allowed = policy[part];
  const hasDeprecated = policy.deprecated.some((one) => one.part === part);
  if (allowed.length === 0 && !hasDeprecated) return [];
  const said = machine[part];
  const wanted = allowed.length > 0 ? allowed.join(", ") : "not deprecated";
  const out = said && deprecationOf(policy, part, said.value, polledAt);
  const isAllowed = said !== null && (allowed.length === 0 || allowed.some((one) => isVersion(said.value, one)));
  return [
    checkOf(part, subject, {
      state: said === null ? "unverified" : out || !isAllowed ? "differs" : "agrees",
      severity: out ? (out.isOver ? "critical" : "info") : "warning",
      declared: wanted,
      observed: said?.value ?? null,
      why:
        said === null
          ? UNSAID
          : out
            ? deprecationText(out)
            : isAllowed
              ? `${CALLED[part]} ${said.value}.`
              : `${CALLED[part]} ${said.value} is not among those allowed.`,
      settle: said === null ? START : `Allow ${said.value}, or launch machines with an image that has ${wanted}.`,
      evidence: evidence(subject, wanted, said, "agent"),
      seenAt: said?.at ?? polledAt,
    }),
  ];
}

function deprecationText({ entry, isOver }: { entry: Deprecation; isOver: boolean }): string {
  const what = `${entry.part === "image" ? "The image" : entry.part === "driver" ? "Driver" : CALLED[entry.part]} ${entry.version}`;
  return isOver ? `${what} was allowed until ${entry.until}.` : `${what} is allowed until ${entry.until} only.`;
}

function images(subject: Subject, policy: SoftwarePolicy): Check[] {
  const { machine, polledAt, group } = subject;
  // The group's own list is narrower and is judged by itself.
  if (policy.images.length === 0 || group.images.length > 0) return [];
  const found = machine.image?.value ?? null;
  const out = found === null ? null : deprecationOf(policy, "image", found, polledAt);
  const isOne = found !== null && policy.images.some((pattern) => isLike(found, pattern));
  const wanted = policy.images.join(", ");
  return [
    checkOf("image", subject, {
      state: found === null ? "unverified" : out || !isOne ? "differs" : "agrees",
      severity: out && !out.isOver ? "info" : "warning",
      declared: wanted,
      observed: found,
      why:
        found === null
          ? "It was launched outside, and Lambda’s listing does not name images."
          : out
            ? deprecationText(out)
            : "The image that its launch asked for.",
      settle:
        found === null ? "Launch machines from here: then their image is known." : `Allow ${found}, or launch anew.`,
      evidence: evidence(subject, wanted, machine.image, "here"),
      seenAt: polledAt,
    }),
  ];
}

function capability(subject: Subject, policy: SoftwarePolicy): Check[] {
  const { machine, polledAt } = subject;
  const { capabilityMin, memoryMinGb, memoryRecommendedGb } = policy;
  if (capabilityMin === undefined && memoryMinGb === undefined && memoryRecommendedGb === undefined) return [];
  const cards = machine.cards.map((card) => ({ capability: capabilityOf(card.name), gb: cardGb(card), at: card.at }));
  const wanted = [
    ...(capabilityMin === undefined ? [] : [`at least ${capabilityMin}`]),
    ...(memoryMinGb === undefined ? [] : [`${memoryMinGb} GB`]),
  ].join(", ");
  const isKnown =
    cards.length > 0 &&
    cards.every(({ capability: own, gb }) => own !== null && (memoryMinGb === undefined || gb !== null));
  const isLow = cards.some(
    ({ capability: own, gb }) =>
      (own !== null && capabilityMin !== undefined && compareVersions(own, capabilityMin) < 0) ||
      (gb !== null && memoryMinGb !== undefined && gb < memoryMinGb),
  );
  const isSmall = cards.some(({ gb }) => gb !== null && memoryRecommendedGb !== undefined && gb < memoryRecommendedGb);
  const found = distinct(cards.map(({ capability: own }) => own));
  return [
    checkOf("capability", subject, {
      state: isLow || isSmall ? "differs" : isKnown ? "agrees" : "unverified",
      severity: isLow ? "critical" : "info",
      declared: wanted || `${memoryRecommendedGb} GB recommended`,
      observed: found,
      why: isLow
        ? `Its card has compute capability ${found}: the software does not run on it.`
        : isSmall
          ? `Its card has less than the recommended ${memoryRecommendedGb} GB.`
          : isKnown
            ? `Compute capability ${found}, by the card’s name.`
            : "No card of the machine reports, or the card is not in NVIDIA’s list.",
      settle: isLow ? "Launch a newer card." : START,
      evidence: [
        { source: "declared", says: wanted, at: subject.declaredAt },
        { source: "gpus", says: distinct(machine.cards.map(({ name }) => name)), at: cards[0]?.at ?? null },
      ],
      seenAt: cards[0]?.at ?? polledAt,
    }),
  ];
}
