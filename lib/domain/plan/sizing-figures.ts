import { HOURS_OF_MONTH } from "@/lib/domain/cost/waste";
import { formatCount, formatNumber, formatPercent, formatUsd, formatUsdRate } from "@/lib/domain/format";
import { type Figure, type FigureNumber, figure } from "./formula";
import type { PlanGpu } from "./gpus";
import type { Hint } from "./hints";
import {
  activationBytes,
  adapterParameters,
  BYTES_OF,
  CONTEXT_BYTES,
  GIB,
  gradientBytes,
  type Memory,
  type ModelPlan,
  memoryOf,
  memoryPerGpu,
  optimizerBytes,
  PART_WORDS,
  PARTS,
  type Part,
  PREFILL_TOKENS,
  totalOf,
  VOCABULARY,
  weightsGb,
} from "./memory";
import { plain } from "./numbers";
import { providerName } from "./quotes";
import type { SizedOffer } from "./sizing";

export function gib(bytes: number): string {
  const value = bytes / GIB;
  return `${formatNumber(value, value >= 100 ? 0 : value >= 1 ? 1 : 2)} GiB`;
}

/** 13B, 0.124B, 1.2M */
export function parametersText(parameters: number): string {
  const digits = (value: number) => String(Number(value.toPrecision(4)));
  return parameters >= 1e8 ? `${digits(parameters / 1e9)}B` : `${digits(parameters / 1e6)}M`;
}

/** How one part of a model's memory comes about; null where it has none of it. */
export function partFigure(plan: ModelPlan, part: Part): Figure | null {
  const bytes = memoryOf(plan)[part];
  if (bytes === 0) return null;
  const { precision, task, batch, context, layers, width, kvPct, rank } = plan;
  const give = (formula: string, numbers: FigureNumber[], notes: string[] = []) =>
    figure({
      name: `Memory of ${PART_WORDS[part]}`,
      value: gib(bytes),
      amount: bytes / GIB,
      formula: `${formula} ÷ {gib}`,
      numbers: [...numbers, plain("gib", "bytes of a GiB", GIB)],
      notes,
    });
  const parameters = plain("parameters", "parameters", plan.parameters);
  const trained =
    task === "lora"
      ? plain(
          "trained",
          `parameters of the adapters: ${layers} × 8 × ${rank} × ${formatNumber(width)}`,
          adapterParameters(plan),
        )
      : plain("trained", "parameters that are trained", plan.parameters);
  const tokens = [plain("batch", "sequences at once", batch), plain("context", "tokens of a sequence", context)];
  if (part === "weights") {
    const each = plain("each", "bytes of a parameter", BYTES_OF[precision]);
    return task === "lora"
      ? give(
          "({parameters} × {each} + {trained} × 2)",
          [parameters, each, trained],
          ["Adapters are kept in 16 bits beside the frozen weights."],
        )
      : give("{parameters} × {each}", [parameters, each]);
  }
  if (part === "gradients")
    return give("{trained} × {each}", [trained, plain("each", "bytes of a gradient", gradientBytes(precision))]);
  if (part === "optimizer") {
    const notes = [
      "Adam: two states for each trained parameter, and a full-precision copy where weights are kept in less.",
    ];
    return give("{trained} × {each}", [trained, plain("each", "bytes in the optimiser", optimizerBytes(plan))], notes);
  }
  if (part === "kv") {
    return give(
      "2 × {layers} × {width} × {share} × {batch} × {context} × {each}",
      [
        plain("layers", "layers", layers),
        plain("width", "width", width),
        plain("share", "key-value heads as a share of all", kvPct / 100),
        ...tokens,
        plain("each", "bytes of a value in the cache", 2),
      ],
      ["Two: keys and values. Every sequence is taken at its full length."],
    );
  }
  if (part === "logits") {
    const vocabulary = plain("vocabulary", "words of the vocabulary, taken for granted", VOCABULARY);
    const own = task === "inference" ? tokens.slice(0, 1) : tokens;
    return give(
      `${own.map(({ key }) => `{${key}}`).join(" × ")} × {vocabulary} × 4`,
      [...own, vocabulary],
      ["In full precision, four bytes each."],
    );
  }
  if (task === "inference") {
    const piece = plain("piece", "tokens of a piece of a long prompt", PREFILL_TOKENS);
    return give(
      "min({batch} × {context}, {piece}) × {width} × 12",
      [...tokens, piece, plain("width", "width", width)],
      ["One layer at work: its input, four times its width inside, its output, in 16 bits."],
    );
  }
  return give(
    "{batch} × {context} × {width} × {each}",
    [
      ...tokens,
      plain("width", "width", width),
      plain("each", "bytes for each token and unit of width, all layers", activationBytes(plan)),
    ],
    [
      plan.checkpoints
        ? "With checkpoints: 2 bytes for each of the layers, and one layer in full (34)."
        : "Without checkpoints: 34 bytes in each of the layers (Korthikanti et al., 2022, with fused attention).",
    ],
  );
}

