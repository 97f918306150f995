import type { Cloud } from "./cloud";
import { gpuMetrics } from "./gpu";
import { gpuModelOf } from "./gpu-models";
import { statusAt } from "./lifecycle";
import { exchangeCards, gpusOf, setWork } from "./machine";
import { problems } from "./problems";
import { isRecord } from "./request-body";
import { type AgentMode, type Health, type Machine, valueAt } from "./types";
import { isWorkloadKind, type WorkloadParams } from "./workloads";

/** What a person at the admin port sees of a machine; never its token. */
export function machineSummary(cloud: Cloud, machine: Machine) {
  const now = cloud.now();
  const { agent, workloads } = machine;
  return {
    id: machine.id,
    name: valueAt(machine.names, now),
    type: machine.typeName,
    region: machine.regionName,
    status: statusAt(machine, now),
    launchedAt: machine.launchedAt,
    activeAt: machine.activeAt,
    terminateRequestedAt: machine.terminateRequestedAt,
    terminatedAt: machine.terminatedAt,
    workload: workloads.filter(({ from }) => from <= now).at(-1)?.kind ?? "idle-empty",
    gpus: gpusOf(machine).map(({ uuid }) => uuid),
    agent: {
      kind: agent.kind,
      isInstalled: agent.isInstalled,
      state: valueAt(agent.modes, now),
      url: agent.target?.url ?? null,
      pending: agent.pending.length,
      sent: agent.sent,
      dropped: agent.dropped,
      sampledTo: agent.sampledTo,
      lastSentAt: agent.lastSentAt,
      lastStatus: agent.lastStatus,
    },
  };
}

type Change = (cloud: Cloud, machine: Machine, body: Record<string, unknown>) => void;

/** What can be done to one machine from outside its API. Everything counts from now on. */
export const changeMachine: Record<"workload" | "agent" | "enrol" | "health" | "poweroff" | "cards", Change> = {
  /** `{kind, params?, gpu?}`; a climb starts from the memory held now. */
  workload(cloud, machine, { kind, params, gpu }) {
    if (!isWorkloadKind(kind)) throw problems.invalid("kind is not a workload");
    const now = cloud.now();
    const given = readParams(params);
    if (kind === "memory-climb" && given.fromPct === undefined) given.fromPct = memoryPctNow(machine, now);
    setWork(machine, { from: now, kind, params: given, gpu: typeof gpu === "number" ? gpu : null });
  },

  /** `{state?: running | stopped | offline, kind?: inline | shell}` */
  agent(cloud, machine, { state, kind }) {
    const mode = (["running", "stopped", "offline"] as const satisfies AgentMode[]).find((one) => one === state);
    const chosen = (["inline", "shell"] as const).find((one) => one === kind);
    if (!mode && !chosen) throw problems.invalid("state must be running, stopped or offline; kind inline or shell");
    if (mode) machine.agent.modes.push({ from: cloud.now(), value: mode });
    if (chosen) machine.agent.kind = chosen;
  },

  /** `{url, token}`: what the install line would have brought. An agent that was there sends what it has kept. */
  enrol(cloud, machine, { url, token }) {
    if (typeof url !== "string" || typeof token !== "string" || token === "") {
      throw problems.invalid("url and token must be texts");
    }
    const { agent } = machine;
    if (!agent.isInstalled) {
      const now = cloud.now();
      agent.isInstalled = true;
      agent.modes.push({ from: Math.max(now, machine.guestAt ?? now), value: "running" });
      agent.sampledTo = now;
    }
    agent.target = { url: url.replace(/\/+$/, ""), token };
    agent.failures = 0;
    agent.retryAt = 0;
  },

  /** `{type, gpu?}`: the card of another instance type takes the place of one card, or of all. The listing says nothing of it. */
  cards(_cloud, machine, { type, gpu }) {
    if (typeof type !== "string" || !gpuModelOf(type)) throw problems.invalid("type is no instance type with GPUs");
    exchangeCards(machine, type, typeof gpu === "number" ? gpu : null);
  },

  /** `{status: healthy | unhealthy | preempted}` */
  health(cloud, machine, { status }) {
    const health = (["healthy", "unhealthy", "preempted"] as const satisfies Health[]).find((one) => one === status);
    if (!health) throw problems.invalid("status must be healthy, unhealthy or preempted");
    machine.healths.push({ from: cloud.now(), value: health });
  },

  /** Shut down from inside: nothing runs and nobody reports, and the API goes on calling it active and billing it. */
  poweroff(cloud, machine) {
    const now = cloud.now();
    setWork(machine, { from: now, kind: "idle-empty", params: {}, gpu: null });
    machine.agent.modes.push({ from: now, value: "stopped" });
  },
};

const paramNames = [
  "targetPct",
  "memoryPct",
  "fromPct",
  "overMinutes",
  "epochMinutes",
  "checkpointMinutes",
  "jobMinutes",
  "pauseMinutes",
  "floorPct",
  "peakPct",
  "peakHour",
  "temperatureC",
  "eccUncorrected",
] as const satisfies (keyof WorkloadParams)[];

function readParams(value: unknown): WorkloadParams {
  const params: WorkloadParams = {};
  if (!isRecord(value)) return params;
  for (const name of paramNames) {
    const given = value[name];
    if (typeof given === "number" && Number.isFinite(given) && given >= 0) params[name] = given;
  }
  return params;
}

function memoryPctNow(machine: Machine, now: number): number {
  const [gpu] = gpusOf(machine);
  const metrics = gpu && gpuMetrics(gpu, machine.workloads, now);
  return gpu && metrics ? (100 * metrics.memoryUsedMib) / gpu.model.memoryTotalMib : 0;
}
