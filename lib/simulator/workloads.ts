import { smoothNoise, unit } from "./random";

export const workloadKinds = [
  "idle-empty",
  "idle-held",
  "training",
  "inference",
  "batch",
  "dev",
  "memory-climb",
  "power-capped",
  "thermal",
  "driver-error",
] as const;
export type WorkloadKind = (typeof workloadKinds)[number];

export type WorkloadParams = Partial<{
  /** The level that work keeps to. */
  targetPct: number;
  /** Memory held by processes, of the card's total. */
  memoryPct: number;
  /** `memory-climb`: where the climb begins, and how long it takes to reach `memoryPct`. */
  fromPct: number;
  overMinutes: number;
  /** `training`: minutes of an epoch and between checkpoints. `batch`: minutes of a job and of the pause after it. */
  epochMinutes: number;
  checkpointMinutes: number;
  /** How long somebody planned the run that begins with it to take. */
  plannedHours: number;
  jobMinutes: number;
  pauseMinutes: number;
  /** `inference`: utilisation in the quietest and the busiest hour, and that hour in UTC. */
  floorPct: number;
  peakPct: number;
  peakHour: number;
  /** `thermal`: how hot it gets. */
  temperatureC: number;
  /** Uncorrectable memory errors counted so far, under any kind. */
  eccUncorrected: number;
}>;

/** What a machine does from an instant on, on all its GPUs or on one. */
export type WorkloadSpan = { from: number; kind: WorkloadKind; params: WorkloadParams; gpu: number | null };

/** What a workload asks of one GPU at one instant. */
export type Demand = {
  utilizationPct: number;
  memoryPct: number;
  memoryBusyPct: number;
  /** Share of the card's dynamic power. */
  load: number;
  /** The load that temperature follows, without its quick changes. */
  heat: number;
  temperatureC: number | null;
  throttleReasons: number;
  /** Share of the highest SM clock. */
  clockShare: number;
  hasProcess: boolean;
};

/** Bits of `clocks_event_reasons.active` (NVML's nvmlClocksEventReasons). */
export const REASON = { gpuIdle: 0x1, swPowerCap: 0x4, swThermal: 0x20, hwThermal: 0x40 } as const;

const MINUTE = 60_000;
const HOUR = 3_600_000;

type Place = { machineSeed: number; gpuSeed: number; at: number; from: number; params: WorkloadParams };

const idle = (memoryPct: number): Demand => ({
  utilizationPct: 0,
  memoryPct,
  memoryBusyPct: 0,
  load: 0,
  heat: 0,
  temperatureC: null,
  throttleReasons: REASON.gpuIdle,
  clockShare: 1,
  hasProcess: memoryPct > 0,
});

function working(utilizationPct: number, memoryPct: number, load: number, heat: number, memoryBusyPct: number): Demand {
  const used = Math.min(100, Math.max(0, utilizationPct));
  if (used < 0.5) return { ...idle(memoryPct), heat };
  return {
    utilizationPct: used,
    memoryPct,
    memoryBusyPct,
    load,
    heat,
    temperatureC: null,
    throttleReasons: 0,
    clockShare: 1,
    hasProcess: true,
  };
}

/** A plateau with validation at the end of each epoch, checkpoints, and now and then a slow data loader. */
function training({ machineSeed, gpuSeed, at, from, params }: Place): Demand {
  const target = params.targetPct ?? 96;
  const memory = params.memoryPct ?? 76;
  const since = at - from;
  const heat = 0.3 + 0.006 * target;
  if (since < 2.5 * MINUTE) {
    const part = since / (2.5 * MINUTE);
    return working(part < 0.3 ? 0 : 14, memory * Math.min(1, part * 1.4), 0.12, heat * part, 4);
  }
  const epochMs = (params.epochMinutes ?? 53) * MINUTE;
  const checkpointMs = (params.checkpointMinutes ?? 21) * MINUTE;
  const quick = smoothNoise(gpuSeed, at / 17_000) - 0.5;
  if (epochMs - (since % epochMs) <= 80_000) {
    return working(42 + 24 * quick, memory - 7, 0.42, heat * 0.85, 22);
  }
  if (since % checkpointMs < 25_000) return working(4 + 8 * quick, memory, 0.1, heat * 0.9, 2);
  const isHungry = unit(machineSeed, Math.floor(at / 20_000)) < 0.025;
  const level = target + 5 * quick - (isHungry ? 22 + 18 * smoothNoise(machineSeed, at / 9_000) : 0);
  const load = (0.28 + 0.0064 * level) * (0.97 + 0.06 * smoothNoise(gpuSeed + 1, at / 31_000));
  return working(level, memory + 0.4 * quick, load, heat, 0.52 * level);
}

/** Share of the day's peak at an hour of the week: a smooth day, and a quieter weekend. */
function rhythm(at: number, peakHour: number): number {
  const hour = (at % (24 * HOUR)) / HOUR;
  const day = (1 + Math.cos(((hour - peakHour) / 24) * 2 * Math.PI)) / 2;
  return day ** 1.4 * (isWeekend(at) ? 0.55 : 1);
}

