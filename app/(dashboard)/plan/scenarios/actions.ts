"use server";

import { NewScenario, ScenarioBudget, ScenarioChange } from "@/lib/domain/plan/scenario-view";
import { SavedId } from "@/lib/domain/saved";
import { budgetOfScenario, scenarios } from "@/lib/services/plan/scenarios";
import { action } from "@/lib/web/action";

export const create = action(NewScenario, scenarios.create);
export const change = action(ScenarioChange, scenarios.change);
export const remove = action(SavedId, scenarios.remove);
export const toBudget = action(ScenarioBudget, budgetOfScenario);
