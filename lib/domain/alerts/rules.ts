import { z } from "zod";
import { WORKLOADS, type Workload } from "@/lib/domain/fleet/labels";
import { formatDuration } from "@/lib/domain/format-time";
import { METRICS, UNITS } from "@/lib/domain/telemetry/catalogue";
import { silentAfterMs } from "@/lib/domain/telemetry/sample";
import { cleanName } from "@/lib/domain/text";
import { COMPARISON_WORDS, isUpward } from "./condition";
import { COMPARISONS, type Comparison, NO_DATA, SEVERITIES } from "./types";

export const RULE_KINDS = ["gpu_metric", "telemetry", "inventory", "money"] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

export type TargetKind = "gpu" | "instance" | "connection" | "fleet";

/** One thing a rule may look at. A threshold outside [min, max] could never, or would always, be crossed. */
export type RuleMetric = { label: string; unit: string; target: TargetKind; min: number; max: number };

const WEEK_MS = 7 * 24 * 3_600_000;

const duration = (label: string, target: TargetKind): RuleMetric => ({
  label,
  unit: "ms",
  target,
  min: 0,
  max: WEEK_MS,
});

/** Everything measured that the catalogue knows, but for counts, which only ever grow. */
const MEASURED: Record<string, RuleMetric> = Object.fromEntries(
  Object.entries(METRICS)
    .filter(([, { kind }]) => kind !== "count")
    .map(([key, { label, unit, min, max }]) => [key, { label, unit: UNITS[unit].short, target: "gpu", min, max }]),
);

/** What a rule of each kind may look at. */
export const RULE_METRICS: Record<RuleKind, Readonly<Record<string, RuleMetric>>> = {
  gpu_metric: {
    ...MEASURED,
    effectiveUtilizationPct: { label: "Effective utilisation", unit: "%", target: "gpu", min: 0, max: 100 },
  },
  telemetry: {
    silentMs: duration("Silence while billing", "instance"),
    overdueMs: duration("Silence beyond the reporting interval's allowance, while billing", "instance"),
  },
  inventory: {
    unhealthy: { label: "Instance unhealthy", unit: "0 or 1", target: "instance", min: 0, max: 1 },
    bootingMs: duration("Time spent booting", "instance"),
    staleMs: duration("Lambda has not answered for", "connection"),
  },
  money: {
    spendTodayUsd: { label: "Spend today", unit: "USD", target: "fleet", min: 0, max: 10_000_000 },
  },
};

/** `overdueMs` of a sender: from 0 on it counts as silent, however slow its own interval is. */
export function overdueMs(silentMs: number, intervalMs: number): number {
  return silentMs - silentAfterMs(intervalMs);
}

export function metricOf(kind: RuleKind, metric: string): RuleMetric | null {
  const metrics = RULE_METRICS[kind];
  return Object.hasOwn(metrics, metric) ? (metrics[metric] ?? null) : null;
}

/** Which targets a rule watches. Keys are joined by AND, values by OR; a key that is absent or empty asks nothing. */
export type Selector = {
  workload?: readonly Workload[] | undefined;
  team?: readonly string[] | undefined;
  type?: readonly string[] | undefined;
  instance?: readonly string[] | undefined;
  region?: readonly string[] | undefined;
};

/** A target as selectors see it; null: it has none (the fleet has no region). */
export type SelectorTarget = { [K in keyof Required<Selector>]: string | null };

export function selects(selector: Selector, target: SelectorTarget): boolean {
  return SELECTOR_KEYS.every((key) => {
    const wanted: readonly string[] = selector[key] ?? [];
    const own = target[key];
    return wanted.length === 0 || (own !== null && wanted.includes(own));
  });
}

const SELECTOR_KEYS = ["workload", "team", "type", "instance", "region"] as const satisfies (keyof Selector)[];

/** A list, or its items with commas between them, as a form sends it. */
const words = <T extends string>(word: z.ZodType<T, string>) =>
  z.preprocess(
    (value) => (typeof value === "string" ? value.split(",").map((item) => item.trim()) : value),
    z
      .array(z.string())
      .transform((items) => items.filter((item) => item !== ""))
      .pipe(z.array(word).max(100, "Choose at most 100")),
  );

const anyName = words(z.string().max(200));

export const SelectorSchema = z.object({
  workload: words(z.enum(WORKLOADS, { error: "is not a workload" })).optional(),
  team: anyName.optional(),
  type: anyName.optional(),
  instance: anyName.optional(),
  region: anyName.optional(),
});

