import type { AlertTarget } from "@/lib/db/alerts/episodes";
import type { JudgedGpu, Machine } from "@/lib/db/alerts/readings";
import { readPast } from "@/lib/db/alerts/recent";
import type { AlertRule } from "@/lib/db/alerts/rules";
import { columnsOf, factValue } from "@/lib/domain/alerts/gpu-values";
import { RecentTrack } from "@/lib/domain/alerts/recent";
import { numberParam } from "@/lib/domain/alerts/rule-metrics";
import { overdueMs, type SelectorTarget, selects } from "@/lib/domain/alerts/rules";
import { isNarrow } from "@/lib/domain/alerts/selector";
import { PRODUCT_SEMANTICS } from "@/lib/domain/alerts/semantics";
import { countUntil, type Over, readTrack } from "@/lib/domain/alerts/track";
import type { Reading, Semantics } from "@/lib/domain/alerts/types";
import type { Status } from "@/lib/domain/fleet/observe";
import { shortModelName } from "@/lib/domain/telemetry/models";
import type { Evidence } from "./evidence";
import { driftTargets } from "./readings-drift";
import { eventTargets } from "./readings-events";
import { intentTargets, isIntentMetric } from "./readings-intents";
import { moneyTargets } from "./readings-money";
import { isPolicyMetric, policyTargets } from "./readings-policies";
import { ruleTargets } from "./readings-rules";
import { workloadTargets } from "./readings-workload";

const BILLED = new Set<Status>(["active", "unhealthy", "unknown"]);
/** A machine that came back is told for a day, or until it goes. */
const RETURNED_MS = 24 * 3_600_000;

export type Judged = {
  target: AlertTarget;
  reading: Reading;
  semantics: Semantics;
  isGone: boolean;
  machine: Machine | null;
  /** A target without a machine ends when it has been silent for so long. */
  endsAfterMs?: number;
};

/** The targets of a rule and what each shows at the slot. */
export async function judgedTargets(rule: AlertRule, evidence: Evidence): Promise<Judged[]> {
  switch (rule.kind) {
    case "gpu_metric":
      return gpuTargets(rule, evidence);
    case "event":
      return eventTargets(rule, evidence);
    case "telemetry":
      return rule.metric.startsWith("rule") ? ruleTargets(rule, evidence) : machineTargets(rule, evidence);
    case "inventory":
      if (isPolicyMetric(rule.metric)) return policyTargets(rule, evidence);
      if (isIntentMetric(rule.metric)) return intentTargets(rule, evidence);
      return rule.metric === "staleMs" ? connectionTarget(evidence) : machineTargets(rule, evidence);
    case "workload_metric":
      return workloadTargets(rule, evidence);
    case "money":
      return moneyTargets(rule, evidence);
    case "drift":
      return driftTargets(rule, evidence);
  }
}

/** What of its samples a rule compares. */
export function overOf({ aggregate, windowMs }: Pick<AlertRule, "aggregate" | "windowMs">): Over {
  return { of: aggregate, windowMs };
}

type GpuTarget = {
  gpu: JudgedGpu;
  machine: Machine;
  target: AlertTarget;
  selected: SelectorTarget;
  semantics: Semantics;
};

/** Every GPU as rules see it, made once for all of them. */
function allGpus(evidence: Evidence): Promise<GpuTarget[]> {
  return evidence.once("allGpus", async () => {
    const [machines, gpus, gpusOf] = await Promise.all([evidence.machines(), evidence.gpus(), evidence.gpusOf()]);
    return gpus.flatMap((gpu): GpuTarget[] => {
      const machine = machines.get(gpu.resourceId);
      if (!machine) return [];
      const isOne = (gpusOf.get(gpu.resourceId)?.length ?? 0) <= 1;
      const name = isOne ? machine.name : `${machine.name}, GPU ${gpu.position}`;
      return [
        {
          gpu,
          machine,
          target: { key: `gpu:${gpu.id}`, name, resourceId: machine.id, gpuId: gpu.id },
          selected: { ...asTarget(machine), model: shortModelName(gpu.model), gpu: gpu.uuid },
          semantics: PRODUCT_SEMANTICS(machine.intervalMs),
        },
      ];
    });
  });
}

/** The GPUs that a rule watches. */
export async function gpusOfRule(rule: Pick<AlertRule, "selector">, evidence: Evidence): Promise<GpuTarget[]> {
  const all = await allGpus(evidence);
  return isNarrow(rule.selector) ? all.filter(({ selected }) => selects(rule.selector, selected)) : all;
}

async function gpuTargets(rule: AlertRule, evidence: Evidence): Promise<Judged[]> {
  const { slot } = evidence;
  const covered = await gpusOfRule(rule, evidence);
  const samplesOf = await samplesFor(rule, covered, evidence);
  const over = overOf(rule);
  const track = new RecentTrack(rule.metric, numberParam(rule, "fallbackC"));
  const judged: Judged[] = [];
  for (const { gpu, machine, target, semantics } of covered) {
    const known = factValue(rule.metric, gpu.facts);
    // The card does not say that at all.
    if (known === null) continue;
    const reading: Reading =
      known !== undefined
        ? { value: known, at: slot }
        : track.turn(samplesOf(gpu.resourceId), gpu.id, gpu.facts)
          ? readTrack(track, countUntil(track, slot), slot, semantics, over)
          : NOTHING;
    judged.push({ target, reading, semantics, isGone: machine.isGone, machine });
  }
  return judged;
}

