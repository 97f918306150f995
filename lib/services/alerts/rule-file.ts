import { randomUUID } from "node:crypto";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { listChannels } from "@/lib/db/alerts/channels";
import { listRoutes } from "@/lib/db/alerts/routes";
import { type JudgedRule, listRules } from "@/lib/db/alerts/rules";
import { listSilences } from "@/lib/db/alerts/silences";
import { listBudgets } from "@/lib/db/cost/budgets";
import { together } from "@/lib/db/mutate";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { FileChange, FileDiff } from "@/lib/domain/alerts/file-plan";
import { type Existing, entryOfPrometheus, planRules, RulesFile, ruleEntry } from "@/lib/domain/alerts/rule-file";
import { budgetEntry, planBudgets } from "@/lib/domain/cost/budget-file";
import { planRoutes, routeEntry } from "@/lib/domain/notify/route-file";
import { exportRules } from "@/lib/domain/prometheus/export";
import { readRuleFiles } from "@/lib/domain/prometheus/rule-file";
import { planSilences, silenceEntry } from "@/lib/domain/silences/silence-file";
import { AppError } from "@/lib/errors";
import { changeBudget, createBudget } from "@/lib/services/cost/budgets";
import { changeRoute, createRoute } from "@/lib/services/notify/routes";
import { createSilence } from "@/lib/services/silences/silences";
import { changeRule, createRule } from "./rules";

export const RuleFileText = z.object({
  text: z.string().min(1, "Paste a file, or choose one").max(2_000_000, "The file is larger than 2 MB"),
});
export type RuleFileText = z.output<typeof RuleFileText>;

/** Rules, routes, silences that are not over, and budgets as one YAML file. */
export async function writeRuleFile(ctx: Ctx): Promise<string> {
  authorize(ctx, "fleet:read");
  const { rules, budgets, routes, channels, silences } = await readHouse(ctx.now);
  const nameOf = new Map(budgets.map(({ id, name }) => [id, name]));
  const sections = {
    budgets: budgets.map(budgetEntry),
    rules: rules.map(({ id: _, ...rule }) => ruleEntry(rule, rule.budgetId && (nameOf.get(rule.budgetId) ?? null))),
    routes: routes.map((route) => routeEntry(route, channels)),
    silences: silences.map(silenceEntry),
  };
  const filled = Object.fromEntries(Object.entries(sections).filter(([, entries]) => entries.length > 0));
  return stringify({ version: 1, ...filled }, { lineWidth: 120, aliasDuplicateObjects: false });
}

/** The rules that PromQL can say, as a rule file of Prometheus; what was left out stands in it as comments. */
export async function writePrometheusFile(ctx: Ctx): Promise<string> {
  authorize(ctx, "fleet:read");
  const { file, left } = exportRules((await listRules()).filter(({ enabled }) => enabled));
  const comments = left.map(({ name, why }) => `# left out: ${name}: ${why}\n`).join("");
  return `${comments}${stringify(file, { lineWidth: 120 })}`;
}

/** What a file would change, without changing it. */
export async function previewRuleFile(ctx: Ctx, { text }: RuleFileText): Promise<FileDiff> {
  authorize(ctx, "rule:write");
  const { file, left } = sectionsOf(text);
  return whole(planFile(file, await readHouse(ctx.now), ctx.now.getTime()), left);
}

/** Takes a file in: all of it, or, where one thing of it is refused or fails, nothing. */
export async function takeRuleFile(ctx: Ctx, { text }: RuleFileText): Promise<{ created: number; changed: number }> {
  authorize(ctx, "rule:write");
  const { file } = sectionsOf(text);
  const house = await readHouse(ctx.now);
  const plan = planFile(file, house, ctx.now.getTime());
  const refused = whole(plan, []).changes.filter(({ kind }) => kind === "refused");
  const [first] = refused;
  if (first)
    throw new AppError(
      "invalid",
      `${refused.length === 1 ? `One ${first.of}` : `${refused.length} entries`} of the file cannot be taken, so nothing was changed: ${first.name}: ${first.details.join(", ")}.`,
    );
  return together(() => takeIn(ctx, file, house, plan));
}

