import type { Workload } from "@/lib/domain/fleet/workloads";
import type { ModelPlan } from "./memory";
import { usualShape } from "./memory";

/** A kind of work that GPUs are rented for, with an example that is sized by the calculator, not copied from a table. */
export type WorkloadType = {
  key: string;
  name: string;
  /** The label on instances and runs. */
  label: Workload;
  intensity: "high" | "medium" | "low";
  memory: string;
  pattern: string;
  example: { model: string; plan: ModelPlan };
  /** What it is held to. */
  slos: readonly { what: string; value: string; note?: string }[];
  advice: readonly string[];
};

function example(model: string, billions: number, plan: Pick<ModelPlan, "task" | "precision" | "batch" | "context">) {
  const parameters = billions * 1e9;
  const rest = { kvPct: 100, rank: 16, checkpoints: true, smallOptimizer: false };
  return { model, plan: { parameters, ...usualShape(parameters), ...rest, ...plan } };
}

export const WORKLOAD_SOURCE = "TextNLP GPU requirements, undated; sizes computed here";

/** Stated for batch work. */
export const BATCH_REQUESTS_PER_HOUR = 10_000;

export const WORKLOAD_TYPES: readonly WorkloadType[] = [
  {
    key: "training",
    name: "Training from nothing",
    label: "training",
    intensity: "high",
    memory: "16 bytes for each parameter and activations",
    pattern: "hours to weeks at a stretch; checkpoints make it interruptible",
    example: example("GPT-2 large, 0.774B", 0.774, { task: "training", precision: "bf16", batch: 16, context: 1_024 }),
    slos: [{ what: "GPU utilisation", value: "> 80 %", note: "an alert below, only while a run goes on" }],
    advice: ["Spot or reserved where checkpoints are kept.", "Stop early on the validation loss."],
  },
  {
    key: "finetune",
    name: "Fine-tuning, all weights",
    label: "training",
    intensity: "high",
    memory: "as training; smaller batches",
    pattern: "one run of hours; a few in a week",
    example: example("Llama 7B", 7, { task: "finetune", precision: "bf16", batch: 8, context: 2_048 }),
    slos: [{ what: "GPU utilisation", value: "> 80 %", note: "an alert below, only while a run goes on" }],
    advice: ["Shard states over GPUs (FSDP, ZeRO-3) before a larger card is rented.", "Try LoRA first."],
  },
  {
    key: "lora",
    name: "Fine-tuning, LoRA",
    label: "training",
    intensity: "medium",
    memory: "the weights, little more",
    pattern: "one run of an hour or two on one GPU",
    example: example("Llama 7B", 7, { task: "lora", precision: "bf16", batch: 4, context: 2_048 }),
    slos: [{ what: "Cost against the estimate", value: "± 10 %" }],
    advice: ["4-bit weights (QLoRA) where 24 GB are short."],
  },
  {
    key: "realtime",
    name: "Inference, real time",
    label: "inference",
    intensity: "medium",
    memory: "weights and a cache that grows with every token",
    pattern: "around the clock, follows the users; scale on the queue's depth",
    example: example("Llama 7B", 7, { task: "inference", precision: "bf16", batch: 16, context: 4_096 }),
    slos: [
      { what: "Latency, 95th percentile", value: "< 500 ms", note: "warns above; critical above 1,000 ms" },
      { what: "Latency target of the alignment report", value: "< 50 ms", note: "per service, where one is agreed" },
      { what: "Requests", value: "100 to 1,000 a second" },
      {
        what: "GPU utilisation",
        value: "> 90 % for 10 min: add a machine",
        note: "for inference only: training is to be that busy",
      },
    ],
    advice: ["On demand or committed; never spot without a second provider.", "8-bit weights where quality allows."],
  },
  {
    key: "batch",
    name: "Inference, batch",
    label: "batch",
    intensity: "medium",
    memory: "as inference, larger batches",
    pattern: "jobs with a deadline, not a latency; may wait for a cheap hour",
    example: example("Llama 7B", 7, { task: "inference", precision: "bf16", batch: 32, context: 2_048 }),
    slos: [{ what: "Requests", value: `${BATCH_REQUESTS_PER_HOUR.toLocaleString("en-US")} an hour and more` }],
    advice: ["Spot with checkpoints, or nights.", "Look at its idle time before a second machine is rented."],
  },
  {
    key: "dev",
    name: "Development",
    label: "dev",
    intensity: "low",
    memory: "a small model or a part of a large one",
    pattern: "working hours: 8 h on 22 days of a month",
    example: example("GPT-2 small, 0.124B", 0.124, { task: "finetune", precision: "bf16", batch: 4, context: 512 }),
    slos: [
      { what: "Idle", value: "terminated after 30 min", note: "where nothing is held; asked first where memory is" },
    ],
    advice: ["A schedule and a lease on every instance.", "The smallest card that holds it."],
  },
];

/** What a rate of requests takes of a machine that manages so many a second, in per cent. */
export function shareOfRate(requestsPerHour: number, requestsPerSecond: number): { perSecond: number; pct: number } {
  const perSecond = requestsPerHour / 3_600;
  return { perSecond, pct: (100 * perSecond) / requestsPerSecond };
}
