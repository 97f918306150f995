import type { CountMetric, WideMetric } from "@/lib/domain/telemetry/catalogue";
import { BEAT_MS, beats } from "./beats";
import { capacityEdges } from "./capacity";
import { instanceTypes } from "./catalogue";
import { type GpuMetrics, gpuMetrics } from "./gpu";
import { edgesOf } from "./lifecycle";
import { gpusOf } from "./machine";
import type { CloudState, Machine } from "./types";
import {
  type AuditEventView,
  auditEventView,
  BYTES_STEP_MS,
  type FileSystemView,
  fileSystemsView,
  type InstanceView,
  listingView,
  type TypeItemView,
  typeItemView,
} from "./views";
import { kernelLines } from "./xid";

/** What the API would have answered from an instant on; `instance-types` names only what changed. */
export type HistoryLine =
  | { kind: "instances"; at: number; data: InstanceView[] }
  | { kind: "instance-types"; at: number; data: Record<string, TypeItemView> }
  | { kind: "file-systems"; at: number; data: FileSystemView[] }
  | { kind: "audit-event"; at: number; data: AuditEventView };

/** Every change in [from, to] of what the API says, in order of time, after the whole as of `from`. */
export function* historyOfListings(state: CloudState, from: number, to: number): Generator<HistoryLine> {
  const types = new Map<number, string[]>();
  for (const name of instanceTypes.keys()) {
    const prices = (state.prices[name] ?? []).map((step) => step.from).filter((at) => at > from && at <= to);
    for (const at of new Set([...prices, ...capacityEdges(state, name, from, to)])) {
      types.set(at, [...(types.get(at) ?? []), name]);
    }
  }
  const events = state.audit.filter(({ at }) => at >= from && at <= to);
  const edges = [...types.keys(), ...state.machines.flatMap(edgesOf), ...events.map(({ at }) => at)];
  for (const { createdAt, deletedAt } of state.fileSystems) edges.push(createdAt, deletedAt ?? createdAt);
  for (let at = Math.ceil(from / BYTES_STEP_MS) * BYTES_STEP_MS; at <= to; at += BYTES_STEP_MS) edges.push(at);
  const instants = [...new Set([from, ...edges])].filter((at) => at >= from && at <= to).sort((a, b) => a - b);

  let listed = "";
  let stored = "";
  for (const at of instants) {
    const names = at === from ? [...instanceTypes.keys()] : (types.get(at) ?? []);
    if (names.length > 0) {
      const data = Object.fromEntries(names.map((name) => [name, typeItemView(state, name, at)]));
      yield { kind: "instance-types", at, data };
    }
    const instances = listingView(state, at);
    const text = JSON.stringify(instances);
    if (text !== listed) yield { kind: "instances", at, data: instances };
    listed = text;
    const fileSystems = fileSystemsView(state, at);
    const storedText = JSON.stringify(fileSystems);
    if (storedText !== stored) yield { kind: "file-systems", at, data: fileSystems };
    stored = storedText;
    for (const event of events) {
      if (event.at === at) yield { kind: "audit-event", at, data: auditEventView(event) };
    }
  }
}

/** The metrics that nvidia-smi reports, by their key in the product's catalogue. */
export const historyColumns = [
  "utilizationPct",
  "memoryUsedMib",
  "memoryBusyPct",
  "temperatureC",
  "memoryTemperatureC",
  "powerW",
  "smClockMhz",
  "memoryClockMhz",
  "memoryReservedMib",
  "throttleReasons",
  "eccUncorrected",
] as const satisfies readonly (WideMetric | CountMetric)[];
type Column = (typeof historyColumns)[number];

/** One GPU's samples of at most a day, in columns; a time without a sample is simply not there. */
export type SampleChunk = {
  instanceId: string;
  hostname: string;
  gpu: {
    uuid: string;
    index: number;
    busId: string;
    name: string;
    driverVersion: string;
    memoryTotalMib: number;
    powerLimitW: number;
    migMode: string | null;
  };
  stepMs: number;
  at: number[];
  columns: Record<Column, (number | null)[]>;
};

const DAY = 86_400_000;

/**
 * The samples that agents delivered in [from, to), every `stepMs` (a multiple of ten seconds), oldest day first.
 * Silent times are gaps; what an agent that is offline at `to` still holds back is not among them.
 */
export function* historyOfSamples(state: CloudState, from: number, to: number, stepMs: number): Generator<SampleChunk> {
  const everyMs = Math.max(1, Math.round(stepMs / BEAT_MS)) * BEAT_MS;
  for (let day = Math.floor(from / DAY) * DAY; day < to; day += DAY) {
    for (const machine of state.machines) {
      const end = Math.min(to, day + DAY, heldBackFrom(machine, to));
      const instants = [...beats(machine, Math.max(from, day), end, everyMs)];
      if (instants.length > 0) yield* chunksOf(machine, instants, everyMs);
    }
  }
}

/** What the driver wrote to the kernel's log of each machine in [from, to). */
export function* historyOfKernel(
  state: CloudState,
  from: number,
  to: number,
): Generator<{ instanceId: string; hostname: string; line: string }> {
  for (const machine of state.machines) {
    for (const { line } of kernelLines(machine, from, to))
      yield { instanceId: machine.id, hostname: machine.hostname, line };
  }
}

function heldBackFrom(machine: Machine, to: number): number {
  const last = machine.agent.modes.filter((mode) => mode.from < to).at(-1);
  return last?.value === "offline" ? last.from : to;
}

function* chunksOf(machine: Machine, instants: readonly number[], stepMs: number): Generator<SampleChunk> {
  for (const gpu of gpusOf(machine)) {
    const { uuid, index, busId, model } = gpu;
    const { name, driverVersion, memoryTotalMib, powerLimitW, migMode } = model;
    const at: number[] = [];
    const samples: GpuMetrics[] = [];
    for (const instant of instants) {
      const metrics = gpuMetrics(gpu, machine.workloads, instant);
      if (!metrics) continue;
      at.push(instant);
      samples.push(metrics);
    }
    const column = (key: Column) => samples.map((metrics) => metrics[key]);
    if (at.length === 0) continue;
    yield {
      instanceId: machine.id,
      hostname: machine.hostname,
      gpu: { uuid, index, busId, name, driverVersion, memoryTotalMib, powerLimitW, migMode },
      stepMs,
      at,
      columns: {
        utilizationPct: column("utilizationPct"),
        memoryUsedMib: column("memoryUsedMib"),
        memoryBusyPct: column("memoryBusyPct"),
        temperatureC: column("temperatureC"),
        memoryTemperatureC: column("memoryTemperatureC"),
        powerW: column("powerW"),
        smClockMhz: column("smClockMhz"),
        memoryClockMhz: column("memoryClockMhz"),
        memoryReservedMib: column("memoryReservedMib"),
        throttleReasons: column("throttleReasons"),
        eccUncorrected: column("eccUncorrected"),
      },
    };
  }
}
