import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { NewBudget } from "@/lib/domain/cost/budgets";
import { decimalText } from "@/lib/domain/cost/decimal";
import { dayOf } from "@/lib/domain/cost/zone";
import { ageDays, STALE_DAYS } from "@/lib/domain/plan/quotes";
import { ScenarioBody } from "@/lib/domain/plan/scenario-body";
import { SCENARIO_EXAMPLES } from "@/lib/domain/plan/scenario-examples";
import type { ScenarioBudget, ScenariosAnswer, ScenarioView } from "@/lib/domain/plan/scenario-view";
import { evaluate, type ScenarioResult } from "@/lib/domain/plan/scenarios";
import type { Saved, SavedId } from "@/lib/domain/saved";
import { AppError } from "@/lib/errors";
import { createBudget, readBudgets } from "@/lib/services/cost/budgets";
import { savedNoun } from "@/lib/services/saved/saved";

/** Scenarios by name: each has an owner, and is shared where the owner says so. */
export const scenarios = savedNoun<ScenarioBody>({
  kind: "scenario",
  called: "scenario",
  body: ScenarioBody,
  write: "plan:write",
});

async function today(ctx: Ctx): Promise<string> {
  const { zone } = await readSetting("accounting");
  return dayOf(ctx.now.getTime(), zone);
}

function resultOf(body: ScenarioBody, day: string): ScenarioResult {
  return evaluate(body, (asOf) => (ageDays(asOf, day) ?? Number.POSITIVE_INFINITY) > STALE_DAYS);
}

function viewOf(saved: Saved<ScenarioBody>, day: string): ScenarioView {
  return { ...saved, result: resultOf(saved.body, day) };
}

/** What the reader keeps, what others share, and the examples. */
export async function readScenarios(ctx: Ctx, _: object = {}): Promise<ScenariosAnswer> {
  authorize(ctx, "cost:read");
  const [day, list, { known }] = await Promise.all([today(ctx), scenarios.list(ctx), readBudgets(ctx)]);
  return {
    now: ctx.now.getTime(),
    day,
    scenarios: list.map((saved) => viewOf(saved, day)),
    examples: SCENARIO_EXAMPLES.map((example) => ({ ...example, result: resultOf(example.body, day) })),
    known: { team: known.team, project: known.project, environment: known.environment },
  };
}

/** One by its link. Throws `not-found` for what is not there or not shared. */
export async function readScenario(ctx: Ctx, id: SavedId): Promise<ScenarioView> {
  authorize(ctx, "cost:read");
  const [day, saved] = await Promise.all([today(ctx), scenarios.find(ctx, id)]);
  return viewOf(saved, day);
}

/** A monthly budget as high as what the scenario says that a month costs. */
export async function budgetOfScenario(ctx: Ctx, { id, name, scope, value }: ScenarioBudget): Promise<{ id: string }> {
  authorize(ctx, "budget:write");
  const { name: called, result } = await readScenario(ctx, { id });
  if (result.monthlyMicros === null)
    throw new AppError("conflict", "This scenario is not of months, so no budget can be made of it.");
  if (scope !== "fleet" && value === "")
    throw new AppError("invalid", "Some of it is missing; nothing was changed.", { value: "Say whose budget it is" });
  const budget = NewBudget.parse({
    name: name.trim() || called,
    selector: scope === "fleet" ? {} : { [scope]: value },
    every: "month",
    usd: decimalText(BigInt(result.monthlyMicros), 1_000_000n, 6),
  });
  return createBudget(ctx, budget);
}
