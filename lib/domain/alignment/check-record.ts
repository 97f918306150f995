import { isLike } from "@/lib/domain/cost/glob";
import { formatUsdRate } from "@/lib/domain/format";
import type { Check } from "./check";
import { checkOf, evidenceOf, type Subject } from "./check-hardware";
import { chipOf, modelName, tagOf } from "./observed";

/** What the provider's listing says of a machine against what was declared. */
export function recordChecks(subject: Subject, hours: number): Check[] {
  return [type(subject), price(subject, hours), region(subject), image(subject), tags(subject), label(subject)].flat();
}

function type(subject: Subject): Check {
  const { group, machine, polledAt } = subject;
  const found = machine.typeName;
  return checkOf("type", subject, {
    state: found === null ? "unverified" : found === group.instanceType ? "agrees" : "differs",
    severity: "critical",
    declared: group.instanceType,
    observed: found,
    why: found === null ? "Lambda does not say its type." : `Lambda lists it as ${found}.`,
    settle: `Declare ${found ?? "its type"}, or launch ${group.instanceType} in its place.`,
    evidence: evidenceOf(subject, { declared: group.instanceType, lambda: found }),
    seenAt: polledAt,
  });
}

function price(subject: Subject, hours: number): Check[] {
  const { group, machine, polledAt } = subject;
  if (group.pricePerHour === undefined) return [];
  const expected = BigInt(group.pricePerHour);
  const found = machine.priceMicros;
  const differs = found !== null && found !== expected;
  return [
    checkOf("price", subject, {
      state: found === null ? "unverified" : differs ? "differs" : "agrees",
      severity: "warning",
      declared: formatUsdRate(expected),
      observed: found === null ? null : formatUsdRate(found),
      why:
        found === null
          ? "Its price is not known."
          : !differs
            ? "Lambda’s price is the one expected."
            : found > expected
              ? "It costs more than expected."
              : "It costs less than expected: plans and budgets made with the old price are too high.",
      settle: found === null ? "Enter its price in the price book." : `Expect ${formatUsdRate(found)}.`,
      evidence: evidenceOf(subject, {
        declared: formatUsdRate(expected),
        lambda: found === null ? null : formatUsdRate(found),
      }),
      monthMicros: differs ? (found - expected) * BigInt(hours) : null,
      seenAt: polledAt,
    }),
  ];
}

function region(subject: Subject): Check[] {
  const { group, machine, polledAt } = subject;
  if (group.regions.length === 0) return [];
  const isIn = group.regions.includes(machine.region);
  return [
    checkOf("region", subject, {
      state: isIn ? "agrees" : "differs",
      severity: "warning",
      declared: group.regions.join(", "),
      observed: machine.region,
      why: isIn ? "Lambda lists it there." : `It runs in ${machine.region}.`,
      settle: `Add ${machine.region} to the regions, or launch it anew where it was to be.`,
      evidence: evidenceOf(subject, { declared: group.regions.join(", "), lambda: machine.region }),
      seenAt: polledAt,
    }),
  ];
}

function image(subject: Subject): Check[] {
  const { group, machine, polledAt } = subject;
  if (group.images.length === 0) return [];
  const found = machine.image?.value ?? null;
  const isOne = found !== null && group.images.some((pattern) => isLike(found, pattern));
  return [
    checkOf("image", subject, {
      state: found === null ? "unverified" : isOne ? "agrees" : "differs",
      severity: "warning",
      declared: group.images.join(", "),
      observed: found,
      why:
        found === null
          ? "It was launched outside, and Lambda’s listing does not name images."
          : "The image that its launch asked for.",
      settle:
        found === null ? "Launch machines from here: then their image is known." : `Allow ${found}, or launch anew.`,
      evidence: [
        ...evidenceOf(subject, { declared: group.images.join(", ") }),
        { source: "here", says: found, at: machine.image?.at ?? null },
      ],
      seenAt: polledAt,
    }),
  ];
}

function tags(subject: Subject): Check[] {
  const { group, machine, polledAt } = subject;
  if (group.tagsRequired.length === 0) return [];
  const missing = group.tagsRequired.filter((key) => tagOf(machine, key) === null);
  const has = group.tagsRequired.filter((key) => !missing.includes(key));
  const words =
    missing.length === 0
      ? "all of them"
      : has.map((key) => `${key}=${tagOf(machine, key)}`).join(", ") || "none of them";
  return [
    checkOf("tags", subject, {
      state: missing.length === 0 ? "agrees" : "differs",
      severity: "warning",
      declared: group.tagsRequired.join(", "),
      observed: missing.length === 0 ? "all" : `without ${missing.join(", ")}`,
      why: missing.length === 0 ? "Every tag has a value." : `It has no ${missing.join(", no ")}.`,
      settle: "Set the labels on the instance’s page; they count as tags.",
      evidence: evidenceOf(subject, { declared: group.tagsRequired.join(", "), lambda: words }),
      seenAt: polledAt,
    }),
  ];
}

const CHIPS =
  /(?:^|[^a-z0-9])(gh200|gb200|b200|b300|h200|h100|a100|a10g?|a40|a6000|l40s?|l4|t4|v100)(?=$|[^a-z0-9]|x\d)/i;

/** A machine that is called after another card than it has. */
function label(subject: Subject): Check[] {
  const { machine, polledAt } = subject;
  const called = CHIPS.exec(machine.name)?.[1];
  const [card] = machine.cards;
  if (called === undefined || !card) return [];
  const isOther = machine.cards.every(({ name }) => chipOf(name) !== chipOf(called));
  return [
    checkOf("label", subject, {
      state: isOther ? "differs" : "agrees",
      severity: "info",
      declared: called.toUpperCase(),
      observed: modelName(card.name),
      why: isOther
        ? `It is called ${machine.name} and has a ${card.name}.`
        : `It is called ${machine.name}, and that is what it has.`,
      settle: "Rename it; nobody looks inside before they believe a name.",
      evidence: evidenceOf(subject, { declared: null, lambda: machine.name, gpus: card.name }).slice(1),
      seenAt: polledAt,
    }),
  ];
}
