import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instanceTypes } from "./catalogue";
import { type Gpu, type GpuMetrics, gpuMetrics, gpuProcesses } from "./gpu";
import { gpusOf } from "./machine";
import { NOON } from "./testing";
import { REASON, type WorkloadKind, type WorkloadParams, type WorkloadSpan, workloadKinds } from "./workloads";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const types = [...instanceTypes.values()].filter(({ gpus }) => gpus > 0).map(({ name }) => name);

function cardOf(typeName = "gpu_1x_gh200", index = 0): Gpu {
  const gpu = gpusOf({ seed: 4711, typeName })[index];
  if (!gpu) throw new Error(`no GPU ${index} in ${typeName}`);
  return gpu;
}

const since = (kind: WorkloadKind, params: WorkloadParams = {}, from = NOON): WorkloadSpan[] => [
  { from, kind, params, gpu: null },
];

/** Metrics every ten seconds. */
function series(gpu: Gpu, spans: WorkloadSpan[], from: number, hours: number): GpuMetrics[] {
  const all: GpuMetrics[] = [];
  for (let at = from; at < from + hours * HOUR; at += 10_000) {
    const metrics = gpuMetrics(gpu, spans, at);
    if (metrics) all.push(metrics);
  }
  return all;
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const sorted = (values: number[]): number[] => values.toSorted((a, b) => a - b);
const median = (values: number[]): number => sorted(values)[Math.floor(values.length / 2)] ?? Number.NaN;

test("any instant can be asked for, in any order, and answers the same", () => {
  const spans = since("training");
  const instants = Array.from({ length: 200 }, (_, i) => NOON + i * 37_000);
  const forward = instants.map((at) => gpuMetrics(cardOf(), spans, at));
  const backward = instants.toReversed().map((at) => gpuMetrics(cardOf(), spans, at));
  expect(backward.toReversed()).toEqual(forward);
});

test("two cards of a machine do the same work and are not the same", () => {
  const spans = since("training");
  const [one, two] = [0, 1].map((index) => series(cardOf("gpu_8x_h100_sxm5", index), spans, NOON + HOUR, 1));
  expect(one).not.toEqual(two);
  const gap = (one ?? []).map((metrics, i) => Math.abs(metrics.utilizationPct - (two?.[i]?.utilizationPct ?? 0)));
  expect(median(gap)).toBeLessThan(6);
});

test("whatever a card does, it stays within what a card can", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...types),
      fc.constantFrom(...workloadKinds),
      fc.record({ memoryPct: fc.integer({ min: 0, max: 130 }), targetPct: fc.integer({ min: 0, max: 100 }) }),
      fc.integer({ min: 0, max: 14 * 24 * 3600 }),
      (typeName, kind, params, seconds) => {
        const gpu = cardOf(typeName);
        const metrics = gpuMetrics(gpu, since(kind, params), NOON + seconds * 1_000);
        expect(metrics === null).toBe(kind === "driver-error");
        if (!metrics) return;
        const { model } = gpu;
        expect(metrics.utilizationPct).toBeGreaterThanOrEqual(0);
        expect(metrics.utilizationPct).toBeLessThanOrEqual(100);
        expect(metrics.memoryBusyPct).toBeGreaterThanOrEqual(0);
        expect(metrics.memoryBusyPct).toBeLessThanOrEqual(100);
        expect(metrics.memoryUsedMib).toBeGreaterThanOrEqual(0);
        expect(metrics.memoryUsedMib + metrics.memoryReservedMib).toBeLessThanOrEqual(model.memoryTotalMib);
        expect(metrics.powerW).toBeGreaterThan(0.8 * model.idlePowerW);
        expect(metrics.powerW).toBeLessThanOrEqual(1.02 * model.powerLimitW);
        expect(metrics.temperatureC).toBeGreaterThan(20);
        expect(metrics.temperatureC).toBeLessThan(100);
        expect(metrics.smClockMhz).toBeLessThanOrEqual(model.maxSmClockMhz);
        expect(metrics.memoryTemperatureC === null).toBe(model.idleMemoryTemperatureC === null);
        expect(Object.values(metrics).every((value) => typeof value !== "number" || Number.isFinite(value))).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});

describe("training", () => {
  const run = series(cardOf(), since("training", { targetPct: 96, memoryPct: 78 }), NOON + 10 * MINUTE, 6);

  test("is a plateau near its target, hot and hungry", () => {
    expect(median(run.map((metrics) => metrics.utilizationPct))).toBeGreaterThanOrEqual(95);
    expect(median(run.map((metrics) => metrics.powerW))).toBeGreaterThan(0.8 * 700);
    expect(median(run.map((metrics) => metrics.temperatureC))).toBeGreaterThan(55);
    expect(median(run.map((metrics) => metrics.memoryUsedMib)) / 97_871).toBeCloseTo(0.78, 2);
  });

  test("dips for checkpoints and at the end of an epoch, and for a small part of the time only", () => {
    const low = run.filter(({ utilizationPct }) => utilizationPct < 60).length / run.length;
    expect(low).toBeGreaterThan(0.01);
    expect(low).toBeLessThan(0.1);
  });

  test("draws power with its utilisation", () => {
    const [idle, busy] = [10, 90].map((level) =>
      mean(run.filter(({ utilizationPct }) => Math.abs(utilizationPct - level) < 12).map(({ powerW }) => powerW)),
    );
    expect(busy).toBeGreaterThan((idle ?? 0) + 250);
  });
});

