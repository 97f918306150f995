/** Memory that a model needs, in bytes, part by part. Formulas, not measurements: what a running job holds replaces them. */

export const PRECISIONS = ["fp32", "bf16", "fp8", "int4"] as const;
export type Precision = (typeof PRECISIONS)[number];
export const PRECISION_WORDS: Record<Precision, string> = {
  fp32: "FP32",
  bf16: "BF16 or FP16",
  fp8: "FP8 or INT8",
  int4: "INT4",
};
export const BYTES_OF: Record<Precision, number> = { fp32: 4, bf16: 2, fp8: 1, int4: 0.5 };

export const TASKS = ["training", "finetune", "lora", "inference"] as const;
export type Task = (typeof TASKS)[number];
export const TASK_WORDS: Record<Task, string> = {
  training: "training from nothing",
  finetune: "fine-tuning, all weights",
  lora: "fine-tuning, LoRA",
  inference: "inference",
};

export type ModelPlan = {
  parameters: number;
  precision: Precision;
  task: Task;
  /** Sequences at once, over all GPUs. */
  batch: number;
  /** Tokens of a sequence. */
  context: number;
  layers: number;
  width: number;
  /** Key-value heads as a share of the attention heads, in per cent: below 100 with grouped queries. */
  kvPct: number;
  /** Of LoRA's matrices. */
  rank: number;
  /** Activations are computed again on the way back instead of being kept. */
  checkpoints: boolean;
  /** The optimiser's two states in one byte each instead of four. */
  smallOptimizer: boolean;
};

export const PARTS = ["weights", "gradients", "optimizer", "activations", "logits", "kv"] as const;
export type Part = (typeof PARTS)[number];
export type Memory = Record<Part, number>;
export const PART_WORDS: Record<Part, string> = {
  weights: "weights",
  gradients: "gradients",
  optimizer: "optimiser",
  activations: "activations",
  logits: "logits",
  kv: "KV cache",
};

export const GIB = 1024 ** 3;
/** What the driver and a program's context hold on each GPU. */
export const CONTEXT_BYTES = 0.6 * GIB;
export const VOCABULARY = 32_000;
/** Servers read long prompts in pieces of so many tokens. */
export const PREFILL_TOKENS = 8_192;
/** Adam keeps two states beside a copy of the weights in full precision. */
const COPY_BYTES = 4;
const STATE_BYTES = 4;
const KV_BYTES = 2;

/** Trainable parameters of LoRA: two matrices of the rank beside each of the four of attention. */
export function adapterParameters({ layers, width, rank }: Pick<ModelPlan, "layers" | "width" | "rank">): number {
  return layers * 4 * 2 * rank * width;
}

/** Bytes that each trainable parameter costs in the optimiser: two states, and a full-precision copy of lower weights. */
export function optimizerBytes({ precision, smallOptimizer }: Pick<ModelPlan, "precision" | "smallOptimizer">): number {
  return 2 * (smallOptimizer ? 1 : STATE_BYTES) + (precision === "fp32" ? 0 : COPY_BYTES);
}

/** Gradients are as wide as the weights are trained in: 16 bits at least. */
export function gradientBytes(precision: Precision): number {
  return Math.max(2, BYTES_OF[precision]);
}

/** Bytes of activations for each token and unit of width in one layer, kept for the way back in 16 bits (twice that in 32). */
export function activationBytes({
  layers,
  precision,
  checkpoints,
}: Pick<ModelPlan, "layers" | "precision" | "checkpoints">): number {
  const wide = precision === "fp32" ? 2 : 1;
  return wide * (checkpoints ? 2 * layers + 34 : 34 * layers);
}

