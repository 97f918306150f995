import { recordAudit } from "@/lib/db/mutate";
import { authorize, type Ctx } from "@/lib/domain/access";
import {
  type FirewallChange,
  FirewallRule,
  GLOBAL_RULESET,
  ruleDiff,
  rulesText,
  ruleWords,
} from "@/lib/domain/cloud/firewall";
import type { FirewallAnswer, RulesetRow } from "@/lib/domain/cloud/view";
import { AppError } from "@/lib/errors";
import type { LambdaClient } from "@/lib/integrations/lambda/client";
import type { RuleBody } from "@/lib/integrations/lambda/contract";
import { change, look } from "./call";

/** What may come in, as Lambda has it at this moment. */
export async function readFirewall(ctx: Ctx): Promise<FirewallAnswer> {
  authorize(ctx, "fleet:read");
  try {
    return { now: ctx.now.getTime(), rulesets: await look(rulesets), problem: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { now: ctx.now.getTime(), rulesets: [], problem: error.message };
  }
}

/**
 * Replaces the rules of a ruleset. They are read again right before: what another changed since they were looked at is not
 * overwritten.
 */
export async function changeFirewall(ctx: Ctx, { rulesetId, seen, rules }: FirewallChange): Promise<{ id: string }> {
  authorize(ctx, "cloud:write");
  const find = async (lambda: LambdaClient) => (await rulesets(lambda)).find(({ id }) => id === rulesetId);
  const before = await look(find);
  if (!before) throw new AppError("not-found", "There is no such ruleset any more. Nothing was changed.");
  if (rulesText(before.rules) !== seen) {
    const now = before.rules.map(ruleWords).join("; ") || "none";
    throw new AppError(
      "conflict",
      `Somebody has changed these rules meanwhile; now they are: ${now}. Look at them and change them again; nothing was changed.`,
    );
  }
  const { added, removed } = ruleDiff(before.rules, rules);
  if (added.length === 0 && removed.length === 0) return { id: rulesetId };
  const wanted = rulesText(rules);
  await change(ctx, {
    ...subject(before),
    what: `change the rules of ${before.name}`,
    run: async (lambda) => {
      await lambda.setRules(rulesetId, rules.map(bodyOf));
      return true;
    },
    look: async (lambda) => (rulesText((await find(lambda))?.rules ?? []) === wanted ? true : null),
  });
  await recordAudit(ctx, {
    ...subject(before),
    action: "firewall.changed",
    before: { rules: before.rules.map(ruleWords) },
    after: { rules: rules.map(ruleWords) },
  });
  return { id: rulesetId };
}

async function rulesets(lambda: LambdaClient): Promise<RulesetRow[]> {
  const [global, regional] = [await lambda.globalRuleset(), await lambda.listRulesets()];
  return [
    { id: GLOBAL_RULESET, name: global.name, region: null, rules: global.rules.map(ruleOf), machines: null },
    ...regional.map(({ rules, ...rest }) => ({ ...rest, rules: rules.map(ruleOf) })),
  ];
}

type Told = { protocol: string; ports: number[] | null; source: string; description: string };

/** A rule that we cannot read must not be lost when its ruleset is written back. */
function ruleOf(told: Told): FirewallRule {
  const read = FirewallRule.safeParse(told);
  if (read.success) return read.data;
  throw new AppError(
    "unavailable",
    `Lambda has a rule that is not understood here (${told.protocol} from ${told.source}). Change it in Lambda's console.`,
  );
}

function bodyOf({ protocol, ports, source, description }: FirewallRule): RuleBody {
  return { protocol, ...(ports && { port_range: ports }), source_network: source, description };
}

function subject({ id, name }: Pick<RulesetRow, "id" | "name">) {
  return { subjectKind: "firewall", subjectId: id, subject: name };
}
