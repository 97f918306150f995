import { NewScenario, ScenariosQuestion } from "@/lib/domain/plan/scenario-view";
import { readScenarios, scenarios } from "@/lib/services/plan/scenarios";
import { exportScenarios } from "@/lib/services/plan/tables";
import { get, post } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(ScenariosQuestion, readScenarios), ScenariosQuestion, exportScenarios);
export const POST = post(NewScenario, scenarios.create);
