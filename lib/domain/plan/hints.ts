import { GIB, type ModelPlan, memoryOf, PARTS, type Part, totalOf } from "./memory";

/** A change that makes a model fit where it does not, with what it would save of this one. */
export type Hint = { what: string; why: string; savedBytes: number; part: Part };

/** What to try when memory runs out, the largest saving first; only what would save something here. */
export function memoryHints(plan: ModelPlan): Hint[] {
  const before = memoryOf(plan);
  const tries: { what: string; why: string; change: Partial<ModelPlan> | null }[] = [
    {
      what: "Halve the batch and accumulate gradients over two steps",
      why: "the optimiser sees the same batch; only activations and logits are halved",
      change: plan.task !== "inference" && plan.batch > 1 ? { batch: Math.ceil(plan.batch / 2) } : null,
    },
    {
      what: "Serve half as many sequences at once",
      why: "the cache holds every token of every sequence",
      change: plan.task === "inference" && plan.batch > 1 ? { batch: Math.ceil(plan.batch / 2) } : null,
    },
    {
      what: "Compute activations again on the way back",
      why: "gradient checkpointing: about a third more computing",
      change: plan.task !== "inference" && !plan.checkpoints ? { checkpoints: true } : null,
    },
    {
      what: "Train in BF16 with a full-precision copy",
      why: "half the activations; the optimiser keeps its precision",
      change: plan.task !== "inference" && plan.precision === "fp32" ? { precision: "bf16" } : null,
    },
    {
      what: "Keep the optimiser’s states in 8 bits",
      why: "six bytes less for each trained parameter",
      change: plan.task !== "inference" && !plan.smallOptimizer ? { smallOptimizer: true } : null,
    },
    {
      what: "Fine-tune with LoRA",
      why: "gradients and states of the adapters alone",
      change: plan.task === "finetune" ? { task: "lora" } : null,
    },
    {
      what: "Keep the frozen weights in 4 bits",
      why: "QLoRA: slower, and a little less exact",
      change: plan.task === "lora" && plan.precision !== "int4" ? { precision: "int4" } : null,
    },
    {
      what: "Quantise the weights to 8 bits",
      why: "check the quality of what comes out",
      change:
        plan.task === "inference" && (plan.precision === "bf16" || plan.precision === "fp32")
          ? { precision: "fp8" }
          : null,
    },
    {
      what: "Halve the context",
      why: "activations or cache grow with every token",
      change: plan.context > 256 ? { context: Math.ceil(plan.context / 2) } : null,
    },
  ];
  return tries
    .flatMap(({ what, why, change }): Hint[] => {
      if (change === null) return [];
      const after = memoryOf({ ...plan, ...change });
      const savedBytes = totalOf(before) - totalOf(after);
      const part = PARTS.reduce((most, one) => (before[one] - after[one] > before[most] - after[most] ? one : most));
      return savedBytes > 0.05 * GIB ? [{ what, why, savedBytes, part }] : [];
    })
    .sort((a, b) => b.savedBytes - a.savedBytes);
}

/** Batch sizes to begin with by memory of the card, as the requirement of November 2024 has them; no model is named there. */
export const BATCH_BY_MEMORY: readonly { upToGb: number; from: number; to: number }[] = [
  { upToGb: 4, from: 8, to: 16 },
  { upToGb: 8, from: 16, to: 32 },
  { upToGb: 12, from: 32, to: 64 },
  { upToGb: 24, from: 64, to: 128 },
];

/** Of the rows whose card is not larger, the last; null below the first. */
export function batchHint(memoryGb: number): (typeof BATCH_BY_MEMORY)[number] | null {
  return BATCH_BY_MEMORY.findLast(({ upToGb }) => upToGb <= memoryGb) ?? null;
}

/** What tasks of that requirement usually hold, in GB: hints for smaller cards. */
export const USUAL_TASK_GB: readonly { from: number; to: number }[] = [
  { from: 0.5, to: 0.5 },
  { from: 1.5, to: 1.5 },
  { from: 3, to: 4 },
  { from: 6, to: 8 },
];

/** Worth doing before a larger machine is rented. What is claimed of them is not measured here. */
export const OPTIMISATIONS: readonly { what: string; claim: string | null }[] = [
  { what: "Gradient accumulation: large batches on small cards", claim: null },
  {
    what: "BF16 or mixed precision",
    claim: "half the activations; the requirements disagree by how much it is faster: measure it",
  },
  { what: "Gradient checkpointing", claim: null },
  { what: "More workers of the data loader, data on local disk", claim: null },
  { what: "Early stopping with a threshold on the validation loss", claim: null },
];
