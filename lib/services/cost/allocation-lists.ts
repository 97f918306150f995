import { listPayables, type PayableFact } from "@/lib/db/cost/allocation";
import { readAllocation, type StoredRule } from "@/lib/db/cost/owners";
import { authorize, type Ctx } from "@/lib/domain/access";
import { type BearerInterval, bearersOf, isNobody, NOBODY } from "@/lib/domain/cost/allocation";
import type {
  AllocationQuestion,
  AssignmentsAnswer,
  AssignmentView,
  RulesAnswer,
} from "@/lib/domain/cost/allocation-view";
import { monthAsked, ruleView } from "./allocation";

/** Every allocation rule that counts, also those that ended or are to come. */
export async function readRules(ctx: Ctx): Promise<RulesAnswer> {
  authorize(ctx, "cost:read");
  const now = ctx.now.getTime();
  const { rules } = await readAllocation();
  return { now, rules: rules.map((rule) => ruleView(rule, now)) };
}

/** Who pays for each thing that cost something in a month, from when to when within it, and what says so. */
export async function readAssignments(ctx: Ctx, question: AllocationQuestion): Promise<AssignmentsAnswer> {
  authorize(ctx, "cost:read");
  const { now, zone, month, range } = await monthAsked(ctx, question.month);
  const [{ rules }, things] = await Promise.all([readAllocation(), listPayables(month)]);
  const isWithin = ({ from, to }: BearerInterval) => (from ?? 0) < range.to && (to === null || to > range.from);
  return {
    now,
    month,
    zone,
    assignments: things.flatMap((thing) =>
      bearersOf(thing, rules)
        .filter(isWithin)
        .map((interval) => assignment(thing, interval, rules)),
    ),
  };
}

function assignment(
  { id, kind, name, typeName, region }: PayableFact,
  { from, to, bearer, ruleId }: BearerInterval,
  rules: readonly StoredRule[],
): AssignmentView {
  const rule = rules.find((one) => one.id === ruleId);
  const words = "words" in bearer ? bearer.words : NOBODY;
  const pot = "potId" in bearer ? (rules.find((one) => one.potId === bearer.potId)?.name ?? "shared") : null;
  const by = rule ? "rule" : isNobody(words) ? "nobody" : "label";
  const said = rule ? { id: rule.id, name: rule.name } : null;
  return { resourceId: id, kind, name, typeName, region, from, to, words, pot, by, rule: said };
}