/** What the whole model needs, before it is spread over GPUs. */
export function memoryOf(plan: ModelPlan): Memory {
  const { parameters, precision, task, batch, context, layers, width, kvPct } = plan;
  const tokens = batch * context;
  const weights = parameters * BYTES_OF[precision];
  if (task === "inference") {
    return {
      weights,
      gradients: 0,
      optimizer: 0,
      activations: Math.min(tokens, PREFILL_TOKENS) * width * 12,
      logits: batch * VOCABULARY * 4,
      kv: 2 * layers * width * (kvPct / 100) * tokens * KV_BYTES,
    };
  }
  const trained = task === "lora" ? adapterParameters(plan) : parameters;
  // Adapters are kept in 16 bits beside whatever the frozen weights are.
  const own = task === "lora" ? trained * 2 : 0;
  return {
    weights: weights + own,
    gradients: trained * gradientBytes(precision),
    optimizer: trained * optimizerBytes(plan),
    activations: tokens * width * activationBytes(plan),
    logits: tokens * VOCABULARY * 4,
    kv: 0,
  };
}

export function totalOf(memory: Memory): number {
  return PARTS.reduce((total, part) => total + memory[part], 0);
}

/**
 * What one of `gpus` holds: states and caches are shared out evenly (ZeRO-3, FSDP or tensor parallel); in training each GPU
 * has whole sequences, so activations stop falling at one sequence each.
 */
export function memoryPerGpu(plan: ModelPlan, gpus: number): number {
  const whole = memoryOf(plan);
  const shared = whole.weights + whole.gradients + whole.optimizer + whole.kv;
  const kept = whole.activations + whole.logits;
  const share = plan.task === "inference" ? 1 / gpus : Math.ceil(plan.batch / gpus) / plan.batch;
  return shared / gpus + kept * share + CONTEXT_BYTES;
}

/** So many GPUs are looked at: a machine's, then machines of eight. */
export const GPU_COUNTS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] as const;
/** The default alert thresholds of GPU memory. */
export const GOOD_PCT = 85;
export const TIGHT_PCT = 90;

export type Fit = {
  /** Null: no number of these GPUs holds it. */
  gpus: number | null;
  /** Of what each of them reports. */
  usedPct: number | null;
  state: "good" | "tight" | "none";
};

/** The fewest GPUs of a size that hold it at 90 % or less. */
export function fitOn(plan: ModelPlan, reportedMib: number): Fit {
  const bytes = reportedMib * 1024 ** 2;
  for (const gpus of GPU_COUNTS) {
    const usedPct = (100 * memoryPerGpu(plan, gpus)) / bytes;
    if (usedPct <= TIGHT_PCT) return { gpus, usedPct, state: usedPct <= GOOD_PCT ? "good" : "tight" };
  }
  return { gpus: null, usedPct: null, state: "none" };
}

/** Layers and width of a usual transformer of so many parameters: parameters ≈ 12 × layers × width², width = 128 × layers. */
export function usualShape(parameters: number): { layers: number; width: number } {
  const layers = Math.max(2, Math.round(Math.cbrt(parameters / (12 * 128 * 128))));
  const width = Math.max(64, Math.round(Math.sqrt(parameters / (12 * layers)) / 64) * 64);
  return { layers, width };
}

/** Half-open classes of model size, in parameters. */
export const SIZE_CLASSES = [
  { key: "under-1b", name: "under 1B", from: 0, to: 1e9 },
  { key: "1b-7b", name: "1B to under 7B", from: 1e9, to: 7e9 },
  { key: "7b-20b", name: "7B to under 20B", from: 7e9, to: 20e9 },
  { key: "20b-70b", name: "20B to under 70B", from: 20e9, to: 70e9 },
  { key: "70b-up", name: "70B and more", from: 70e9, to: Number.POSITIVE_INFINITY },
] as const;

export function sizeClass(parameters: number): (typeof SIZE_CLASSES)[number] {
  return SIZE_CLASSES.find(({ from, to }) => parameters >= from && parameters < to) ?? SIZE_CLASSES[0];
}

/** Weights alone, in GB (10⁹ bytes): 7B in FP16 are 14 GB. */
export function weightsGb(parameters: number, precision: Precision): number {
  return (parameters * BYTES_OF[precision]) / 1e9;
}
