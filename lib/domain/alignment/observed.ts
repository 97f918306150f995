import { isLike } from "@/lib/domain/cost/glob";
import type { Status } from "@/lib/domain/fleet/observe";
import { modelOf, nominalGb, shortModelName } from "@/lib/domain/telemetry/models";
import type { Architecture, Declaration, Group } from "./declaration";

/** A value with the instant at which its source said it. */
export type Said<T> = { value: T; at: number };

/** A card as it reports itself. */
export type ObservedCard = {
  id: number;
  uuid: string;
  name: string;
  memoryMib: number | null;
  driver: string | null;
  at: number;
};

/** One machine as the provider records it and as its own cards and agent report it. */
export type ObservedMachine = {
  id: string;
  externalId: string;
  name: string;
  status: Status;
  firstSeenAt: number;
  typeName: string | null;
  region: string;
  workload: string;
  tags: Readonly<Record<string, string>>;
  /** Our own labels, which count as tags where the provider has none. */
  labels: Readonly<Record<string, string>>;
  priceMicros: bigint | null;
  /** What we asked for when we launched it; the provider's listing does not say it. */
  image: Said<string> | null;
  /** The provider's description of its type. */
  record: { gpuModel: string | null; gpus: number; gpuMemoryGb: number | null; architecture: string | null } | null;
  /** Those that report now; empty where nothing reports. */
  cards: ObservedCard[];
  architecture: Said<string> | null;
  cuda: Said<string> | null;
  pytorch: Said<string> | null;
  driver: Said<string> | null;
};

/** Everything that was seen of the fleet in one good poll. */
export type Observed = { at: number; machines: ObservedMachine[] };

/** Machines that are there, or will be in a moment; one that leaves is no longer part of the fleet. */
const PRESENT: ReadonlySet<Status> = new Set(["booting", "active", "unhealthy", "unknown"]);

export function isPresent({ status }: Pick<ObservedMachine, "status">): boolean {
  return PRESENT.has(status);
}

/** Machines by group, the longest known first; and those of no group. A machine belongs to the first group that means it. */
export function membersOf(
  declaration: Declaration,
  machines: readonly ObservedMachine[],
): { members: Map<string, ObservedMachine[]>; strangers: ObservedMachine[] } {
  const members = new Map<string, ObservedMachine[]>(declaration.groups.map(({ name }) => [name, []]));
  const strangers: ObservedMachine[] = [];
  const present = machines.filter(isPresent).sort((a, b) => a.firstSeenAt - b.firstSeenAt || (a.id < b.id ? -1 : 1));
  for (const machine of present) {
    const group = declaration.groups.find((one) => means(one, machine));
    (group ? (members.get(group.name) ?? []) : strangers).push(machine);
  }
  return { members, strangers };
}

function means({ match, instanceType }: Group, machine: ObservedMachine): boolean {
  if (!match) return machine.typeName === instanceType;
  const isIn = (wanted: readonly string[], own: string | null) =>
    wanted.length === 0 || (own !== null && wanted.some((pattern) => isLike(own, pattern)));
  return (
    isIn(match.names, machine.name) &&
    isIn(match.instanceTypes, machine.typeName) &&
    isIn(match.regions, machine.region) &&
    Object.entries(match.tags).every(([key, value]) => isLike(tagOf(machine, key) ?? "", value))
  );
}

/** A tag of the provider, or our own label of that name. */
export function tagOf({ tags, labels }: Pick<ObservedMachine, "tags" | "labels">, key: string): string | null {
  return tags[key] || labels[key] || null;
}

const MOST_REMEMBERED = 1_000;

/** The same few names come up for every machine of a fleet: what a text leads to is worked out once. */
function remembered<T>(work: (text: string) => T): (text: string) => T {
  const known = new Map<string, { found: T }>();
  return (text) => {
    const before = known.get(text);
    if (before) return before.found;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const found = work(text);
    known.set(text, { found });
    return found;
  };
}

/** A model's name as the table has it, whatever was typed: "NVIDIA GH200 480GB" and "GH200" are one. */
export const modelName = remembered(shortModelName);

/** Whether a card is what was declared; a name that leaves the board open ("A100") means all its boards. */
export function isModel(declared: string, reported: string): boolean {
  const [wanted, found] = [modelName(declared).toLowerCase(), modelName(reported).toLowerCase()];
  return found === wanted || found.startsWith(`${wanted} `);
}

/** The chip without its board: what the provider's short description and a card's own name must agree in. */
export const chipOf = remembered(
  (text: string): string =>
    modelName(text)
      .toUpperCase()
      .replace(/^RTX A/, "A")
      .split(/[ -]/)
      .filter((word) => word !== "RTX" && word !== "PRO" && word !== "QUADRO" && word !== "TESLA")[0] ?? "",
);

const nominalOf = remembered((text: string): number | null => {
  const [mib = "", ...name] = text.split(" ");
  return nominalGb(name.join(" "), Number(mib));
});

/** Nominal GB of a card, by its own name and what it reports. */
export function cardGb({ name, memoryMib }: Pick<ObservedCard, "name" | "memoryMib">): number | null {
  return memoryMib === null ? null : nominalOf(`${memoryMib} ${name}`);
}

/** The sizes in GB that a model is sold with; empty for one that the table does not have. */
export const sizesOf = remembered(
  (model: string): number[] => modelOf(model)?.memory.map((size) => size.nominalGb) ?? [],
);

/** "aarch64" and "arm64" are the same. */
export function architectureOf(text: string): Architecture | null {
  if (/^(aarch64|arm64)$/i.test(text)) return "arm64";
  return /^(x86_64|amd64|x64)$/i.test(text) ? "x86_64" : null;
}
