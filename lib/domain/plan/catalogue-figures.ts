import { formatNumber, formatUsdChange, formatUsdRate } from "@/lib/domain/format";
import { type Figure, figure } from "./formula";
import { GPUS_PER_NODE, nodesOf, speedFactor, TRAINING_SPEED } from "./lambda-catalogue";
import { plain, rate } from "./numbers";
import { changeFigure } from "./price-figures";
import type { LambdaPrice } from "./workload-view";

const CHART = { label: "Lambda overview course, its chart; unverified" };

const sourceOf = ({ isLive, asOf }: Pick<LambdaPrice, "isLive" | "asOf">) => ({
  label: isLive ? "Lambda’s list, live" : "price book",
  ...(asOf !== null && { asOf }),
});

/** What a GPU of a machine costs for an hour. */
export function gpuHourFigure(one: LambdaPrice): Figure {
  return figure({
    name: `A GPU-hour of ${one.typeName}`,
    value: formatUsdRate(one.perGpuMicros),
    amount: Number(one.perGpuMicros) / 1e6,
    formula: "{price} ÷ {gpus}",
    numbers: [rate("price", "price of the machine", one.micros, sourceOf(one)), plain("gpus", "GPUs", one.gpus)],
  });
}

/** A GPU-hour of one type against that of another. */
export function againstFigure(one: LambdaPrice, base: LambdaPrice): Figure {
  const change = BigInt(one.perGpuMicros) - BigInt(base.perGpuMicros);
  return figure({
    name: `A GPU-hour of ${one.typeName} against ${base.typeName}`,
    value: formatUsdChange(change),
    amount: Number(change) / 1e6,
    formula: "{price} ÷ {gpus} − {base}",
    numbers: [
      rate("price", "price of the machine", one.micros, sourceOf(one)),
      plain("gpus", "GPUs", one.gpus),
      rate("base", `a GPU-hour of ${base.typeName}`, base.perGpuMicros, sourceOf(base)),
    ],
    notes: ["A difference of price, not of what a GPU does for it."],
  });
}

/** What became of a price since the last other one that is known; null: none is. */
export function sinceFigure(one: LambdaPrice): Figure | null {
  const { before } = one;
  if (before === null) return null;
  return changeFigure(
    `${one.typeName} since ${before.asOf}`,
    before.changePct,
    { name: "before", micros: before.micros, source: { label: "price book", asOf: before.asOf } },
    { name: "now", micros: one.micros, source: sourceOf(one) },
    [],
  );
}

/** How much faster one card of the chart is than another; null where the chart has not both. */
export function speedFigure(gpu: string, against: string): Figure | null {
  const factor = speedFactor(gpu, against);
  const of = (name: string) => TRAINING_SPEED.find((one) => one.gpu === name)?.factor ?? 1;
  if (factor === null) return null;
  return figure({
    name: `Training speed of ${gpu} against ${against}`,
    value: `${formatNumber(factor, 3)} ×`,
    amount: factor,
    formula: "{own} ÷ {other}",
    numbers: [
      plain("own", `${gpu} against a V100`, of(gpu), "", CHART),
      plain("other", `${against} against a V100`, of(against), "", CHART),
    ],
    notes: ["Nobody has measured it here: for a plan, take a factor that you measured."],
  });
}

/** Machines of a cluster of so many GPUs. */
export function nodesFigure(gpus: number): Figure {
  const nodes = nodesOf(gpus);
  return figure({
    name: `Nodes of ${gpus} GPUs`,
    value: String(nodes),
    amount: nodes,
    formula: "{gpus} ÷ {each}",
    numbers: [plain("gpus", "GPUs", gpus), plain("each", "GPUs of a node", GPUS_PER_NODE)],
  });
}
