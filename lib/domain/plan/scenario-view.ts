import { z } from "zod";
import { SavedChange, SavedFields } from "@/lib/domain/saved";
import type { ScenarioBody } from "./scenario-body";
import type { ScenarioResult } from "./scenarios";

export const ScenariosQuestion = z.object({});

export type ScenarioView = {
  id: string;
  name: string;
  body: ScenarioBody;
  version: number;
  isShared: boolean;
  owner: string | null;
  /** Whether the reader may change it. */
  isOwn: boolean;
  updatedAt: number;
  result: ScenarioResult;
};

export type ScenariosAnswer = {
  now: number;
  day: string;
  scenarios: ScenarioView[];
  examples: { key: string; name: string; about: string; body: ScenarioBody; result: ScenarioResult }[];
  /** Teams and projects that a budget may be for. */
  known: { team: string[]; project: string[]; environment: string[] };
};

export const NewScenario = SavedFields;
export const ScenarioChange = SavedChange;

/** The month of a scenario as the limit of a budget. */
export const ScenarioBudget = z.object({
  id: z.uuid(),
  name: z.string().max(120).default(""),
  scope: z.enum(["fleet", "team", "project", "environment"]).default("fleet"),
  value: z.string().trim().max(120).default(""),
});
export type ScenarioBudget = z.output<typeof ScenarioBudget>;