const NOTHING: Reading = { value: null, at: null, reason: "no_sample" };

/** The last minutes of all serve every rule that looks no further; a longer window is read for its own GPUs alone. */
async function samplesFor(rule: AlertRule, covered: readonly GpuTarget[], evidence: Evidence) {
  if (columnsOf(rule.metric).length === 0) return () => null;
  if (rule.windowMs === 0) return evidence.samples();
  const longest = covered.reduce((most, { semantics }) => Math.max(most, semantics.lookbackMs), rule.windowMs);
  const past = await readPast(
    covered.map(({ gpu }) => gpu.id),
    columnsOf(rule.metric),
    evidence.slot - longest,
    evidence.slot,
  );
  return () => past;
}

async function machineTargets(rule: AlertRule, evidence: Evidence): Promise<Judged[]> {
  const machines = await evidence.machines();
  const reporting = rule.metric === "missingGpus" ? await reportingGpus(evidence) : new Map<string, number>();
  return [...machines.values()].flatMap((machine) => {
    if (!selects(rule.selector, asTarget(machine))) return [];
    const value = machineValue(rule.metric, machine, evidence.slot, reporting.get(machine.id) ?? 0);
    return value === null ? [] : [onMachine(machine, evidence, value)];
  });
}

/** What is known of a machine at every slot, without a sample. */
export function onMachine(machine: Machine, evidence: Pick<Evidence, "slot">, value: number): Judged {
  return {
    ...plain(evidence, value),
    target: { key: `instance:${machine.id}`, name: machine.name, resourceId: machine.id, gpuId: null },
    isGone: machine.isGone,
    machine,
  };
}

/** How many cards of each machine have reported of late. Slices of one card are one. */
async function reportingGpus(evidence: Evidence): Promise<Map<string, number>> {
  const [gpusOf, samplesOf] = await Promise.all([evidence.gpusOf(), evidence.samples()]);
  return new Map(
    [...gpusOf].map(([id, gpus]) => {
      const samples = samplesOf(id);
      const heard = gpus.filter((gpu) => (samples?.count(gpu.id) ?? 0) > 0);
      return [id, new Set(heard.map(({ uuid }) => uuid)).size];
    }),
  );
}

/** What is true of a machine's inventory needs no sample: it is known at every slot. Null: the question does not apply. */
function machineValue(metric: string, machine: Machine, slot: number, reporting: number): number | null {
  switch (metric) {
    case "unhealthy":
      return machine.status === "unhealthy" ? 1 : 0;
    case "verificationFailed":
      return machine.verification === "failed" ? 1 : 0;
    case "listedAgain":
      return machine.returnedAt !== null && slot - machine.returnedAt.getTime() < RETURNED_MS ? 1 : 0;
    case "bootingMs":
      return machine.status === "booting" && machine.bootingSince ? slot - machine.bootingSince.getTime() : 0;
    case "silentMs":
    case "overdueMs": {
      // Only a machine that bills can be silent at a price.
      const heard = Math.max(machine.newestSampleAt?.getTime() ?? 0, machine.activeSince?.getTime() ?? 0);
      const silentMs = isBilled(machine) ? Math.max(0, slot - heard) : 0;
      return metric === "silentMs" ? silentMs : overdueMs(silentMs, machine.intervalMs);
    }
    case "clockSkewMs":
      return machine.clockSkewMs === null ? null : Math.abs(machine.clockSkewMs);
    case "senderFailing":
      return machine.senderError === null ? 0 : 1;
    case "missingGpus":
      // A machine that says nothing at all is silent, not short of a card.
      return machine.gpusOfType === null || reporting === 0 ? null : Math.max(0, machine.gpusOfType - reporting);
    default:
      return null;
  }
}

export function isBilled(machine: Machine): boolean {
  return machine.activeSince !== null && BILLED.has(machine.status);
}

async function connectionTarget(evidence: Evidence): Promise<Judged[]> {
  const connection = await evidence.connection();
  if (!connection) return [];
  const staleMs = Math.max(0, evidence.slot - (connection.lastOkAt ?? connection.createdAt).getTime());
  return [
    {
      ...plain(evidence, staleMs),
      target: { key: `connection:${connection.id}`, name: connection.name, resourceId: null, gpuId: null },
      machine: null,
    },
  ];
}

export function plain(
  { slot }: Pick<Evidence, "slot">,
  value: number,
): { reading: Reading; semantics: Semantics; isGone: boolean } {
  return { reading: { value, at: slot }, semantics: PRODUCT_SEMANTICS(0), isGone: false };
}

export function asTarget(machine: Machine): SelectorTarget {
  return {
    workload: machine.workload,
    team: machine.team,
    project: machine.project,
    environment: machine.environment,
    type: machine.typeName,
    instance: machine.name,
    region: machine.region,
    tag: machine.tags,
  };
}