export function isWeekend(at: number): boolean {
  const weekday = new Date(at).getUTCDay();
  return weekday === 0 || weekday === 6;
}

/** Requests by the hour of the day; the server took nearly all memory when it started (its KV cache). */
function inference({ gpuSeed, at, from, params }: Place): Demand {
  const floor = params.floorPct ?? 12;
  const peak = params.peakPct ?? 92;
  const memory = params.memoryPct ?? 90;
  const warm = Math.min(1, (at - from) / (3 * MINUTE));
  const share = rhythm(at, params.peakHour ?? 15) * warm;
  const burst = unit(gpuSeed, Math.floor(at / 30_000)) < 0.06 ? 14 : 0;
  const quick = smoothNoise(gpuSeed, at / 23_000) - 0.5;
  const slow = smoothNoise(gpuSeed + 2, at / 600_000) - 0.5;
  const level = (floor + (peak - floor) * share + 12 * quick + 9 * slow + burst) * warm;
  return working(level, memory * warm + 0.2 * quick, 0.16 + 0.0052 * level, 0.15 + 0.55 * share, 0.62 * level);
}

/** Jobs one after the other, memory freed in between. */
function batch(place: Place): Demand {
  const jobMs = (place.params.jobMinutes ?? 41) * MINUTE;
  const pauseMs = (place.params.pauseMinutes ?? 8) * MINUTE;
  const since = (place.at - place.from) % (jobMs + pauseMs);
  if (since >= jobMs) return { ...idle(0), heat: 0.35 };
  const quick = smoothNoise(place.gpuSeed, place.at / 13_000) - 0.5;
  const part = Math.min(1, since / MINUTE);
  const level = (place.params.targetPct ?? 94) * part + 7 * quick;
  const memory = (place.params.memoryPct ?? 62) * part;
  return working(level, memory, (0.2 + 0.0062 * level) * part, 0.75, 0.45 * level);
}

/** A person with a notebook: cells by day, memory kept by the kernel by night. */
function dev({ machineSeed, gpuSeed, at, from, params }: Place): Demand {
  const hour = (at % (24 * HOUR)) / HOUR;
  const isOffice = hour >= 8 && hour < 18 && !isWeekend(at);
  const slot = Math.floor(at / (10 * MINUTE));
  const memory = at - from < 12 * MINUTE ? 0 : (params.memoryPct ?? 18) + 22 * unit(machineSeed, Math.floor(slot / 9));
  const isRunning = memory > 0 && unit(machineSeed, slot) < (isOffice ? 0.6 : 0.03);
  const level =
    isRunning && unit(gpuSeed, Math.floor(at / 40_000)) < 0.55 ? 18 + 70 * smoothNoise(gpuSeed, at / 50_000) : 0;
  return working(level, memory, 0.1 + 0.006 * level, isRunning ? 0.35 : 0, 0.3 * level);
}

/** Memory that grows in steps until there is hardly any left. */
function memoryClimb(place: Place): Demand {
  const { fromPct = 60, memoryPct = 96, overMinutes = 180, targetPct = 91 } = place.params;
  const part = Math.min(1, (place.at - place.from) / (overMinutes * MINUTE));
  const quick = smoothNoise(place.gpuSeed, place.at / 17_000) - 0.5;
  const held = fromPct + (memoryPct - fromPct) * part + 0.3 * quick;
  return working(targetPct + 6 * quick, held, 0.26 + 0.0062 * targetPct, 0.8, 0.5 * targetPct);
}

function throttled(place: Place, kind: "power-capped" | "thermal"): Demand {
  const quick = smoothNoise(place.gpuSeed, place.at / 11_000) - 0.5;
  const demand = working(99 + 2 * quick, place.params.memoryPct ?? 74, 1.05, 1, 61);
  if (kind === "power-capped") {
    return { ...demand, throttleReasons: REASON.swPowerCap, clockShare: 0.82 + 0.05 * quick };
  }
  const temperatureC = (place.params.temperatureC ?? 88) + 1.2 * quick;
  const throttleReasons = REASON.swThermal | (temperatureC >= 90 ? REASON.hwThermal : 0);
  return { ...demand, load: 0.72 + 0.06 * quick, temperatureC, throttleReasons, clockShare: 0.66 + 0.06 * quick };
}

/** What this kind of work asks of a GPU at an instant; null when the driver answers nothing. */
export function demandOf(kind: WorkloadKind, place: Place): Demand | null {
  switch (kind) {
    case "idle-empty":
      return idle(0);
    case "idle-held":
      return idle(place.params.memoryPct ?? 40);
    case "training":
      return training(place);
    case "inference":
      return inference(place);
    case "batch":
      return batch(place);
    case "dev":
      return dev(place);
    case "memory-climb":
      return memoryClimb(place);
    case "power-capped":
    case "thermal":
      return throttled(place, kind);
    case "driver-error":
      return null;
  }
}

export function isWorkloadKind(value: unknown): value is WorkloadKind {
  return workloadKinds.some((kind) => kind === value);
}
