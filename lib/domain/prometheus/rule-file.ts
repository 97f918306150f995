import { z } from "zod";
import { isSelected } from "./matchers";
import { duration, maybe, text, texts } from "./shapes";
import { type TakenExpr, takeExpression } from "./take";
import { parseTemplate, type Template } from "./template";

const RuleSource = z.object({
  alert: text.optional(),
  record: text.optional(),
  expr: text,
  for: duration.optional(),
  keep_firing_for: duration.optional(),
  labels: texts,
  annotations: texts,
});

/** A rule file of Prometheus. */
export const RuleFile = z.object({
  groups: maybe(
    z.array(
      z.object({
        name: text,
        interval: duration.optional(),
        limit: z.coerce.number().optional(),
        rules: maybe(z.array(RuleSource), []),
      }),
    ),
    [],
  ),
});

export type TakenRule = {
  alert: string;
  group: string;
  /** How often its group is judged; null: as often as everything. */
  intervalMs: number | null;
  source: string;
  expr: TakenExpr;
  forMs: number;
  keepFiringMs: number;
  labels: Readonly<Record<string, string>>;
  annotations: Readonly<Record<string, string>>;
  templates: { labels: Record<string, Template | null>; annotations: Record<string, Template | null> };
};

export type LeftRule = { name: string; group: string; isAlert: boolean; why: string };

export type ReadRules = { taken: TakenRule[]; left: LeftRule[] };

/** The rules of files that can be judged here, and of the others why not. Throws a ZodError where a file is no rule file. */
export function readRuleFiles(files: readonly unknown[]): ReadRules {
  const groups = files.flatMap((file) => RuleFile.parse(file || {}).groups);
  const recorded = groups.flatMap(({ rules }) => rules.flatMap(({ record }) => record ?? []));
  const read: ReadRules = { taken: [], left: [] };
  for (const group of groups)
    for (const rule of group.rules) {
      const name = rule.alert ?? rule.record ?? "";
      const leave = (why: string) =>
        read.left.push({ name, group: group.name, isAlert: rule.alert !== undefined, why });
      if (rule.alert === undefined) {
        leave("it records a series and raises no alert");
        continue;
      }
      const forMs = rule.for ?? 0;
      const taking = takeExpression(rule.expr, { alert: rule.alert, forMs, labels: Object.keys(rule.labels) });
      if ("why" in taking) leave(taking.why);
      else if (recorded.some((metric) => mayName(taking.taken, metric)))
        leave("it looks at a series that another rule records");
      else if (Object.values(rule.labels).some((label) => /\$value|\.Value/.test(label)))
        leave("its labels change with the value, and with them the alert");
      else if ((group.limit ?? 0) > 0) leave("its group has a limit");
      else
        read.taken.push({
          alert: rule.alert,
          group: group.name,
          intervalMs: group.interval ?? null,
          source: rule.expr,
          expr: taking.taken,
          forMs,
          keepFiringMs: rule.keep_firing_for ?? 0,
          labels: rule.labels,
          annotations: rule.annotations,
          templates: { labels: templatesOf(rule.labels), annotations: templatesOf(rule.annotations) },
        });
    }
  return read;
}

/** Whether an expression may look at a metric, by its name alone. */
function mayName({ select: { name, matchers } }: TakenExpr, metric: string): boolean {
  return isSelected({ name, matchers: matchers.filter(({ label }) => label === "__name__") }, metric, {});
}

function templatesOf(given: Readonly<Record<string, string>>): Record<string, Template | null> {
  return Object.fromEntries(Object.entries(given).map(([name, source]) => [name, parseTemplate(source)]));
}
