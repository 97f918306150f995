import { z } from "zod";
import { WORKLOADS } from "@/lib/domain/fleet/workloads";
import { cleanName } from "@/lib/domain/text";
import { hysteresisProblem, limitWords, metricOf, RULE_KINDS } from "./rules";
import { COMPARISONS, NO_DATA, SEVERITIES } from "./types";

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
