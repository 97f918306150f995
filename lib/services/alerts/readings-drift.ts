import type { AlertRule } from "@/lib/db/alerts/rules";
import { countOpen } from "@/lib/db/alignment/findings";
import { selects } from "@/lib/domain/alerts/rules";
import { isNarrow } from "@/lib/domain/alerts/selector";
import type { Evidence } from "./evidence";
import { asTarget, type Judged, onMachine, plain } from "./readings";

/** Rules about what was declared: open findings of each machine, and of groups as a whole. Notes and what was accepted are none. */
export async function driftTargets(rule: AlertRule, evidence: Evidence): Promise<Judged[]> {
  const [machines, counts] = await Promise.all([evidence.machines(), evidence.once("drift", countOpen)]);
  const isWanted = (severity: string) => rule.metric !== "criticalFindings" || severity === "critical";
  const byMachine = new Map<string, number>();
  const byGroup = new Map<string, number>();
  for (const { resourceId, group, severity, findings } of counts) {
    if (!isWanted(severity)) continue;
    const [sums, key] =
      resourceId === null ? ([byGroup, group ?? "The fleet"] as const) : ([byMachine, resourceId] as const);
    sums.set(key, (sums.get(key) ?? 0) + findings);
  }
  const own = [...machines.values()]
    .filter((machine) => selects(rule.selector, asTarget(machine)))
    .map((machine) => onMachine(machine, evidence, byMachine.get(machine.id) ?? 0));
  // A group has no team and no region: a rule that asks for one does not mean it.
  if (isNarrow(rule.selector)) return own;
  const groups = [...byGroup].map(
    ([name, findings]): Judged => ({
      ...plain(evidence, findings),
      target: { key: `group:${name}`, name, resourceId: null, gpuId: null },
      machine: null,
      endsAfterMs: 0,
    }),
  );
  return [...own, ...groups];
}
