import { describe, expect, test } from "vitest";
import { PLAN_GPUS } from "./gpus";
import {
  BYTES_OF,
  fitOn,
  GIB,
  GPU_COUNTS,
  type ModelPlan,
  memoryOf,
  memoryPerGpu,
  PRECISIONS,
  SIZE_CLASSES,
  sizeClass,
  TASKS,
  totalOf,
  usualShape,
  weightsGb,
} from "./memory";

const PLAN: ModelPlan = {
  parameters: 13e9,
  precision: "bf16",
  task: "inference",
  batch: 8,
  context: 8_192,
  layers: 40,
  width: 5_120,
  kvPct: 100,
  rank: 16,
  checkpoints: true,
  smallOptimizer: false,
};

describe("weights", () => {
  // The requirement's table of model sizes: two bytes for each parameter, FP32 doubles.
  test.each([
    [7e9, 14, 28],
    [20e9, 40, 80],
    [65e9, 130, 260],
    [70e9, 140, 280],
    [0.999e9, 1.998, 3.996],
  ])("%d parameters: %d GB in 16 bits, %d GB in 32", (parameters, half, full) => {
    expect(weightsGb(parameters, "bf16")).toBeCloseTo(half, 6);
    expect(weightsGb(parameters, "fp32")).toBeCloseTo(full, 6);
  });

  test("size classes are half-open: 7B is not in 1B to 7B, and GPT-3 is in the last", () => {
    expect([0.9e9, 1e9, 6.99e9, 7e9, 20e9, 69e9, 70e9, 175e9].map((size) => sizeClass(size).key)).toEqual([
      "under-1b",
      "1b-7b",
      "1b-7b",
      "7b-20b",
      "20b-70b",
      "20b-70b",
      "70b-up",
      "70b-up",
    ]);
    for (const [i, { to }] of SIZE_CLASSES.entries())
      expect(SIZE_CLASSES[i + 1]?.from ?? Number.POSITIVE_INFINITY).toBe(to);
  });
});

test("inference of 13B in 16 bits: 24.2 GiB of weights and 50.0 GiB of cache", () => {
  const memory = memoryOf(PLAN);
  expect(memory.weights / GIB).toBeCloseTo(24.2, 1);
  expect(memory.kv / GIB).toBeCloseTo(50.0, 1);
  expect(totalOf(memory)).toBe(Object.values(memory).reduce((sum, part) => sum + part, 0));
  expect(fitOn(PLAN, 97_871)).toMatchObject({ gpus: 1, state: "good" });
  expect(fitOn(PLAN, 40_960).gpus).toBe(4);
});

test("training keeps 16 bytes for each parameter, LoRA little more than the weights", () => {
  const trained = memoryOf({ ...PLAN, task: "finetune", batch: 1, context: 1 });
  expect((trained.weights + trained.gradients + trained.optimizer) / PLAN.parameters).toBe(16);
  const full = memoryOf({ ...PLAN, task: "finetune", precision: "fp32", batch: 1, context: 1 });
  expect((full.weights + full.gradients + full.optimizer) / PLAN.parameters).toBe(16);
  const lora = memoryOf({ ...PLAN, task: "lora", batch: 1, context: 1 });
  expect((lora.weights + lora.gradients + lora.optimizer) / trained.weights).toBeLessThan(1.05);
});

const numeric = ["parameters", "batch", "context", "layers", "width"] as const;

describe.each(TASKS.flatMap((task) => PRECISIONS.map((precision) => ({ task, precision }))))(
  "$task in $precision",
  ({ task, precision }) => {
    const plan = { ...PLAN, task, precision, parameters: 3e9, context: 1_024, batch: 4 };
    test.each(numeric)("more %s never needs less, on a GPU or on several", (field) => {
      let before = plan;
      for (const factor of [2, 3, 5, 9]) {
        const more = { ...plan, [field]: plan[field] * factor };
        expect(totalOf(memoryOf(more))).toBeGreaterThanOrEqual(totalOf(memoryOf(before)));
        for (const gpus of GPU_COUNTS)
          expect(memoryPerGpu(more, gpus)).toBeGreaterThanOrEqual(memoryPerGpu(before, gpus));
        for (const { reportedMib } of PLAN_GPUS)
          expect(fitOn(more, reportedMib).gpus ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(
            fitOn(before, reportedMib).gpus ?? Number.POSITIVE_INFINITY,
          );
        before = more;
      }
    });

    test("more GPUs never need more of each, and a larger card never more cards", () => {
      for (const [i, gpus] of GPU_COUNTS.entries())
        expect(memoryPerGpu(plan, GPU_COUNTS[i + 1] ?? gpus)).toBeLessThanOrEqual(memoryPerGpu(plan, gpus));
      const counts = PLAN_GPUS.map(({ reportedMib }) => fitOn(plan, reportedMib).gpus ?? Number.POSITIVE_INFINITY);
      expect(counts).toEqual([...counts].sort((a, b) => b - a));
    });
  },
);

test("wider numbers need more memory", () => {
  const totals = PRECISIONS.map((precision) => totalOf(memoryOf({ ...PLAN, precision })));
  expect(totals).toEqual([...totals].sort((a, b) => b - a));
  expect(BYTES_OF.fp32).toBe(2 * BYTES_OF.bf16);
});

test.each([
  [13e9, 40, 5_184],
  [175e9, 96, 12_352],
  [1, 2, 64],
])("a usual shape of %d parameters: %d layers, %d wide", (parameters, layers, width) => {
  expect(usualShape(parameters)).toEqual({ layers, width });
});

test("the GPUs of plans go from T4 to B200, with what they report", () => {
  expect(PLAN_GPUS[0]?.key).toBe("t4");
  expect(PLAN_GPUS.at(-1)?.key).toBe("b200");
  expect(PLAN_GPUS.find(({ key }) => key === "gh200")).toMatchObject({
    reportedMib: 97_871,
    nominalGb: 96,
    architecture: "arm64",
  });
  expect(new Set(PLAN_GPUS.map(({ key }) => key)).size).toBe(PLAN_GPUS.length);
});
