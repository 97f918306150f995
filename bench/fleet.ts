import { WIDE_METRICS, type WideMetric } from "@/lib/domain/telemetry/catalogue";
import { emptyValues } from "@/lib/domain/telemetry/sample";

/** A small generator with a seed, so that every run measures the same data. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type State = "idle" | "training" | "inference";

const LEVELS: Record<State, { utilization: number; memory: number; power: number; spread: number }> = {
  idle: { utilization: 0, memory: 600, power: 90, spread: 0 },
  training: { utilization: 97, memory: 88_000, power: 620, spread: 4 },
  inference: { utilization: 45, memory: 71_000, power: 330, spread: 30 },
};

/**
 * What GPUs of a fleet report, tick by tick: idle, training and inference that change about every hour, with noise, in the
 * steps in which nvidia-smi and DCGM write (whole per cent, 0.01 W, whole MHz, activity in thousandths).
 */
export class SyntheticFleet {
  private readonly next: () => number;
  private readonly states: State[];

  constructor(
    readonly gpus: number,
    seed = 1,
  ) {
    this.next = random(seed);
    this.states = Array.from({ length: gpus }, () => this.pick());
  }

  private pick(): State {
    const r = this.next();
    return r < 0.3 ? "idle" : r < 0.8 ? "training" : "inference";
  }

  private around(level: number, spread: number, step: number, max: number): number {
    const value = Math.min(max, Math.max(0, level + (this.next() - 0.5) * 2 * spread));
    return Math.round(value / step) * step;
  }

  tick(): Record<WideMetric, number | null>[] {
    return this.states.map((_, i) => {
      if (this.next() < 1 / 360) this.states[i] = this.pick();
      const state = this.states[i] ?? "idle";
      const { utilization, memory, power, spread } = LEVELS[state];
      const isIdle = state === "idle";
      const values = emptyValues();
      values.utilizationPct = this.around(utilization, spread, 1, 100);
      values.memoryUsedMib = memory + (isIdle ? 0 : Math.floor(this.next() * 3) * 2);
      values.memoryBusyPct = this.around(utilization * 0.4, spread / 2, 1, 100);
      values.temperatureC = this.around(isIdle ? 33 : 62, isIdle ? 0.6 : 2, 1, 150);
      values.memoryTemperatureC = this.around(isIdle ? 40 : 74, isIdle ? 0.6 : 2, 1, 150);
      values.powerW = Number(this.around(power, isIdle ? 0.5 : 12, 0.01, 700).toFixed(2));
      values.smClockMhz = isIdle ? 345 : this.around(1950, 30, 15, 1980);
      values.memoryClockMhz = 2619;
      values.smActivePct = Number(this.around(utilization * 0.9, spread, 0.1, 100).toFixed(1));
      values.tensorActivePct = Number(this.around(utilization * 0.4, spread / 2, 0.1, 100).toFixed(1));
      values.dramActivePct = Number(this.around(utilization * 0.5, spread / 2, 0.1, 100).toFixed(1));
      values.memoryReservedMib = 1103;
      return values;
    });
  }
}

/** The metrics of one sample. */
export const METRICS_PER_SAMPLE = WIDE_METRICS.length;
