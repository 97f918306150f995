import { parse, stringify } from "yaml";
import { z } from "zod";
import { type JudgedRule, listRules } from "@/lib/db/alerts/rules";
import { authorize, type Ctx } from "@/lib/domain/access";
import {
  type Existing,
  entryOfPrometheus,
  type FileChange,
  type FileDiff,
  planRules,
  RulesFile,
  ruleEntry,
} from "@/lib/domain/alerts/rule-file";
import { exportRules } from "@/lib/domain/prometheus/export";
import { readRuleFiles } from "@/lib/domain/prometheus/rule-file";
import { AppError } from "@/lib/errors";
import { changeRule, createRule } from "./rules";

export const RuleFileText = z.object({
  text: z.string().min(1, "Paste a file, or choose one").max(2_000_000, "The file is larger than 2 MB"),
});
export type RuleFileText = z.output<typeof RuleFileText>;

/** Every rule as one YAML file. */
export async function writeRuleFile(ctx: Ctx): Promise<string> {
  authorize(ctx, "fleet:read");
  const rules = (await listRules()).map(existing);
  return stringify({ version: 1, rules: rules.map(({ id: _, ...rule }) => ruleEntry(rule)) }, { lineWidth: 120 });
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
  return (await plan(text)).diff;
}

/** Takes a file in: all of it, or, where one rule of it is refused, nothing. */
export async function takeRuleFile(ctx: Ctx, { text }: RuleFileText): Promise<{ created: number; changed: number }> {
  authorize(ctx, "rule:write");
  const { diff, planned } = await plan(text);
  const refused = diff.changes.filter(({ kind }) => kind === "refused");
  const [first] = refused;
  if (first)
    throw new AppError(
      "invalid",
      `${refused.length === 1 ? "One rule" : `${refused.length} rules`} of the file cannot be taken, so nothing was changed: ${first.name}: ${first.details.join(", ")}.`,
    );
  for (const { id, input } of planned) await (id ? changeRule(ctx, { ...input, ruleId: id }) : createRule(ctx, input));
  const created = planned.filter(({ id }) => id === null).length;
  return { created, changed: planned.length - created };
}

async function plan(text: string) {
  const { entries, left } = entriesOf(text);
  const found = planRules(entries, (await listRules()).map(existing));
  return { ...found, diff: { ...found.diff, changes: [...found.diff.changes, ...left] } };
}

/** Our own file, or one of Prometheus, which has groups. What of the latter cannot be taken is named and does not hold up the rest. */
function entriesOf(text: string): { entries: Record<string, unknown>[]; left: FileChange[] } {
  try {
    const file: unknown = parse(text, { maxAliasCount: 100 });
    if (typeof file !== "object" || file === null || !("groups" in file))
      return { entries: RulesFile.parse(file).rules, left: [] };
    const read = readRuleFiles([parse(text, { schema: "failsafe", maxAliasCount: 100 })]);
    const left: FileChange[] = read.left.map(({ name, why }) => ({ name, kind: "left_out", details: [why] }));
    const entries = read.taken.flatMap((rule) => {
      const made = entryOfPrometheus(rule);
      if ("entry" in made) return [made.entry];
      left.push({ name: rule.alert, kind: "left_out", details: [made.why] });
      return [];
    });
    return { entries, left };
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
  return { name: "hopperdeck-rules.yml", lines: whole(await writeRuleFile(ctx)) };
}

export async function exportPrometheusFile(ctx: Ctx): Promise<{ name: string; lines: AsyncGenerator<string> }> {
  return { name: "hopperdeck-prometheus-rules.yml", lines: whole(await writePrometheusFile(ctx)) };
}

async function* whole(text: string): AsyncGenerator<string> {
  yield text;
}