test("inference follows the day and keeps nearly all memory all the time", () => {
  const gpu = cardOf();
  const monday = Date.UTC(2026, 10, 16);
  const spans = since("inference", { memoryPct: 91, floorPct: 12, peakPct: 92 }, monday - 24 * HOUR);
  const level = (hour: number) => mean(series(gpu, spans, monday + hour * HOUR, 1).map((one) => one.utilizationPct));
  expect(level(15)).toBeGreaterThan(75);
  expect(level(3)).toBeLessThan(30);
  const saturday = monday + 5 * 24 * HOUR;
  const weekend = mean(series(gpu, spans, saturday + 15 * HOUR, 1).map((one) => one.utilizationPct));
  expect(weekend).toBeLessThan(level(15) - 20);
  const held = series(gpu, spans, monday, 24).map(({ memoryUsedMib }) => memoryUsedMib / 97_871);
  expect(Math.min(...held)).toBeGreaterThan(0.89);
  expect(Math.max(...held)).toBeLessThan(0.93);
});

test("idle is empty or held, at 0 % both, and the power tells them apart", () => {
  const gpu = cardOf("gpu_1x_h100_sxm5");
  const at = NOON + HOUR;
  const empty = gpuMetrics(gpu, since("idle-empty"), at);
  const held = gpuMetrics(gpu, since("idle-held", { memoryPct: 91 }), at);
  expect(empty).toMatchObject({
    utilizationPct: 0,
    memoryUsedMib: 1,
    smClockMhz: 345,
    throttleReasons: REASON.gpuIdle,
  });
  expect(empty?.powerW).toBeLessThan(75);
  expect(held).toMatchObject({ utilizationPct: 0, smClockMhz: 1980 });
  expect(held?.powerW).toBeGreaterThan(105);
  expect(gpuProcesses(gpu, since("idle-empty"), at)).toEqual([]);
  expect(gpuProcesses(gpu, since("idle-held", { memoryPct: 91 }), at)).toMatchObject([{ usedMib: 74_219 }]);
});

test("memory climbs from where it is told to where it is told, and stays there", () => {
  const spans = since("memory-climb", { fromPct: 60, memoryPct: 96, overMinutes: 60 });
  const heldAt = (minutes: number) =>
    ((gpuMetrics(cardOf(), spans, NOON + minutes * MINUTE)?.memoryUsedMib ?? 0) / 97_871) * 100;
  expect(heldAt(0)).toBeCloseTo(60, 0);
  expect(heldAt(30)).toBeCloseTo(78, 0);
  expect(heldAt(60)).toBeCloseTo(96, 0);
  expect(heldAt(600)).toBeCloseTo(96, 0);
});

test("a capped card says so and slows down; a hot one says so at 88 degrees", () => {
  const gpu = cardOf();
  const capped = series(gpu, since("power-capped"), NOON + 10 * MINUTE, 1);
  expect(capped.every(({ throttleReasons }) => throttleReasons === REASON.swPowerCap)).toBe(true);
  expect(mean(capped.map(({ powerW }) => powerW))).toBeCloseTo(700, -1);
  expect(Math.max(...capped.map(({ smClockMhz }) => smClockMhz))).toBeLessThan(1980);
  const hot = series(gpu, since("thermal", { temperatureC: 88 }), NOON + 10 * MINUTE, 1);
  expect(hot.every(({ throttleReasons }) => (throttleReasons & REASON.swThermal) !== 0)).toBe(true);
  expect(median(hot.map(({ temperatureC }) => temperatureC))).toBeGreaterThan(86);
});

test("a card cools down over minutes after its work, not at once", () => {
  const spans: WorkloadSpan[] = [
    ...since("training"),
    { from: NOON + HOUR, kind: "idle-empty", params: {}, gpu: null },
  ];
  const warmthAt = (seconds: number) => gpuMetrics(cardOf(), spans, NOON + HOUR + seconds * 1_000)?.temperatureC ?? 0;
  const cold = warmthAt(3_000);
  expect(warmthAt(10)).toBeGreaterThan(cold + 20);
  expect(warmthAt(120)).toBeLessThan(warmthAt(10));
  expect(warmthAt(600)).toBeLessThan(cold + 4);
});

test("one GPU can do something else than the others of its machine", () => {
  const spans: WorkloadSpan[] = [...since("training"), { from: NOON + MINUTE, kind: "idle-empty", params: {}, gpu: 3 }];
  const busy = Array.from({ length: 8 }, (_, index) => {
    const gpu = cardOf("gpu_8x_h100_sxm5", index);
    return mean(series(gpu, spans, NOON + HOUR, 0.2).map(({ utilizationPct }) => utilizationPct)) > 50;
  });
  expect(busy).toEqual([true, true, true, false, true, true, true, true]);
});
