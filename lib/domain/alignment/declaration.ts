import { z } from "zod";
import { parseDecimal } from "@/lib/domain/cost/decimal";
import { GLOB_LENGTH } from "@/lib/domain/cost/glob";
import { WORKLOADS } from "@/lib/domain/fleet/workloads";
import { cleanName } from "@/lib/domain/text";

/* What somebody says the fleet is. Values arrive as text, as they were typed: a version 12.10 stays 12.10, and $2.49 stays exact. */

export const DECLARATION_BYTES = 200_000;
export const HOURS_PER_MONTH = [720, 730] as const;

const MOST_GROUPS = 200;
const MOST_POOLS = 32;

const name = (length = 64) =>
  z
    .string({ error: "is a text" })
    .max(200, "is too long")
    .transform((text) => cleanName(text, length))
    .pipe(z.string().min(1, "is empty"));

const whole = (min: number, max: number) =>
  z
    .string({ error: "is a whole number" })
    .regex(/^\d{1,9}$/, "is a whole number")
    .transform(Number)
    .pipe(z.number().min(min, `is at least ${min}`).max(max, `is at most ${max}`));

/** Gigabytes as sold, to the thousandth. */
const gigabytes = z
  .string({ error: "is a number of GB" })
  .regex(/^\d{1,6}(\.\d{1,3})?$/, "is a number of GB, such as 96 or 3.6")
  .transform(Number)
  .pipe(z.number().min(0.001, "is more than 0"));

const price = z
  .string({ error: "is a price in dollars" })
  .regex(/^\d{1,6}(\.\d{1,6})?$/, "is a price in dollars per hour, such as 2.29")
  .transform((text) => {
    const { numerator, denominator } = parseDecimal(text);
    return ((numerator * 1_000_000n) / denominator).toString();
  });

const version = z
  .string({ error: "is a version" })
  .regex(/^\d{1,6}(\.\d{1,6}){0,3}$/, "is a version, such as 550 or 535.86.10");

const day = z
  .string({ error: "is a day" })
  .regex(/^\d{4}-\d{2}-\d{2}$/, "is a day, such as 2026-03-31")
  .refine((text) => !Number.isNaN(Date.parse(text)), "is no day of the calendar");

const glob = name(GLOB_LENGTH);
const listOf = <T extends z.ZodType>(item: T, most = 50) => z.array(item).max(most, `has more than ${most} entries`);

export const ARCHITECTURES = ["arm64", "x86_64"] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

const Pool = z.strictObject({
  name: name(40),
  gb: gigabytes,
  /** Whose memory it is; left out: of every workload. */
  workload: z.enum(WORKLOADS, { error: `is one of ${WORKLOADS.join(", ")}` }).optional(),
  /** Where it stands in an architecture of several tiers of memory: "L0" is the GPU's own. A word, compared with nothing. */
  tier: name(12).optional(),
  /** Names of the processes that live in it. */
  processes: listOf(glob, 20).default([]),
});
export type Pool = z.output<typeof Pool>;

const Match = z.strictObject({
  names: listOf(glob).default([]),
  instanceTypes: listOf(name()).default([]),
  regions: listOf(name()).default([]),
  tags: z.record(name(), name()).default({}),
});
export type Match = z.output<typeof Match>;

const Group = z.strictObject({
  name: name(60),
  owner: name(60).optional(),
  instanceType: name(),
  gpu: name(60),
  gpusPerInstance: whole(0, 64).default(1),
  memoryGb: gigabytes,
  count: whole(0, 10_000),
  regions: listOf(name()).default([]),
  pricePerHour: price.optional(),
  images: listOf(glob).default([]),
  architecture: z.enum(ARCHITECTURES, { error: "is arm64 or x86_64" }).optional(),
  pools: listOf(Pool, MOST_POOLS).default([]),
  tagsRequired: listOf(name()).default([]),
  software: name(60).optional(),
  /** Which machines it means; left out: those of its instance type. */
  match: Match.optional(),
});
export type Group = z.output<typeof Group>;

export const SOFTWARE_PARTS = ["driver", "cuda", "pytorch", "image"] as const;
export type SoftwarePart = (typeof SOFTWARE_PARTS)[number];