/** A number of a form: digits only, so that "" and "0x10" are no numbers. */
const numeral = z
  .union(
    [
      z.number(),
      z
        .string()
        .trim()
        .regex(/^[-−]?\d+(\.\d+)?$/, "Give a number"),
    ],
    { error: "Give a number" },
  )
  .transform((value) => (typeof value === "number" ? value : Number(value.replace("−", "-"))))
  .pipe(z.number({ error: "Give a number" }));

const optionalNumeral = z.preprocess(
  (value) => (value === "" || value === undefined ? null : value),
  numeral.nullable(),
);

/** A field left empty says nothing. */
const unlessBlank = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema);

const minutes = (most: number) =>
  unlessBlank(
    numeral.pipe(z.number().min(0, "Cannot be negative").max(most, `Use at most ${most} minutes`)).default(0),
  );

const DAY_MINUTES = 24 * 60;

/** A rule as a person writes it in the form: durations in minutes and seconds, selectors as lists or with commas. */
export const NewAlertRule = z
  .object({
    name: z
      .string()
      .transform((name) => cleanName(name, 120))
      .refine((name) => name !== "", "Give the rule a name"),
    kind: z.enum(RULE_KINDS, { error: "is not a kind of rule" }),
    severity: z.enum(SEVERITIES, { error: "Choose a severity" }),
    enabled: z.stringbool().or(z.boolean()).default(true),
    selector: SelectorSchema.default({}),
    metric: z.string().max(60),
    comparison: z.enum(COMPARISONS, { error: "Choose a comparison" }),
    threshold: numeral,
    clearThreshold: optionalNumeral.default(null),
    forMinutes: minutes(DAY_MINUTES),
    keepFiringMinutes: minutes(DAY_MINUTES),
    intervalSeconds: unlessBlank(
      numeral.pipe(z.number().min(10, "Use at least 10 seconds").max(3_600, "Use at most an hour")).default(30),
    ),
    noData: z.enum(NO_DATA, { error: "Choose what silence means" }).default("unknown"),
    reason: z.string().max(1_000, "Use at most 1,000 characters").default(""),
    action: z.string().max(1_000, "Use at most 1,000 characters").default(""),
  })
  .superRefine((rule, ctx) => {
    const metric = metricOf(rule.kind, rule.metric);
    if (!metric) {
      ctx.addIssue({ code: "custom", path: ["metric"], message: "is not something this kind of rule can look at" });
      return;
    }
    for (const field of ["threshold", "clearThreshold"] as const) {
      const value = rule[field];
      if (value === null || (value >= metric.min && value <= metric.max)) continue;
      const message = `${metric.label} lies between ${limitWords(metric.min, metric.unit)} and ${limitWords(metric.max, metric.unit)}`;
      ctx.addIssue({ code: "custom", path: [field], message });
    }
    const problem = hysteresisProblem(rule.comparison, rule.threshold, rule.clearThreshold, metric.unit);
    if (problem) ctx.addIssue({ code: "custom", path: ["clearThreshold"], message: problem });
  })
  .transform(({ forMinutes, keepFiringMinutes, intervalSeconds, ...rule }) => ({
    ...rule,
    forMs: Math.round(forMinutes * 60_000),
    keepFiringMs: Math.round(keepFiringMinutes * 60_000),
    intervalMs: Math.round(intervalSeconds * 1_000),
  }));
export type NewAlertRule = z.output<typeof NewAlertRule>;

/** A rule that exists, as the form sends it. */
export const AlertRuleChange = z.intersection(NewAlertRule, z.object({ ruleId: z.uuid() }));

export const RuleSwitch = z.object({ ruleId: z.uuid(), enabled: z.stringbool().or(z.boolean()) });

/** B08: the second number lies on the calm side of the first. Null: fine. */
export function hysteresisProblem(
  comparison: Comparison,
  threshold: number,
  clearThreshold: number | null,
  unit = "",
): string | null {
  if (clearThreshold === null) return null;
  const isRight = isUpward(comparison) ? clearThreshold <= threshold : clearThreshold >= threshold;
  if (isRight) return null;
  const [side, wrong] = isUpward(comparison) ? ["lower", "higher"] : ["higher", "lower"];
  return `It fires ${COMPARISON_WORDS[comparison]} ${limitWords(threshold, unit)}, so it must clear at ${limitWords(threshold, unit)} or ${side}; ${limitWords(clearThreshold, unit)} is ${wrong}`;
}

/** A limit as a sentence names it; durations as durations. */
function limitWords(value: number, unit: string): string {
  if (unit === "ms") return value === 0 ? "0 min" : formatDuration(value);
  return unit === "" ? `${value}` : `${value} ${unit}`;
}