async function takeIn(
  ctx: Ctx,
  file: RulesFile,
  house: House,
  { budgets, routes, silences }: FilePlan,
): Promise<{ created: number; changed: number }> {
  const ids = new Map(house.budgets.map(({ id, name }) => [name, id]));
  for (const { id, name, input } of budgets.planned) {
    const version = house.budgets.find((one) => one.id === id)?.version ?? 0;
    const made = await (id ? changeBudget(ctx, { ...input, budgetId: id, version }) : createBudget(ctx, input));
    ids.set(name, made.id);
  }
  // Now that budgets which the file makes have ids, its rules can name them.
  const rules = planRules(file.rules, house.rules, ids);
  for (const { id, input } of rules.planned)
    await (id ? changeRule(ctx, { ...input, ruleId: id }) : createRule(ctx, input));
  for (const { id, input } of routes.planned) {
    const version = house.routes.find((one) => one.id === id)?.version ?? 0;
    await (id ? changeRoute(ctx, { ...input, routeId: id, version }) : createRoute(ctx, input));
  }
  for (const { name: _, ...silence } of silences.planned.map(({ input }) => input)) await createSilence(ctx, silence);
  const planned = [budgets, rules, routes, silences].flatMap((section) => section.planned.map(({ id }) => id));
  const created = planned.filter((id) => id === null).length;
  return { created, changed: planned.length - created };
}

type House = Awaited<ReturnType<typeof readHouse>>;

async function readHouse(now: Date) {
  const [rules, budgets, routes, channels, silences] = await Promise.all([
    listRules(),
    listBudgets(),
    listRoutes(),
    listChannels(),
    listSilences(now),
  ]);
  return { rules: rules.map(existing), budgets, routes, channels, silences };
}

type FilePlan = ReturnType<typeof planFile>;

function planFile(file: RulesFile, house: House, now: number) {
  const budgets = planBudgets(file.budgets, house.budgets);
  const ids = new Map(house.budgets.map(({ id, name }) => [name, id]));
  for (const { name } of budgets.planned) if (!ids.has(name)) ids.set(name, randomUUID());
  return {
    budgets,
    rules: planRules(file.rules, house.rules, ids),
    routes: planRoutes(file.routes, house.routes, house.channels),
    silences: planSilences(file.silences, house.silences, now),
  };
}

function whole(plan: FilePlan, left: readonly FileChange[]): FileDiff {
  const diffs = [plan.budgets, plan.rules, plan.routes, plan.silences].map(({ diff }) => diff);
  return {
    changes: [...diffs.flatMap(({ changes }) => changes), ...left],
    untouched: diffs.flatMap(({ untouched }) => untouched),
  };
}

/** Our own file, or one of Prometheus, which has groups. What of the latter cannot be taken is named and does not hold up the rest. */
function sectionsOf(text: string): { file: RulesFile; left: FileChange[] } {
  try {
    const file: unknown = parse(text, { maxAliasCount: 100 });
    if (typeof file !== "object" || file === null || !("groups" in file))
      return { file: RulesFile.parse(file), left: [] };
    const read = readRuleFiles([parse(text, { schema: "failsafe", maxAliasCount: 100 })]);
    const left: FileChange[] = read.left.map(({ name, why }) => ({
      of: "rule",
      name,
      kind: "left_out",
      details: [why],
    }));
    const entries = read.taken.flatMap((rule) => {
      const made = entryOfPrometheus(rule);
      if ("entry" in made) return [made.entry];
      left.push({ of: "rule", name: rule.alert, kind: "left_out", details: [made.why] });
      return [];
    });
    return { file: RulesFile.parse({ version: 1, rules: entries }), left };
  } catch (error) {
    const why = error instanceof z.ZodError ? error.issues[0]?.message : error instanceof Error ? error.message : null;
    throw new AppError(
      "invalid",
      `The file cannot be read, and nothing was changed: ${why ?? "it is not understood"}`,
      {
        text: "cannot be read",
      },
    );
  }
}

function existing(rule: JudgedRule): Existing {
  const { packKey: _, version: __, createdAt: ___, updatedAt: ____, health: _____, selector, ...rest } = rule;
  const lists = Object.entries(selector).map(([key, values]) => [key, [...(values ?? [])]]);
  return { ...rest, selector: Object.fromEntries(lists) };
}

export async function exportRuleFile(ctx: Ctx): Promise<{ name: string; lines: AsyncGenerator<string> }> {
  return { name: "hopperdeck-rules.yml", lines: once(await writeRuleFile(ctx)) };
}

export async function exportPrometheusFile(ctx: Ctx): Promise<{ name: string; lines: AsyncGenerator<string> }> {
  return { name: "hopperdeck-prometheus-rules.yml", lines: once(await writePrometheusFile(ctx)) };
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
