import { z } from "zod";
import { type Selector, selects } from "@/lib/domain/alerts/selector";
import { parseDecimal } from "@/lib/domain/cost/decimal";
import { isZone } from "@/lib/domain/cost/zone";
import { WORKLOADS } from "@/lib/domain/fleet/workloads";
import { cleanName } from "@/lib/domain/text";
import type { PolicyKind, PolicyMode } from "./kinds";

const MINUTE_MS = 60_000;

const whole = (least: number, most: number, unit: string) =>
  z.coerce
    .number({ error: "Give a number" })
    .int("Give a whole number")
    .min(least, `At least ${least} ${unit}`)
    .max(most, `At most ${most} ${unit}`);

const notice = whole(0, 1_440, "min").default(30);
const WALL = /^([01]\d|2[0-3]):[0-5]\d$/;
const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** Words as people type them, by commas, or a list of them. */
const names = (most: number) =>
  z
    .union([z.string().max(4_000), z.array(z.string().max(200))])
    .default([])
    .transform((given) => [
      ...new Set(
        (typeof given === "string" ? given.split(/[,\n]/) : given).map((one) => one.trim()).filter((one) => one !== ""),
      ),
    ])
    .pipe(z.array(z.string().max(200, "is longer than 200 characters")).max(most, `At most ${most}`));

const days = z
  .array(z.coerce.number().int().min(1).max(7))
  .min(1, "Choose at least one day")
  .max(7)
  .transform((list) => [...new Set(list)].sort());

const price = z
  .string()
  .trim()
  .regex(/^\d{1,5}(\.\d{1,6})?$/, "is not an amount of dollars such as 2.49");

export const LeaseParams = z.object({
  warnHours: whole(1, 336, "h").default(24),
  noticeMinutes: notice,
  endBusy: z.boolean().default(false),
});
export const ScheduleParams = z.object({
  days: days.default([1, 2, 3, 4, 5]),
  from: z.string().regex(WALL, "is not a time like 08:00").default("08:00"),
  to: z.string().regex(WALL, "is not a time like 19:00").default("19:00"),
  holidays: names(200).pipe(z.array(z.string().regex(DAY, "is not a day like 2026-12-25"))),
  /** How long after the end of working hours it may still end a machine that was busy then. */
  waitMinutes: whole(30, 720, "min").default(120),
  noticeMinutes: notice,
  endBusy: z.boolean().default(false),
  /** From which template what it ended is launched again; null: nothing is. */
  templateId: z.uuid().nullable().default(null),
});
export const IdleParams = z.object({
  afterMinutes: whole(30, 1_440, "min").default(120),
  /** Idle with memory held as well, not only empty. */
  withHeld: z.boolean().default(false),
  noticeMinutes: notice,
});
export const GUARD_ACTS = ["stop_launches", "ask", "terminate"] as const;
export const GUARD_ORDERS = ["idle_first", "dearest_first", "newest_first"] as const;
export const BudgetGuardParams = z.object({
  budgetId: z.uuid("Choose a budget"),
  on: z.enum(["actual", "forecast", "burn"]).default("actual"),
  pct: z.coerce.number({ error: "Give a percentage" }).gt(0, "Give more than 0 %").max(1_000, "At most 1,000 %"),
  act: z.enum(GUARD_ACTS).default("stop_launches"),
  order: z.enum(GUARD_ORDERS).default("idle_first"),
  noticeMinutes: notice,
  endBusy: z.boolean().default(false),
});
export const CapacityWatchParams = z.object({
  typeNames: names(10).pipe(z.array(z.string()).min(1, "Name at least one type")),
  /** Empty: anywhere. */
  regions: names(20),
  /** Dollars an hour; null: whatever it costs. */
  maxUsdPerHour: z
    .union([z.literal(""), price])
    .nullable()
    .transform((text) => text || null)
    .default(null),
  count: whole(1, 20, "machines").default(1),
  until: z.coerce.number({ error: "Choose a day" }).int().min(0).max(8.64e15),
  act: z.enum(["launch", "notify"]).default("notify"),
  templateId: z.uuid().nullable().default(null),
});

