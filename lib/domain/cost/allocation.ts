import { z } from "zod";
import { cleanName } from "@/lib/domain/text";
import { GLOB_LENGTH, GLOB_STARS, isLike } from "./glob";
import type { Span } from "./rows";

/** Who pays, in words; all empty: nobody is named. */
export type OwnerWords = { team: string; project: string; environment: string; costCenter: string };

export const NOBODY: OwnerWords = { team: "", project: "", environment: "", costCenter: "" };
export const OWNER_FIELDS = ["team", "project", "environment", "costCenter"] as const;

export const OWNER_FIELD_NAMES: Record<keyof OwnerWords, string> = {
  team: "Team",
  project: "Project",
  environment: "Environment",
  costCenter: "Cost centre",
};

/** Charges that no machine makes. */
export const LOOSE_CHARGES = ["tax", "credit", "commitment", "adjustment", "rounding"] as const;
export type LooseCharge = (typeof LOOSE_CHARGES)[number];

export const SPLIT_METHODS = ["whole", "fixed", "even", "gpu_minutes"] as const;
export type SplitMethod = (typeof SPLIT_METHODS)[number];

const pattern = z
  .string()
  .max(GLOB_LENGTH, `is longer than ${GLOB_LENGTH} characters`)
  .transform((text) => cleanName(text, GLOB_LENGTH))
  .refine((text) => text.split("*").length - 1 <= GLOB_STARS, `has more than ${GLOB_STARS} stars`);

/** What a rule is about: everything that is said must hold. A tag is looked for in our labels first, then in Lambda's tags. */
export const Selector = z.object({
  name: pattern.optional(),
  type: pattern.optional(),
  kind: z.enum(["instance", "filesystem"]).optional(),
  connectionId: z.uuid().optional(),
  resourceIds: z.array(z.uuid()).max(500).optional(),
  tags: z
    .array(z.object({ key: z.string().min(1).max(64), value: pattern }))
    .max(8)
    .optional(),
  charges: z.array(z.enum(LOOSE_CHARGES)).min(1).optional(),
});
export type Selector = z.output<typeof Selector>;

export type AllocationRule = Span & {
  id: string;
  priority: number;
  selector: Selector;
  bearer: Bearer;
};

export type LabelFact = Span & OwnerWords & { from: number; byHand: boolean; owner: string; workload: string };
export type NameFact = {
  validFrom: number;
  name: string | null;
  typeName: string | null;
  tags: Record<string, string>;
};

/** What is known of a machine or file system that somebody may have to pay for. */
export type Payable = {
  id: string;
  kind: "instance" | "filesystem";
  connectionId: string;
  labels: readonly LabelFact[];
  /** In order of time. */
  spans: readonly NameFact[];
};

export type Bearer = { words: OwnerWords } | { potId: number };
export type BearerInterval = Span & { bearer: Bearer; ruleId: string | null };

export function isNobody(words: OwnerWords): boolean {
  return OWNER_FIELDS.every((field) => words[field] === "");
}

/** The order in which rules are asked: by priority, the smaller first, then by id. */
export function inOrder<T extends Pick<AllocationRule, "priority" | "id">>(rules: readonly T[]): T[] {
  return [...rules].sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1));
}

/**
 * Who pays for a thing, from when to when. Each word is taken from the labels that somebody set; what they leave empty from
 * the first rule that is about it; then from the provider's tags. A rule that shares the cost takes what nobody labelled.
 * `rules` are those of `inOrder`. What was before the first look is borne by the same people.
 */
export function bearersOf(thing: Payable, rules: readonly AllocationRule[]): BearerInterval[] {
  const mine = rules.filter((rule) => mayConcern(rule.selector, thing));
  const edges = [
    ...thing.labels.slice(1).flatMap(({ from }) => [from]),
    ...namesChange(thing.spans),
    ...mine.flatMap(({ from, to }) => [from, to]).filter((at) => at !== null),
  ].sort((a, b) => a - b);
  const cuts = [null, ...new Set(edges)];
  const result: BearerInterval[] = [];
  for (const [i, from] of cuts.entries()) {
    const to = cuts[i + 1] ?? null;
    const found = bearerAt(thing, mine, from ?? Number.NEGATIVE_INFINITY);
    const last = result.at(-1);
    if (last && last.ruleId === found.ruleId && isSame(last.bearer, found.bearer)) last.to = to;
    else result.push({ from, to, ...found });
  }
  return result;
}