const Deprecation = z.strictObject({
  part: z.enum(SOFTWARE_PARTS, { error: "is one of driver, cuda, pytorch, image" }),
  version: name(60),
  until: day,
  note: name(200).optional(),
});
export type Deprecation = z.output<typeof Deprecation>;

const Software = z.strictObject({
  name: name(60),
  driverMin: version.optional(),
  driverRecommended: version.optional(),
  cuda: listOf(version).default([]),
  pytorch: listOf(version).default([]),
  images: listOf(glob).default([]),
  capabilityMin: version.optional(),
  memoryMinGb: gigabytes.optional(),
  memoryRecommendedGb: gigabytes.optional(),
  deprecated: listOf(Deprecation).default([]),
});
export type SoftwarePolicy = z.output<typeof Software>;

export const Declaration = z
  .strictObject({
    version: z.literal("1", { error: "is 1" }),
    fleet: name(60).default("The fleet"),
    hoursPerMonth: z
      .enum(["720", "730"], { error: "is 720 or 730" })
      .default("720")
      .transform((text) => (text === "730" ? 730 : 720)),
    /** What to make of machines that belong to no group. */
    undeclared: z.enum(["report", "ignore"], { error: "is report or ignore" }).default("report"),
    software: listOf(Software).default([]),
    groups: z.array(Group, { error: "is a list of groups" }).min(1, "has no group").max(MOST_GROUPS),
  })
  .superRefine((declaration, context) => {
    const complain = (path: (string | number)[], message: string) =>
      context.addIssue({ code: "custom", path, message });
    for (const i of twice(declaration.groups.map((group) => group.name)))
      complain(["groups", i, "name"], "is the name of another group, too");
    for (const i of twice(declaration.software.map((policy) => policy.name)))
      complain(["software", i, "name"], "is the name of another policy, too");
    const policies = new Set(declaration.software.map((policy) => policy.name));
    const types = new Map<string, string>();
    declaration.groups.forEach((group, i) => {
      if (group.software !== undefined && !policies.has(group.software))
        complain(["groups", i, "software"], `there is no software policy “${group.software}”`);
      for (const j of twice(group.pools.map((pool) => `${pool.name} ${pool.workload ?? ""}`)))
        complain(["groups", i, "pools", j, "name"], "is the name of another pool of the same workload");
      if (group.match !== undefined) {
        if (isEmptyMatch(group.match)) complain(["groups", i, "match"], "asks nothing: name machines, types or tags");
        return;
      }
      const other = types.get(group.instanceType);
      if (other !== undefined)
        complain(
          ["groups", i, "instanceType"],
          `is that of ${other}, too: say with match which machines belong to which`,
        );
      else types.set(group.instanceType, group.name);
    });
  });
/** The declared fleet as it is read: money in micro-dollars as text, everything else plain. */
export type Declaration = z.output<typeof Declaration>;

function twice(names: readonly string[]): number[] {
  return names.flatMap((one, i) => (names.indexOf(one) < i ? [i] : []));
}

function isEmptyMatch({ names, instanceTypes, regions, tags }: Match): boolean {
  return names.length + instanceTypes.length + regions.length + Object.keys(tags).length === 0;
}

/** What is wrong with a document, and in which line of it. */
export type DeclarationProblem = { line: number | null; path: string; message: string };

/** "groups[0].pools[1].gb", as a person looks for it. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === "number" ? `${text}[${part}]` : text === "" ? String(part) : `${text}.${String(part)}`,
    "",
  );
}

export function policyOf(declaration: Declaration, group: Group): SoftwarePolicy | null {
  return declaration.software.find(({ name: one }) => one === group.software) ?? null;
}

/** The pools of one workload: its own, and those of every workload. */
export function poolsFor(group: Pick<Group, "pools">, workload: string | null): Pool[] {
  return group.pools.filter((pool) => pool.workload === undefined || pool.workload === workload);
}

/** Every set of pools that a machine of the group may have: one per workload that has pools of its own. */
export function poolSets(group: Pick<Group, "pools">): { workload: string | null; pools: Pool[] }[] {
  const own = [...new Set(group.pools.flatMap(({ workload }) => (workload === undefined ? [] : [workload])))];
  const sets = (own.length === 0 ? [null] : own).map((workload) => ({ workload, pools: poolsFor(group, workload) }));
  return sets.filter(({ pools }) => pools.length > 0);
}
