import { ageDays, STALE_DAYS } from "@/lib/domain/plan/quotes";
import type { CostLine, ScenarioBody } from "@/lib/domain/plan/scenario-body";
import { evaluate, type ScenarioResult } from "@/lib/domain/plan/scenarios";

/** A scenario that is looked at or typed. */
export type Draft = {
  /** Of what is kept; null: it is new. */
  id: string | null;
  version: number;
  name: string;
  isShared: boolean;
  /** Whether it may be changed where it is kept. */
  isOwn: boolean;
  owner: string | null;
  body: ScenarioBody;
};

/** What a draft comes to; or in words why it does not, yet. */
export function workedOut(body: ScenarioBody, day: string): ScenarioResult | string {
  try {
    return evaluate(body, (asOf) => (ageDays(asOf, day) ?? Number.POSITIVE_INFINITY) > STALE_DAYS);
  } catch {
    return "Every field needs a number such as 12.5.";
  }
}

export const NEW_LINE: CostLine = {
  name: "Machines",
  count: "1",
  price: { usd: "2.29", source: "", asOf: "" },
  hours: "24",
  every: "day",
  days: "30",
};

/** Where a new scenario of a kind begins. */
export const BLANKS: Record<ScenarioBody["kind"], ScenarioBody> = {
  costs: { kind: "costs", weeks: "52/12", lines: [NEW_LINE], notes: [] },
  move: {
    kind: "move",
    monthlyUsd: "15000",
    from: { usd: "21.9576", gpus: "8", source: "", asOf: "" },
    to: { usd: "3.99", source: "", asOf: "" },
    speedup: "1",
    setupHours: "0",
    setupUsdPerHour: "0",
    migrationUsd: "",
    notes: [],
  },
  training: { kind: "training", totalUsd: "64512", otherUsd: "180000", gpus: "64", days: "21", notes: [] },
};