/** What the model needs in all. */
export function totalFigure(plan: ModelPlan): Figure {
  const memory = memoryOf(plan);
  const parts = PARTS.filter((part) => memory[part] > 0);
  const total = totalOf(memory) + CONTEXT_BYTES;
  return figure({
    name: "Memory needed on one GPU",
    value: gib(total),
    amount: total / GIB,
    formula: [...parts.map((part) => `{${part}}`), "{driver}"].join(" + "),
    numbers: [
      ...parts.map((part) => ({
        key: part,
        name: PART_WORDS[part],
        value: gib(memory[part]),
        amount: memory[part] / GIB,
      })),
      { key: "driver", name: "what driver and context hold", value: gib(CONTEXT_BYTES), amount: CONTEXT_BYTES / GIB },
    ],
    notes: ["A formula, not a measurement: what a running job holds replaces it."],
  });
}

/** How full each of so many GPUs is. */
export function usedFigure(plan: ModelPlan, gpu: PlanGpu, gpus: number): Figure {
  const held = memoryPerGpu(plan, gpus);
  const bytes = gpu.reportedMib * 1024 ** 2;
  const pct = (100 * held) / bytes;
  return figure({
    name: `Used of each ${gpu.name}`,
    value: formatPercent(pct),
    amount: pct,
    formula: "100 × {held} ÷ {reported}",
    numbers: [
      { key: "held", name: `on each of ${formatCount(gpus, "GPU")}`, value: gib(held), amount: held / GIB },
      {
        key: "reported",
        name: "what such a card reports",
        value: `${formatNumber(gpu.reportedMib)} MiB`,
        amount: bytes / GIB,
        source: { label: "recorded from such cards" },
      },
    ],
    notes: [
      gpus === 1
        ? "Good up to 85 %, tight up to 90 %: the default alert thresholds."
        : "Weights, states and cache are shared out evenly; each GPU trains whole sequences.",
    ],
  });
}

/** What an offer costs for an hour, or for a month of 730 hours. */
export function offerFigure(offer: SizedOffer, every: "hour" | "month"): Figure {
  const micros = every === "hour" ? offer.hourMicros : offer.monthMicros;
  const label = `${providerName(offer.provider)}, ${offer.source}`;
  return figure({
    name: `${offer.machines} × ${offer.typeName}, ${every === "hour" ? "an hour" : "a month"}`,
    value: every === "hour" ? formatUsdRate(micros) : formatUsd(micros),
    amount: Number(micros) / 1e6,
    formula: every === "hour" ? "{machines} × {price}" : "{machines} × {price} × {hours}",
    numbers: [
      plain("machines", offer.unit === "gpu" ? "GPUs" : "machines", offer.machines),
      {
        key: "price",
        name: offer.unit === "gpu" ? "price of a GPU" : "price of a machine",
        value: formatUsdRate(offer.priceMicros),
        amount: Number(offer.priceMicros) / 1e6,
        source: { label, ...(offer.asOf !== null && { asOf: offer.asOf }) },
      },
      ...(every === "month" ? [plain("hours", "hours of a month", HOURS_OF_MONTH, " h")] : []),
    ],
    notes: [
      ...(offer.state === "stale"
        ? ["This price is older than 30 days, or of no known day: refresh it before you decide."]
        : []),
      ...offer.remarks.map((remark) => `${remark[0]?.toUpperCase()}${remark.slice(1)}.`),
    ],
  });
}

/** What a change saves of a model’s memory. */
export function hintFigure({ what, savedBytes }: Hint, memory: Memory): Figure {
  const before = totalOf(memory);
  return figure({
    name: what,
    value: gib(savedBytes),
    amount: savedBytes / GIB,
    formula: "{before} − {after}",
    numbers: [
      {
        key: "before",
        name: "memory of the model as asked, without the driver’s",
        value: gib(before),
        amount: before / GIB,
      },
      {
        key: "after",
        name: "the same with the change",
        value: gib(before - savedBytes),
        amount: (before - savedBytes) / GIB,
      },
    ],
    notes: [`${formatPercent((100 * savedBytes) / before)} of it.`],
  });
}

/** What the weights of so many parameters take. */
export function weightsFigure(parameters: number, precision: "bf16" | "fp32"): Figure {
  const gb = weightsGb(parameters, precision);
  return figure({
    name: `Weights of ${parametersText(parameters)} parameters`,
    value: `${Number(gb.toPrecision(3))} GB`,
    amount: gb,
    formula: "{parameters} × {bytes} ÷ 1000",
    numbers: [
      plain("parameters", "million parameters", parameters / 1e6),
      plain("bytes", "bytes of each", BYTES_OF[precision]),
    ],
  });
}
