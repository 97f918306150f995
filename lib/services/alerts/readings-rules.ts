import type { AlertRule, JudgedRule } from "@/lib/db/alerts/rules";
import type { Evidence } from "./evidence";
import { type Judged, plain } from "./readings";

/** Rules about rules: an evaluator that errs, sees nothing, is late or slow is an alert of its own (B14, B15, B26, B48). */
export async function ruleTargets(rule: AlertRule, evidence: Evidence): Promise<Judged[]> {
  const rules = await evidence.rules();
  const others = rules.filter((other) => other.id !== rule.id && other.enabled && other.health !== null);
  // Where slots are missed the worker stood still, for all of them: that is one thing to look at, not one per rule.
  if (rule.metric === "ruleMissedInARow")
    return [
      {
        ...plain(evidence, Math.max(0, ...others.map((other) => figureOf(rule.metric, other)))),
        target: { key: "rules", name: "The worker", resourceId: null, gpuId: null },
        machine: null,
        endsAfterMs: 0,
      },
    ];
  return others.map((other) => ({
    ...plain(evidence, figureOf(rule.metric, other)),
    target: { key: `rule:${other.id}`, name: other.name, resourceId: null, gpuId: null },
    machine: null,
    endsAfterMs: 0,
  }));
}

function figureOf(metric: string, { health, intervalMs }: JudgedRule): number {
  if (health === null) return 0;
  switch (metric) {
    case "ruleErrors":
      return health.lastError === null ? 0 : health.errorSlots;
    case "ruleWithoutData":
      return health.noDataSlots;
    case "ruleMissedInARow":
      return health.missedInARow;
    default:
      return (health.durationMs / intervalMs) * 100;
  }
}