export const PARAMS = {
  lease: LeaseParams,
  schedule: ScheduleParams,
  idle_termination: IdleParams,
  budget_guard: BudgetGuardParams,
  capacity_watch: CapacityWatchParams,
} as const;
export type Params = { [K in PolicyKind]: z.output<(typeof PARAMS)[K]> };

/** Which machines: every key that is not empty must fit. */
export const Machines = z.object({
  workload: z.array(z.enum(WORKLOADS)).max(10).default([]),
  team: names(50),
  type: names(50),
  instance: names(100),
});
export type Machines = z.output<typeof Machines>;

const common = {
  name: z
    .string()
    .max(120, "is longer than 120 characters")
    .transform((text) => cleanName(text, 120))
    .pipe(z.string().min(1, "Give it a name")),
  selector: Machines.default({ workload: [], team: [], type: [], instance: [] }),
  zone: z.string().trim().max(60).refine(isZone, "is not a time zone like Europe/Berlin").default("UTC"),
  /** Between two acts on one target. */
  cooldownMinutes: whole(0, 10_080, "min").default(60),
  maxPerHour: whole(1, 100, "an hour").default(3),
};

const one = <K extends PolicyKind>(kind: K) => z.object({ ...common, kind: z.literal(kind), params: PARAMS[kind] });

export const NewPolicy = z
  .discriminatedUnion("kind", [
    one("lease"),
    one("schedule"),
    one("idle_termination"),
    one("budget_guard"),
    one("capacity_watch"),
  ])
  .superRefine((policy, issues) => {
    if (policy.kind === "capacity_watch" && policy.params.act === "launch" && policy.params.templateId === null)
      issues.addIssue({ code: "custom", path: ["params", "templateId"], message: "Choose from which template" });
    if (policy.kind === "schedule" && policy.params.from === policy.params.to && policy.params.days.length === 7)
      issues.addIssue({ code: "custom", path: ["params", "to"], message: "These hours never end" });
  });
export type NewPolicy = z.output<typeof NewPolicy>;

export const PolicyId = z.object({ policyId: z.uuid() });
/** `version` is the one that was looked at: a change that somebody made meanwhile is not lost. */
export const PolicyVersion = PolicyId.extend({ version: z.coerce.number().int().positive() });
export const PolicyChange = PolicyVersion.extend({ policy: NewPolicy });
export type PolicyChange = z.output<typeof PolicyChange>;

type Of<K extends PolicyKind> = {
  id: string;
  kind: K;
  name: string;
  mode: PolicyMode;
  shadowSince: number;
  armedAt: number | null;
  selector: Machines;
  params: Params[K];
  zone: string;
  cooldownMs: number;
  maxPerHour: number;
  version: number;
  createdAt: number;
  updatedAt: number;
};
export type PolicyOf<K extends PolicyKind> = Of<K>;
export type Policy = { [K in PolicyKind]: Of<K> }[PolicyKind];

/** Micro-dollars of dollars that `price` has let through. */
export function microsOfUsd(text: string): bigint {
  const { numerator, denominator } = parseDecimal(text);
  return (numerator * 1_000_000n) / denominator;
}

export function watches(selector: Machines, target: Parameters<typeof selects>[1]): boolean {
  return selects(selector as Selector, target);
}

/** Whether an edit changes what a policy does, so that what it was watched doing says nothing any more. */
export function isMaterial(before: Policy, after: NewPolicy): boolean {
  const said = (policy: Pick<Policy, "kind" | "selector" | "params" | "zone">) =>
    JSON.stringify([
      policy.kind,
      Machines.parse(policy.selector),
      PARAMS[policy.kind].parse(policy.params),
      policy.kind === "schedule" ? policy.zone : "",
    ]);
  const isLooser = after.maxPerHour > before.maxPerHour || after.cooldownMinutes * MINUTE_MS < before.cooldownMs;
  return isLooser || said(before) !== said(after as Pick<Policy, "kind" | "selector" | "params" | "zone">);
}
