import { formatCount, formatUsdRate } from "@/lib/domain/format";
import type { AlignmentAnswer, FindingGroup, GroupView } from "./view";

/** A way out of what differs: what to do, what it takes, and what it changes in a day against what runs now. */
export type AlignmentAction = {
  kind: "declare" | "launch" | "terminate" | "look";
  title: string;
  text: string;
  href: string;
  dayMicros: bigint | null;
};

const DAY_HOURS = 24n;

/** Ways out, the cheapest to take first: correct what was said, launch what is missing, end what nobody declared. */
export function actionsOf({ groups, findings, strangers }: AlignmentAnswer): AlignmentAction[] {
  const open = findings.filter(({ state, severity }) => state === "open" && severity !== "info");
  return [
    ...groups.flatMap((group) => corrections(group, open)),
    ...groups.flatMap((group) => launches(group, open)),
    ...endings(open, strangers),
    ...looks(open),
  ];
}

const OF_DOCUMENT: ReadonlySet<FindingGroup["fact"]> = new Set([
  "type",
  "model",
  "memory",
  "gpus",
  "pools",
  "sums",
  "label",
  "price",
  "region",
  "architecture",
]);

function corrections(group: GroupView, open: readonly FindingGroup[]): AlignmentAction[] {
  const own = open.filter((row) => row.group === group.name && OF_DOCUMENT.has(row.fact));
  if (own.length === 0) return [];
  const wanted = new Map<string, string>();
  const change = (fact: FindingGroup["fact"], words: (value: string) => string) => {
    const value = own.find((row) => row.fact === fact)?.observed;
    if (value) wanted.set(fact, words(value));
  };
  change("model", (value) => value);
  change("memory", (value) => value);
  change("price", (value) => value);
  change("region", (value) => `in ${value}`);
  change("architecture", (value) => value);
  const sizes = own.some(({ fact }) => fact === "pools" || fact === "sums")
    ? [`pools of at most ${group.pools[0]?.nominalGb ?? group.memoryGb} GB`]
    : [];
  const line = own.map((row) => row.line).find((one) => one !== null);
  return [
    {
      kind: "declare",
      title: `Correct the declaration of ${group.name}`,
      text: `${formatCount(group.present, "machine")}: ${[...wanted.values(), ...sizes].join(", ") || "as they are"}. Nothing that runs changes.`,
      href: `/alignment/declaration?group=${encodeURIComponent(group.name)}${line ? `&line=${line}` : ""}`,
      dayMicros: 0n,
    },
  ];
}

function launches(group: GroupView, open: readonly FindingGroup[]): AlignmentAction[] {
  const missing = open.find((row) => row.group === group.name && row.fact === "machines");
  if (!missing) return [];
  const count = group.count - group.present;
  const price = group.pricePerHourMicros;
  const region = group.regions[0];
  const line = [count, group.instanceType, ...(region === undefined ? [] : [region])].join(" ");
  return [
    {
      kind: "launch",
      title: `Launch ${count === 1 ? "the one" : `the ${count}`} missing of ${group.name}`,
      text: `${group.instanceType}${region ? ` in ${region}` : ""}${price === null ? "" : `, expected at ${formatUsdRate(price)} each`}.`,
      href: `/launch?line=${encodeURIComponent(line)}`,
      dayMicros: price === null ? null : BigInt(price) * BigInt(count) * DAY_HOURS,
    },
  ];
}

function endings(open: readonly FindingGroup[], strangers: AlignmentAnswer["strangers"]): AlignmentAction[] {
  return open
    .filter(({ fact }) => fact === "extra" || fact === "undeclared")
    .flatMap((found) =>
      found.targets.map(({ instanceId, name }) => {
        const price = strangers.find(({ id }) => id === instanceId)?.priceMicros ?? null;
        return {
          kind: "terminate",
          title: `Declare or terminate ${name}`,
          text: `${found.why} Its page says what runs on it and what would be lost.`,
          href: `/fleet/${instanceId}?ask=terminate`,
          dayMicros: price === null ? null : -BigInt(price) * DAY_HOURS,
        } as const;
      }),
    );
}

const OF_MACHINE: ReadonlySet<FindingGroup["fact"]> = new Set([
  "tags",
  "image",
  "driver",
  "cuda",
  "pytorch",
  "capability",
  "record",
]);

/** What neither the document nor a launch settles: tags, images and software, on the machine itself. */
function looks(open: readonly FindingGroup[]): AlignmentAction[] {
  const byMachine = new Map<string, { name: string; settle: Set<string> }>();
  for (const { fact, targets, settle } of open) {
    if (!OF_MACHINE.has(fact)) continue;
    for (const { instanceId, name } of targets) {
      if (instanceId === null) continue;
      const known = byMachine.get(instanceId) ?? { name, settle: new Set() };
      byMachine.set(instanceId, known);
      known.settle.add(settle);
    }
  }
  return [...byMachine].map(([id, { name, settle }]) => ({
    kind: "look",
    title: `Look at ${name}`,
    text: [...settle].join(" "),
    href: `/fleet/${id}`,
    dayMicros: null,
  }));
}
