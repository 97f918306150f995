import type { AlertRule } from "@/lib/db/alerts/rules";
import { listActs } from "@/lib/db/policies/acts";
import { listPolicies } from "@/lib/db/policies/policies";
import { selects } from "@/lib/domain/alerts/rules";
import type { Evidence } from "./evidence";
import { asTarget, isBilled, type Judged, onMachine, plain } from "./readings";

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
const METRICS = ["leaseLeftMs", "leaseOverMs", "endAnnounced", "policyActs", "capacityFound"];
/** Found capacity is news for so long. */
const FOUND_MS = 12 * HOUR_MS;

export function isPolicyMetric(metric: string): boolean {
  return METRICS.includes(metric);
}

/** Leases, and what standing policies will do, did and found. */
export async function policyTargets(rule: AlertRule, evidence: Evidence): Promise<Judged[]> {
  const { slot } = evidence;
  switch (rule.metric) {
    case "leaseLeftMs":
    case "leaseOverMs":
    case "endAnnounced":
      return machinesOf(rule, evidence);
    case "policyActs": {
      const [policies, acts] = await Promise.all([policiesOf(evidence), actsOf(evidence)]);
      return policies
        .filter(({ mode }) => mode === "armed")
        .map(({ id, name }) => {
          const own = acts.filter(
            (act) => act.policyId === id && act.decision === "acted" && slot - act.decidedAt < HOUR_MS,
          );
          return alone(evidence, `policy:${id}`, name, own.length);
        });
    }
    default: {
      const acts = await actsOf(evidence);
      return acts
        .filter(
          ({ decision, evidence: { act }, decidedAt }) =>
            decision === "acted" && act === "notify" && slot - decidedAt < 2 * FOUND_MS,
        )
        .map((act) =>
          alone(evidence, `${act.target}:${act.slot}`, act.evidence.name, slot - act.decidedAt < FOUND_MS ? 1 : 0),
        );
    }
  }
}

async function machinesOf(rule: AlertRule, evidence: Evidence): Promise<Judged[]> {
  const [machines, acts] = await Promise.all([
    evidence.machines(),
    rule.metric === "endAnnounced" ? actsOf(evidence) : [],
  ]);
  const announced = new Set(
    acts.flatMap(({ decision, resourceId }) => (decision === "planned" && resourceId ? [resourceId] : [])),
  );
  return [...machines.values()]
    .filter((machine) => selects(rule.selector, asTarget(machine)))
    .flatMap((machine): Judged[] => {
      if (rule.metric === "endAnnounced") return [onMachine(machine, evidence, announced.has(machine.id) ? 1 : 0)];
      // A machine without a lease is fine.
      if (machine.leaseUntil === null) return [];
      const left = machine.leaseUntil.getTime() - evidence.slot;
      if (rule.metric === "leaseOverMs")
        return [onMachine(machine, evidence, isBilled(machine) ? Math.max(0, -left) : 0)];
      return [onMachine(machine, evidence, left > 0 && isBilled(machine) ? Math.min(left, WEEK_MS) : WEEK_MS)];
    });
}

function policiesOf(evidence: Evidence) {
  return evidence.once("policies", listPolicies);
}

function actsOf(evidence: Evidence) {
  return evidence.once("policyActs", () =>
    listActs({ since: new Date(evidence.slot - 2 * FOUND_MS), decisions: ["planned", "acted"], take: 1_000 }),
  );
}

/** A target that is no machine; when nothing is heard of it any more, its alert ends. */
function alone(evidence: Evidence, key: string, name: string, value: number): Judged {
  return {
    ...plain(evidence, value),
    target: { key, name, resourceId: null, gpuId: null },
    machine: null,
    endsAfterMs: 0,
  };
}
