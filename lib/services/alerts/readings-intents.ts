import {
  listGlassAccounts,
  listGlassBroken,
  listOpenEnds,
  listStrays,
  listUnanswered,
  type NamedIntent,
} from "@/lib/db/alerts/intents";
import type { AlertRule } from "@/lib/db/alerts/rules";
import { selects } from "@/lib/domain/alerts/rules";
import type { Evidence } from "./evidence";
import { asTarget, type Judged, onMachine, plain } from "./readings";

const HOUR_MS = 3_600_000;
/** A broken glass is told for an hour, and known for a day, so that its alert ends as any other. */
const GLASS_MS = HOUR_MS;
const METRICS = ["endingMs", "strayMark", "launchUnanswered", "glassBroken", "glassAccount", "changesFrozenMs"];

export function isIntentMetric(metric: string): boolean {
  return METRICS.includes(metric);
}

/** What was asked of Lambda and does not come true, came true unseen, or was sent without the second person. */
export async function intentTargets(rule: AlertRule, evidence: Evidence): Promise<Judged[]> {
  const { slot } = evidence;
  switch (rule.metric) {
    case "endingMs": {
      const ends = await evidence.once("openEnds", listOpenEnds);
      const since = new Map(ends.map((one) => [one.resourceId, one.since.getTime()]));
      return onMachines(rule, evidence, (id) => Math.max(0, slot - (since.get(id) ?? slot)));
    }
    case "strayMark": {
      const strays = await evidence.once("strays", listStrays);
      return onMachines(rule, evidence, (id) => (strays.has(id) ? 1 : 0));
    }
    case "launchUnanswered": {
      const lost = await evidence.once("unanswered", () => listUnanswered(new Date(slot)));
      return lost.map((one) => alone(evidence, one, 1));
    }
    case "glassBroken": {
      const broken = await evidence.once("glass", () => listGlassBroken(new Date(slot - 24 * HOUR_MS)));
      return broken.map((one) => alone(evidence, one, slot - one.at.getTime() < GLASS_MS ? 1 : 0));
    }
    case "glassAccount": {
      const used = await evidence.once("glassAccount", () => listGlassAccounts(new Date(slot - 24 * HOUR_MS)));
      return used.map((one) => alone(evidence, one, slot - one.at.getTime() < GLASS_MS ? 1 : 0, "person"));
    }
    default: {
      const connection = await evidence.connection();
      if (!connection) return [];
      const since = connection.mutateFrozenAt ?? connection.mutationsFrozenAt;
      return [
        {
          ...plain(evidence, since === null ? 0 : Math.max(0, slot - since.getTime())),
          target: { key: `connection:${connection.id}`, name: connection.name, resourceId: null, gpuId: null },
          machine: null,
        },
      ];
    }
  }
}

async function onMachines(rule: AlertRule, evidence: Evidence, value: (id: string) => number): Promise<Judged[]> {
  const machines = await evidence.machines();
  return [...machines.values()]
    .filter((machine) => selects(rule.selector, asTarget(machine)))
    .map((machine) => onMachine(machine, evidence, value(machine.id)));
}

function alone(evidence: Evidence, { id, kind, name }: NamedIntent, value: number, what = "intent"): Judged {
  return {
    ...plain(evidence, value),
    target: { key: `${what}:${id}`, name: `${kind} ${name}`, resourceId: null, gpuId: null },
    machine: null,
    endsAfterMs: 0,
  };
}
