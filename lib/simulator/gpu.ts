import type { GpuModel } from "./gpu-models";
import { smoothNoise, unit } from "./random";
import { type Demand, demandOf, REASON, type WorkloadSpan } from "./workloads";

/** One card in one machine. */
export type Gpu = { index: number; uuid: string; busId: string; model: GpuModel; seed: number; machineSeed: number };

/** What nvidia-smi would say of a card at an instant. */
export type GpuMetrics = {
  utilizationPct: number;
  memoryUsedMib: number;
  memoryBusyPct: number;
  temperatureC: number;
  memoryTemperatureC: number | null;
  powerW: number;
  smClockMhz: number;
  memoryClockMhz: number;
  memoryReservedMib: number;
  throttleReasons: number;
  eccUncorrected: number;
  pstate: "P0" | "P8";
};

export type GpuProcess = { pid: number; name: string; usedMib: number };

/** How quickly a heat sink follows its load. */
const HEAT_MS = 95_000;
const AT_REST: WorkloadSpan = { from: 0, kind: "idle-empty", params: {}, gpu: null };

/** The position of the span in force for a GPU; -1 before the first. */
function spanIndex(spans: readonly WorkloadSpan[], gpu: number, at: number, before = spans.length): number {
  for (let i = before - 1; i >= 0; i--) {
    const span = spans[i];
    if (span && span.from <= at && (span.gpu === null || span.gpu === gpu)) return i;
  }
  return -1;
}

function demandAt(gpu: Gpu, span: WorkloadSpan, at: number): Demand | null {
  const { seed: gpuSeed, machineSeed } = gpu;
  return demandOf(span.kind, { machineSeed, gpuSeed, at, from: span.from, params: span.params });
}

/**
 * The card's metrics at any instant, past or future, out of its schedule alone: the same question has the same answer.
 * Null when the driver answers nothing.
 */
export function gpuMetrics(gpu: Gpu, spans: readonly WorkloadSpan[], at: number): GpuMetrics | null {
  const index = spanIndex(spans, gpu.index, at);
  const span = spans[index] ?? AT_REST;
  const demand = demandAt(gpu, span, at);
  if (!demand) return null;
  const { model } = gpu;

  const heat = demand.heat + coolingDown(gpu, spans, index, span, demand.heat, at);
  const room = 3 * (smoothNoise(gpu.seed + 5, at / 5_400_000) - 0.5) + 7 * unit(gpu.seed, 77);
  const temperatureC = demand.temperatureC ?? warmed(model.idleTemperatureC, model.loadTemperatureC, heat) + room;
  const { idleMemoryTemperatureC: cold, loadMemoryTemperatureC: hot } = model;

  const isIdle = demand.utilizationPct === 0;
  const isAsleep = isIdle && !demand.hasProcess;
  const context = demand.hasProcess && isIdle ? model.contextPowerW : 0;
  const flicker = 1 + 0.02 * (smoothNoise(gpu.seed + 9, at / 7_000) - 0.5);
  const wanted = (model.idlePowerW + context + (model.powerLimitW - model.idlePowerW) * demand.load) * flicker;
  const powerW = Math.min(wanted, model.powerLimitW * (1 + 0.012 * (unit(gpu.seed, Math.floor(at / 5_000)) - 0.4)));
  const isCapped = wanted >= model.powerLimitW && demand.throttleReasons === 0;

  return {
    utilizationPct: Math.round(demand.utilizationPct),
    memoryUsedMib: memoryUsed(model, demand),
    memoryBusyPct: Math.round(Math.min(100, Math.max(0, demand.memoryBusyPct))),
    temperatureC: Math.round(temperatureC),
    memoryTemperatureC: cold === null || hot === null ? null : Math.round(warmed(cold, hot, heat) + room * 0.6),
    powerW: Math.round(powerW * 100) / 100,
    smClockMhz: isAsleep ? model.idleSmClockMhz : smClock(model, demand, powerW),
    memoryClockMhz: isAsleep ? model.idleMemoryClockMhz : model.maxMemoryClockMhz,
    memoryReservedMib: model.memoryReservedMib,
    throttleReasons: isCapped ? REASON.swPowerCap : demand.throttleReasons,
    eccUncorrected: span.params.eccUncorrected ?? 0,
    pstate: isAsleep ? model.idlePstate : "P0",
  };
}

const warmed = (cold: number, hot: number, heat: number): number => cold + (hot - cold) * heat;

/** What is left of the work before this, as heat above (or below) what this work makes. */
function coolingDown(
  gpu: Gpu,
  spans: readonly WorkloadSpan[],
  index: number,
  span: WorkloadSpan,
  heat: number,
  at: number,
): number {
  const since = at - span.from;
  if (index < 0 || since > 8 * HEAT_MS) return 0;
  const before = spans[spanIndex(spans, gpu.index, span.from, index)] ?? AT_REST;
  const was = demandAt(gpu, before, span.from)?.heat ?? 0;
  return (was - heat) * Math.exp(-since / HEAT_MS);
}

function memoryUsed(model: GpuModel, demand: Demand): number {
  const most = model.memoryTotalMib - model.memoryReservedMib;
  const held = Math.round((model.memoryTotalMib * Math.max(0, demand.memoryPct)) / 100);
  return Math.min(most, held + model.memoryIdleMib);
}

/** Clocks step by 15 MHz and give way near the power limit. */
function smClock(model: GpuModel, demand: Demand, powerW: number): number {
  const strain = Math.max(0, powerW / model.powerLimitW - 0.82);
  const clock = model.maxSmClockMhz * Math.min(1, demand.clockShare - 0.45 * strain);
  return Math.max(model.idleSmClockMhz, Math.round(clock / 15) * 15);
}

const commands: Partial<Record<WorkloadSpan["kind"], string>> = {
  inference: "VLLM::EngineCore",
  dev: "/home/ubuntu/.venv/bin/python3",
  "idle-held": "/home/ubuntu/.venv/bin/python3",
};

/** The compute processes on a card, as `--query-compute-apps` lists them. */
export function gpuProcesses(gpu: Gpu, spans: readonly WorkloadSpan[], at: number): GpuProcess[] {
  const span = spans[spanIndex(spans, gpu.index, at)] ?? AT_REST;
  const demand = demandAt(gpu, span, at);
  if (!demand?.hasProcess) return [];
  const usedMib = memoryUsed(gpu.model, demand) - gpu.model.memoryIdleMib;
  if (usedMib <= 0) return [];
  const pid = 2_000 + Math.floor(unit(gpu.seed, Math.floor(span.from / 1_000)) * 60_000);
  return [{ pid, name: commands[span.kind] ?? "python3", usedMib }];
}
