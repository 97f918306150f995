import type { AlertRule } from "@/lib/db/alerts/rules";
import { listEvents } from "@/lib/db/events";
import { numberParam, paramOf } from "@/lib/domain/alerts/rule-metrics";
import { selects } from "@/lib/domain/alerts/rules";
import { burstsOf, type XidEvent } from "@/lib/domain/xid/bursts";
import { judge } from "@/lib/domain/xid/verdict";
import { xidEvent } from "@/lib/services/events/read";
import type { Evidence } from "./evidence";
import { asTarget, gpusOfRule, type Judged, onMachine, plain } from "./readings";

const MINUTE = 60_000;
const READ_AT_MOST = 20_000;
/** An incident that began before the window is whole, and a fault that came back is known by what came before it. */
const BEFORE_MS = 7 * 24 * 60 * MINUTE;

/** Rules about Xid errors: incidents that may wake somebody as a fault of the hardware, and lines of certain codes per GPU. */
export async function eventTargets(rule: AlertRule, evidence: Evidence): Promise<Judged[]> {
  const [machines, xids] = await Promise.all([evidence.machines(), recentXids(evidence)]);
  const from = evidence.slot - numberParam(rule, "minutes") * MINUTE;
  if (rule.metric === "hardwareFaults") {
    const faults = await evidence.once("faults", async () => faultsOf(xids));
    return [...machines.values()]
      .filter((machine) => selects(rule.selector, asTarget(machine)))
      .map((machine) => onMachine(machine, evidence, (faults.get(machine.id) ?? []).filter((at) => at > from).length));
  }
  const codes = codesOf(String(paramOf(rule, "codes") ?? ""));
  const counts = new Map<number, number>();
  for (const { at, code, gpuId } of xids)
    if (gpuId !== null && at > from && (codes.size === 0 || codes.has(code)))
      counts.set(gpuId, (counts.get(gpuId) ?? 0) + 1);
  return (await gpusOfRule(rule, evidence)).map(({ gpu, machine, target }) => ({
    ...plain(evidence, counts.get(gpu.id) ?? 0),
    target,
    isGone: machine.isGone,
    machine,
  }));
}

async function recentXids(evidence: Evidence): Promise<XidEvent[]> {
  return evidence.once("xids", async () => {
    const { slot } = evidence;
    const stored = await listEvents({ kind: "xid", from: slot - BEFORE_MS, to: slot, limit: READ_AT_MOST });
    return stored.map(xidEvent).filter(({ isSinceBefore }) => !isSinceBefore);
  });
}

/** When incidents that may page were last heard of, by machine. */
function faultsOf(xids: readonly XidEvent[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const burst of burstsOf(xids)) {
    if (!judge(burst, xids).mayPage) continue;
    found.set(burst.machine, [...(found.get(burst.machine) ?? []), burst.to]);
  }
  return found;
}

/** "48, 64, 79" */
function codesOf(text: string): Set<number> {
  return new Set(
    text
      .split(",")
      .map((word) => word.trim())
      .filter(Boolean)
      .map(Number),
  );
}
