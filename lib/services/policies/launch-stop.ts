import { listPolicies } from "@/lib/db/policies/policies";
import { readSetting } from "@/lib/db/settings";
import { formatPercent } from "@/lib/domain/format";
import { budgetStates } from "@/lib/services/cost/budgets";

export type LaunchStop = {
  policyId: string;
  policy: string;
  /** Nobody launches, or only after a second person has said yes. */
  act: "stop" | "ask";
  words: string;
};

/** Which armed guard of a budget holds launches back now, the strictest first; null: none does, or automation is stopped. */
export async function launchesStoppedBy(now: Date): Promise<LaunchStop | null> {
  const policies = (await listPolicies()).flatMap((policy) =>
    policy.kind === "budget_guard" && policy.mode === "armed" && policy.params.act !== "terminate" ? [policy] : [],
  );
  if (policies.length === 0) return null;
  const [automation, states] = await Promise.all([readSetting("automation"), budgetStates(now)]);
  if (automation.stoppedAt !== null) return null;
  const stops = policies.flatMap((policy): LaunchStop[] => {
    const state = states.find(({ id }) => id === policy.params.budgetId);
    if (!state) return [];
    const { on, pct } = policy.params;
    const reached = { actual: state.actualPct, forecast: state.forecastPct, burn: state.burnPct }[on];
    if (reached < pct) return [];
    const measure = { actual: "spent", forecast: "forecast", burn: "at the rate of now" }[on];
    return [
      {
        policyId: policy.id,
        policy: policy.name,
        act: policy.params.act === "ask" ? "ask" : "stop",
        words: `${state.name} is ${formatPercent(reached)} ${measure}; the limit is ${formatPercent(pct)}.`,
      },
    ];
  });
  return stops.find(({ act }) => act === "stop") ?? stops[0] ?? null;
}
