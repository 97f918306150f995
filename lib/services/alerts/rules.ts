import { closeEpisodesOf } from "@/lib/db/alerts/episodes";
import { type AlertRule, deleteRule, findRule, insertRule, updateRule } from "@/lib/db/alerts/rules";
import { mutate, type Tx } from "@/lib/db/mutate";
import type { Ctx } from "@/lib/domain/access";
import type { KeptBacktest } from "@/lib/domain/alerts/backtest";
import type { NewAlertRule } from "@/lib/domain/alerts/rule-input";
import { AppError } from "@/lib/errors";
import { tellLater } from "./news";

/** What history said of a rule's new text; which version that is stands fixed when it is written. */
export type Tested = Omit<KeptBacktest, "version"> | null;

export async function createRule(ctx: Ctx, input: NewAlertRule, tested: Tested = null): Promise<{ id: string }> {
  return mutate(ctx, "rule:write", async (tx) => {
    const rule = await insertRule(tx, { ...input, ...(tested && { backtest: { ...tested, version: 1 } }) }, ctx.now);
    return { action: "rule.created", ...subject(rule), after: input, result: { id: rule.id } };
  });
}

/** Changes a rule: its version rises, and its alerts are judged by the new text from the next slot on (B32). */
export async function changeRule(
  ctx: Ctx,
  { ruleId, ...input }: NewAlertRule & { ruleId: string },
  tested: Tested = null,
): Promise<{ id: string }> {
  return mutate(ctx, "rule:write", async (tx) => {
    const before = await existing(ruleId);
    if (before.kind !== input.kind)
      throw new AppError("invalid", "What a rule looks at cannot change; make a new rule instead.", {
        kind: "cannot change",
      });
    const backtest = tested && { ...tested, version: before.version + 1 };
    const after = await updateRule(tx, ruleId, { ...input, backtest }, ctx.now);
    if (before.enabled && !after.enabled) await closeAll(tx, ruleId, "rule_paused", ctx.now);
    return {
      action: "rule.changed",
      ...subject(after),
      before: shown(before),
      after: shown(after),
      result: { id: ruleId },
    };
  });
}

/** Switches a rule on or off; off closes its open alerts and says so (B33). */
export async function switchRule(
  ctx: Ctx,
  { ruleId, enabled }: { ruleId: string; enabled: boolean },
): Promise<{ id: string }> {
  return mutate(ctx, "rule:write", async (tx) => {
    const before = await existing(ruleId);
    await updateRule(tx, ruleId, { enabled }, ctx.now);
    if (!enabled) await closeAll(tx, ruleId, "rule_paused", ctx.now);
    return {
      action: enabled ? "rule.resumed" : "rule.paused",
      ...subject(before),
      before: { enabled: before.enabled },
      after: { enabled },
      result: { id: ruleId },
    };
  });
}

export async function removeRule(ctx: Ctx, { ruleId }: { ruleId: string }): Promise<{ id: string }> {
  return mutate(ctx, "rule:write", async (tx) => {
    const before = await existing(ruleId);
    await closeAll(tx, ruleId, "rule_deleted", ctx.now);
    await deleteRule(tx, ruleId, ctx.now);
    return { action: "rule.removed", ...subject(before), before: shown(before), result: { id: ruleId } };
  });
}

async function closeAll(tx: Tx, ruleId: string, reason: "rule_paused" | "rule_deleted", now: Date): Promise<void> {
  for (const { id, seq } of await closeEpisodesOf(tx, ruleId, reason, now))
    await tellLater(tx, id, seq, "resolved", now);
}

async function existing(ruleId: string): Promise<AlertRule> {
  const rule = await findRule(ruleId);
  if (!rule) throw new AppError("not-found", "There is no such rule.");
  return rule;
}

function subject(rule: Pick<AlertRule, "id" | "name">) {
  return { subjectKind: "rule", subjectId: rule.id, subject: rule.name };
}

function shown({ id: _, createdAt: __, updatedAt: ___, packKey: ____, ...rule }: AlertRule) {
  return rule;
}
