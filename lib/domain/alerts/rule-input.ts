import { z } from "zod";
import { WORKLOADS } from "@/lib/domain/fleet/workloads";
import { cleanName } from "@/lib/domain/text";
import { isEquality, isUpward } from "./condition";
import { hysteresisProblem, limitWords, metricOf, RULE_KINDS, type RuleMetric } from "./rules";
import { AGGREGATES, type Aggregate, COMPARISONS, type Comparison, NO_DATA, SEVERITIES, type Severity } from "./types";

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
  project: anyName.optional(),
  environment: anyName.optional(),
  type: anyName.optional(),
  instance: anyName.optional(),
  region: anyName.optional(),
  model: anyName.optional(),
  gpu: anyName.optional(),
  tag: words(
    z
      .string()
      .max(200)
      .regex(/^[^=]+=/, "Write a tag as key=value"),
  ).optional(),
  run: anyName.optional(),
});

/** "team=ml, pager=night", or the pairs themselves. */
const labels = z.preprocess(
  (value) => {
    if (typeof value !== "string") return value;
    const pairs = value.split(",").map((pair) => pair.trim());
    return Object.fromEntries(
      pairs.filter(Boolean).map((pair) => [pair.split("=")[0]?.trim(), pair.split("=").slice(1).join("=").trim()]),
    );
  },
  z.record(
    z.string().regex(/^[a-zA-Z_]\w{0,63}$/, "is no name of a label"),
    z.string().min(1, "wants a value").max(200, "is too long"),
    { error: "Write labels as name=value" },
  ),
);

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

type Windowed = { aggregate: Aggregate; windowMinutes: number };

function windowProblems({ aggregate, windowMinutes }: Windowed, metric: RuleMetric): [string[], string][] {
  if (aggregate === "last" && windowMinutes === 0) return [];
  if (!metric.isSeries) return [[["aggregate"], `${metric.label} is no series of samples; take its newest value`]];
  return windowMinutes === 0 ? [[["windowMinutes"], "Say over how many minutes"]] : [];
}

type Levelled = {
  comparison: Comparison;
  severity: Severity;
  threshold: number;
  params: Readonly<Record<string, string | number>>;
};

/** `critical` is a second threshold, beyond which the alert becomes critical; the others are the metric's own. */
function paramProblems({ comparison, severity, threshold, params }: Levelled, metric: RuleMetric): [string, string][] {
  return Object.entries(params).flatMap(([name, value]): [string, string][] => {
    if (value === "") return [];
    const known = name === "critical" ? 0 : metric.params?.[name];
    if (known === undefined || !Object.hasOwn({ critical: 0, ...metric.params }, name))
      return [[name, "is nothing that this rule can set"]];
    if (typeof known === "number" && !Number.isFinite(Number(value))) return [[name, "Give a number"]];
    if (name !== "critical") return [];
    if (severity === "critical") return [[name, "The rule is critical from the beginning"]];
    if (isEquality(comparison)) return [[name, "An alert on one exact value has one level"]];
    const isBeyond = isUpward(comparison) ? Number(value) >= threshold : Number(value) <= threshold;
    return isBeyond ? [] : [[name, "It must lie beyond the threshold"]];
  });
}

function readParams(params: Levelled["params"], metric: RuleMetric | null): Record<string, string | number> {
  const isNumber = (name: string) => name === "critical" || typeof metric?.params?.[name] === "number";
  return Object.fromEntries(
    Object.entries(params)
      .filter(([, value]) => value !== "")
      .map(([name, value]) => [name, isNumber(name) ? Number(value) : String(value)]),
  );
}

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
    aggregate: z.enum(AGGREGATES, { error: "Choose what is compared" }).default("last"),
    windowMinutes: minutes(DAY_MINUTES),
    /** How long silence is borne; empty: as long as the sender's own interval allows. */
    lookbackMinutes: z.preprocess(
      (value) => (value === "" || value === undefined ? null : value),
      numeral.pipe(z.number().min(1, "Use at least a minute").max(DAY_MINUTES, "Use at most a day")).nullable(),
    ),
    params: z.record(z.string(), z.union([z.string().trim().max(200), z.number()])).default({}),
    labels: labels.default({}),
    budgetId: unlessBlank(z.uuid().nullable().default(null)),
    noData: z.enum(NO_DATA, { error: "Choose what silence means" }).default("unknown"),
    reason: z.string().max(1_000, "Use at most 1,000 characters").default(""),
    action: z.string().max(1_000, "Use at most 1,000 characters").default(""),
    runbook: z.string().max(20_000, "Use at most 20,000 characters").default(""),
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
    for (const [path, message] of windowProblems(rule, metric)) ctx.addIssue({ code: "custom", path, message });
    for (const [name, message] of paramProblems(rule, metric))
      ctx.addIssue({ code: "custom", path: ["params", name], message });
  })
  .transform(({ forMinutes, keepFiringMinutes, intervalSeconds, windowMinutes, lookbackMinutes, params, ...rule }) => ({
    ...rule,
    params: readParams(params, metricOf(rule.kind, rule.metric)),
    windowMs: Math.round(windowMinutes * 60_000),
    lookbackMs: lookbackMinutes === null ? null : Math.round(lookbackMinutes * 60_000),
    forMs: Math.round(forMinutes * 60_000),
    keepFiringMs: Math.round(keepFiringMinutes * 60_000),
    intervalMs: Math.round(intervalSeconds * 1_000),
  }));
export type NewAlertRule = z.output<typeof NewAlertRule>;

/** A rule that exists, as the form sends it. */
export const AlertRuleChange = z.intersection(NewAlertRule, z.object({ ruleId: z.uuid() }));

export const RuleSwitch = z.object({ ruleId: z.uuid(), enabled: z.stringbool().or(z.boolean()) });