function bearerAt(thing: Payable, rules: readonly AllocationRule[], at: number): Omit<BearerInterval, keyof Span> {
  const label = thing.labels.findLast(({ from }) => from <= at) ?? thing.labels[0];
  const span = thing.spans.findLast(({ validFrom }) => validFrom <= at) ?? thing.spans[0];
  const hand = label?.byHand ? label : NOBODY;
  const rule = rules.find((one) => {
    if ((one.from !== null && one.from > at) || (one.to !== null && one.to <= at)) return false;
    return ("words" in one.bearer || isNobody(hand)) && concerns(one.selector, span, label);
  });
  if (rule && "potId" in rule.bearer) return { bearer: rule.bearer, ruleId: rule.id };
  const given = rule && "words" in rule.bearer ? rule.bearer.words : NOBODY;
  const tags = label && !label.byHand ? label : NOBODY;
  const words = { ...NOBODY };
  for (const field of OWNER_FIELDS) words[field] = hand[field] || given[field] || tags[field];
  return { bearer: { words }, ruleId: rule?.id ?? null };
}

/** What never changes in a thing's life. */
function mayConcern({ charges, kind, connectionId, resourceIds }: Selector, thing: Payable): boolean {
  return (
    charges === undefined &&
    (kind === undefined || kind === thing.kind) &&
    (connectionId === undefined || connectionId === thing.connectionId) &&
    (resourceIds === undefined || resourceIds.includes(thing.id))
  );
}

function concerns({ name, type, tags }: Selector, span: NameFact | undefined, label: LabelFact | undefined): boolean {
  if (name !== undefined && !isLike(span?.name ?? "", name)) return false;
  if (type !== undefined && !isLike(span?.typeName ?? "", type)) return false;
  return (tags ?? []).every(({ key, value }) => isLike(labelled(label, key) || (span?.tags[key] ?? ""), value));
}

const LABEL_KEYS: Record<string, keyof OwnerWords | "owner" | "workload"> = {
  team: "team",
  project: "project",
  environment: "environment",
  env: "environment",
  cost_center: "costCenter",
  "cost-center": "costCenter",
  costcenter: "costCenter",
  owner: "owner",
  workload: "workload",
};

function labelled(label: LabelFact | undefined, key: string): string {
  const field = LABEL_KEYS[key.toLowerCase()];
  return (field && label?.[field]) ?? "";
}

function namesChange(spans: readonly NameFact[]): number[] {
  const said = ({ name, typeName, tags }: NameFact) => JSON.stringify([name, typeName, tags]);
  return spans.flatMap((span, i) => {
    const before = spans[i - 1];
    return before && said(before) !== said(span) ? [span.validFrom] : [];
  });
}

function isSame(a: Bearer, b: Bearer): boolean {
  if ("potId" in a || "potId" in b) return "potId" in a && "potId" in b && a.potId === b.potId;
  return OWNER_FIELDS.every((field) => a.words[field] === b.words[field]);
}

/** Who bears a charge that no machine makes and for which nobody was named; null: nobody. */
export function bearerOfCharge(kind: LooseCharge, at: number, rules: readonly AllocationRule[]): Bearer | null {
  const rule = rules.find(
    ({ selector, from, to }) =>
      selector.charges?.includes(kind) && (from === null || from <= at) && (to === null || at < to),
  );
  return rule?.bearer ?? null;
}

/** A selector in words: "name train-*, team research". */
export function selectorWords(selector: Selector, workspace?: string): string {
  const { name, type, kind, connectionId, resourceIds, tags, charges } = selector;
  const words = [
    kind && (kind === "instance" ? "instances" : "file systems"),
    name && `name ${name}`,
    type && `type ${type}`,
    connectionId && `workspace ${workspace ?? connectionId.slice(0, 8)}`,
    resourceIds && (resourceIds.length === 1 ? "one resource" : `${resourceIds.length} resources`),
    ...(tags ?? []).map(({ key, value }) => `${key} ${value}`),
    charges?.join(", "),
  ].filter((word) => word);
  return words.join("; ") || "everything";
}
