import type { AlertTarget } from "@/lib/db/alerts/episodes";
import { type JudgedGpu, listMachines, listRecentSamples, type Machine, spentOn } from "@/lib/db/alerts/readings";
import type { AlertRule } from "@/lib/db/alerts/rules";
import { findConnection } from "@/lib/db/fleet/connection";
import { overdueMs, type SelectorTarget, selects } from "@/lib/domain/alerts/rules";
import { PRODUCT_SEMANTICS, readingAt } from "@/lib/domain/alerts/semantics";
import type { Reading, Sample, Semantics } from "@/lib/domain/alerts/types";
import { dayOf } from "@/lib/domain/cost/zone";
import type { Status } from "@/lib/domain/fleet/observe";
import { isMetric, type Metric, memoryUsedPct } from "@/lib/domain/telemetry/catalogue";
import { effectiveUtilization } from "@/lib/domain/telemetry/idle";

const BILLED = new Set<Status>(["active", "unhealthy", "unknown"]);

/** Everything that rules may look at, as of one slot; read once for all of them. */
export type Evidence = {
  slot: number;
  machines: Map<string, Machine>;
  gpus: JudgedGpu[];
  connection: { id: string; name: string; lastOkAt: number | null; createdAt: number } | null;
  spentTodayMicros: bigint;
};

export type Judged = {
  target: AlertTarget;
  reading: Reading;
  semantics: Semantics;
  isGone: boolean;
  machine: Machine | null;
};

export async function readEvidence(slot: number, zone: string): Promise<Evidence> {
  const at = new Date(slot);
  const machines = await listMachines(at);
  const longestMs = Math.max(90_000, ...machines.map((machine) => PRODUCT_SEMANTICS(machine.intervalMs).lookbackMs));
  const [gpus, connection, spent] = await Promise.all([
    listRecentSamples(
      machines.map((machine) => machine.id),
      new Date(slot - longestMs),
      at,
    ),
    findConnection(),
    spentOn(dayOf(slot, zone)),
  ]);
  return {
    slot,
    machines: new Map(machines.map((machine) => [machine.id, machine])),
    gpus,
    connection: connection && {
      id: connection.id,
      name: connection.name,
      lastOkAt: connection.lastOkAt?.getTime() ?? null,
      createdAt: connection.createdAt.getTime(),
    },
    spentTodayMicros: spent.micros,
  };
}

/** The targets of a rule and what each shows at the slot. */
export function judgedTargets(rule: AlertRule, evidence: Evidence): Judged[] {
  switch (rule.kind) {
    case "gpu_metric":
      return gpuTargets(rule, evidence);
    case "telemetry":
    case "inventory":
      return rule.metric === "staleMs" ? connectionTarget(evidence) : machineTargets(rule, evidence);
    case "money":
      return [
        {
          ...plain(evidence, Number(evidence.spentTodayMicros) / 1e6),
          target: { key: "fleet", name: "Fleet", resourceId: null, gpuId: null },
          machine: null,
        },
      ];
  }
}

function gpuTargets(rule: AlertRule, evidence: Evidence): Judged[] {
  const counts = new Map<string, number>();
  for (const { resourceId } of evidence.gpus) counts.set(resourceId, (counts.get(resourceId) ?? 0) + 1);
  return evidence.gpus.flatMap((gpu) => {
    const machine = evidence.machines.get(gpu.resourceId);
    if (!machine || !selects(rule.selector, asTarget(machine))) return [];
    const semantics = PRODUCT_SEMANTICS(machine.intervalMs);
    const samples = gpu.samples.map(
      (sample): Sample => ({
        at: sample.at,
        isLate: sample.isLate,
        value: metricValue(rule.metric, sample.values, gpu.memoryMib),
      }),
    );
    const name = (counts.get(gpu.resourceId) ?? 0) > 1 ? `${machine.name}, GPU ${gpu.position}` : machine.name;
    return [
      {
        target: { key: `gpu:${gpu.id}`, name, resourceId: machine.id, gpuId: gpu.id },
        reading: readingAt(samples, evidence.slot, semantics),
        semantics,
        isGone: machine.isGone,
        machine,
      },
    ];
  });
}

/** A rule's metric from one sample; null: this sample does not say. */
export function metricValue(
  metric: string,
  values: Parameters<typeof effectiveUtilization>[0],
  memoryMib: number | null,
): number | null {
  if (metric === "effectiveUtilizationPct") return effectiveUtilization(values)?.pct ?? null;
  if (metric === "memoryUsedPct") return memoryUsedPct(values.memoryUsedMib ?? null, memoryMib);
  if (!isMetric(metric)) return null;
  return (values as Partial<Record<Metric, number | null>>)[metric] ?? null;
}

function machineTargets(rule: AlertRule, evidence: Evidence): Judged[] {
  return [...evidence.machines.values()].flatMap((machine) => {
    if (!selects(rule.selector, asTarget(machine))) return [];
    const value = machineValue(rule.metric, machine, evidence.slot);
    if (value === null) return [];
    return [
      {
        ...plain(evidence, value),
        target: { key: `instance:${machine.id}`, name: machine.name, resourceId: machine.id, gpuId: null },
        isGone: machine.isGone,
        machine,
      },
    ];
  });
}

/** What is true of a machine's inventory needs no sample: it is known at every slot. Null: the question does not apply. */
function machineValue(metric: string, machine: Machine, slot: number): number | null {
  switch (metric) {
    case "unhealthy":
      return machine.status === "unhealthy" ? 1 : 0;
    case "bootingMs":
      return machine.status === "booting" && machine.bootingSince ? slot - machine.bootingSince.getTime() : 0;
    case "silentMs":
    case "overdueMs": {
      // Only a machine that bills can be silent at a price.
      const isBilled = machine.activeSince !== null && BILLED.has(machine.status);
      const heard = Math.max(machine.newestSampleAt?.getTime() ?? 0, machine.activeSince?.getTime() ?? 0);
      const silentMs = isBilled ? Math.max(0, slot - heard) : 0;
      return metric === "silentMs" ? silentMs : overdueMs(silentMs, machine.intervalMs);
    }
    default:
      return null;
  }
}

function connectionTarget({ connection, slot, ...evidence }: Evidence): Judged[] {
  if (!connection) return [];
  const staleMs = Math.max(0, slot - (connection.lastOkAt ?? connection.createdAt));
  return [
    {
      ...plain({ ...evidence, slot }, staleMs),
      target: { key: `connection:${connection.id}`, name: connection.name, resourceId: null, gpuId: null },
      machine: null,
    },
  ];
}

function plain(
  { slot }: Pick<Evidence, "slot">,
  value: number,
): { reading: Reading; semantics: Semantics; isGone: boolean } {
  return { reading: { value, at: slot }, semantics: PRODUCT_SEMANTICS(0), isGone: false };
}

function asTarget(machine: Machine): SelectorTarget {
  return {
    workload: machine.workload,
    team: machine.team,
    type: machine.typeName,
    instance: machine.name,
    region: machine.region,
  };
}
