import type { Severity } from "@/lib/domain/alerts/types";
import { type Check, type Fact, isNote, worstOf } from "./check";
import type { Declaration, Group } from "./declaration";
import { cardGb, membersOf, type Observed, type ObservedMachine } from "./observed";

/** One line of the comparison: a fact of a group, over all of its machines. */
export type FactLine = {
  fact: Fact;
  declared: string | null;
  lambda: string | null;
  gpus: string | null;
  agree: number;
  differ: number;
  unverified: number;
  severity: Severity | null;
  monthMicros: string | null;
  memoryGb: number | null;
  /** The newest evidence. */
  seenAt: number;
};

const MOST_WORDS = 3;

/** The facts of one group, in the order in which they were checked. */
export function factLines(checks: readonly Check[], group: string): FactLine[] {
  const byFact = new Map<Fact, Check[]>();
  for (const check of checks) {
    if (check.group !== group) continue;
    const known = byFact.get(check.fact);
    if (known) known.push(check);
    else byFact.set(check.fact, [check]);
  }
  return [...byFact].map(([fact, own]) => {
    const differing = own.filter(({ state }) => state === "differs");
    const says = (...sources: string[]) =>
      few(
        own.flatMap(({ evidence }) =>
          evidence.filter(({ source }) => sources.includes(source)).map(({ says }) => says),
        ),
      );
    return {
      fact,
      declared: few(own.map(({ declared }) => declared)),
      lambda: says("lambda", "here"),
      gpus: says("gpus", "agent"),
      agree: own.filter(({ state }) => state === "agrees").length,
      differ: differing.length,
      unverified: own.filter(({ state }) => state === "unverified").length,
      severity: worstOf(differing.map(({ severity }) => severity)),
      monthMicros: sumMicros(differing)?.toString() ?? null,
      memoryGb: sumGb(differing),
      seenAt: Math.max(...own.map(({ seenAt }) => seenAt)),
    };
  });
}

/** What differs first, the worst before, then what nobody verified; otherwise the order of the checks. */
export function factsByWeight(facts: readonly FactLine[]): FactLine[] {
  const weight = ({ differ, severity, unverified }: FactLine) =>
    differ > 0 ? (severity === "critical" ? 0 : severity === "warning" ? 1 : 2) : unverified > 0 ? 3 : 4;
  return [...facts].sort((a, b) => weight(a) - weight(b));
}

function few(values: readonly (string | null)[]): string | null {
  const known = [...new Set(values.filter((value) => value !== null))];
  if (known.length === 0) return null;
  return known.length <= MOST_WORDS
    ? known.join(", ")
    : `${known.slice(0, MOST_WORDS).join(", ")} and ${known.length - MOST_WORDS} more`;
}

export function sumMicros(checks: readonly Pick<Check, "monthMicros">[]): bigint | null {
  const known = checks.flatMap(({ monthMicros }) => (monthMicros === null ? [] : [monthMicros]));
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0n);
}

export function sumGb(checks: readonly Pick<Check, "memoryGb">[]): number | null {
  const known = checks.flatMap(({ memoryGb }) => (memoryGb === null ? [] : [memoryGb]));
  return known.length === 0 ? null : Math.round(known.reduce((sum, one) => sum + one, 0) * 1_000) / 1_000;
}

/** Plan against record, in a month of so many hours. Groups without a price and machines without one are left out, and counted. */
export type Totals = {
  machines: number;
  declaredMachines: number;
  gpus: number;
  declaredGb: number;
  /** Of the cards that report. */
  reportedGb: number;
  reportingGpus: number;
  declaredMicros: bigint;
  observedMicros: bigint;
  unpriced: number;
};

export function totalsOf(declaration: Declaration, observed: Observed): Totals {
  const { members, strangers } = membersOf(declaration, observed.machines);
  const hours = BigInt(declaration.hoursPerMonth);
  const counted = declaration.undeclared === "ignore" ? [] : strangers;
  const priced = declaration.groups.filter(({ pricePerHour }) => pricePerHour !== undefined);
  const own = (group: Group) => members.get(group.name) ?? [];
  const all = [...declaration.groups.flatMap(own), ...counted];
  const paid = [...priced.flatMap(own), ...counted];
  const cards = all.flatMap(({ cards: reporting }) => reporting);
  const rate = (machines: readonly ObservedMachine[]) =>
    machines.reduce((sum, { priceMicros }) => sum + (priceMicros ?? 0n), 0n);
  return {
    machines: all.length,
    declaredMachines: declaration.groups.reduce((sum, { count }) => sum + count, 0),
    gpus: all.reduce((sum, machine) => sum + (machine.record?.gpus ?? machine.cards.length), 0),
    declaredGb: round(
      declaration.groups.reduce(
        (sum, { count, gpusPerInstance, memoryGb }) => sum + count * gpusPerInstance * memoryGb,
        0,
      ),
    ),
    reportedGb: round(cards.reduce((sum, card) => sum + (cardGb(card) ?? 0), 0)),
    reportingGpus: cards.length,
    declaredMicros: priced.reduce(
      (sum, { pricePerHour, count }) => sum + BigInt(pricePerHour ?? 0) * BigInt(count) * hours,
      0n,
    ),
    observedMicros: rate(paid) * hours,
    unpriced: declaration.groups.length - priced.length + paid.filter(({ priceMicros }) => priceMicros === null).length,
  };
}

const round = (gb: number) => Math.round(gb * 1_000) / 1_000;

export type Verdict = "aligned" | "differs" | "unverified" | "undeclared";

/** Aligned is what every source agreed in; what nobody verified is never aligned, and what was accepted is told apart. */
export function verdictOf(checks: readonly Check[], isAccepted: (check: Check) => boolean): Verdict {
  if (checks.some((check) => check.state === "differs" && !isNote(check) && !isAccepted(check))) return "differs";
  return checks.some(({ state }) => state === "unverified") ? "unverified" : "aligned";
}
