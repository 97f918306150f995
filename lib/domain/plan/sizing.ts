import { z } from "zod";
import { HOURS_OF_MONTH } from "@/lib/domain/cost/waste";
import { gpuKind } from "./gpu-kind";
import { PLAN_GPUS, type PlanGpu } from "./gpus";
import { type Fit, fitOn, type ModelPlan, PRECISIONS, TASKS, usualShape } from "./memory";
import { firmness, type Quote, type QuoteState, stateOf } from "./quotes";

const count = (most: number, otherwise: number) =>
  z.coerce.number().int().min(1).max(most).catch(otherwise).default(otherwise);
const flag = (otherwise: boolean) => z.stringbool().or(z.boolean()).catch(otherwise).default(otherwise);

/** What is to be run, as it stands in the address; what cannot be read is as if it were not said. */
export const SizingQuestion = z.object({
  /** In billions of parameters. */
  params: z.coerce.number().positive().min(0.001).max(5_000).catch(13).default(13),
  precision: z.enum(PRECISIONS).catch("bf16").default("bf16"),
  task: z.enum(TASKS).catch("inference").default("inference"),
  batch: count(65_536, 8),
  context: count(4_000_000, 8_192),
  /** Left out: as models of that size usually are. */
  layers: z.coerce.number().int().min(1).max(1_000).optional().catch(undefined),
  width: z.coerce.number().int().min(16).max(200_000).optional().catch(undefined),
  kv: count(100, 100),
  rank: count(4_096, 16),
  checkpoints: flag(true),
  small: flag(false),
  /** Of which GPU all offers are shown. */
  gpu: z
    .enum(PLAN_GPUS.map(({ key }) => key))
    .optional()
    .catch(undefined),
});
export type SizingQuestion = z.output<typeof SizingQuestion>;

export function planOf(asked: SizingQuestion): ModelPlan {
  const parameters = asked.params * 1e9;
  const usual = usualShape(parameters);
  return {
    parameters,
    precision: asked.precision,
    task: asked.task,
    batch: asked.batch,
    context: asked.context,
    layers: asked.layers ?? usual.layers,
    width: asked.width ?? usual.width,
    kvPct: asked.kv,
    rank: asked.rank,
    checkpoints: asked.checkpoints,
    smallOptimizer: asked.small,
  };
}

/** Machines of one offer that together have the GPUs. Money as text, in micro-dollars. */
export type SizedOffer = {
  gpu: string;
  provider: string;
  typeName: string;
  region: string;
  tier: Quote["tier"];
  unit: Quote["unit"];
  machines: number;
  gpusEach: number;
  /** Of one machine, or of one GPU where it is sold by the GPU. */
  priceMicros: string;
  hourMicros: string;
  monthMicros: string;
  /** GPUs that are paid for and not needed. */
  spareGpus: number;
  /** Over machines of fewer than eight GPUs, that only the network joins. */
  isSpread: boolean;
  state: QuoteState;
  asOf: string | null;
  source: string;
  /** What a reader must know: the board is not named, ARM64, … */
  remarks: string[];
};

/** Every firm offer of a GPU for so many of them, what one machine holds before what is spread, then the cheapest. Rejected prices, spot, medians and GPU-only parts are none. */
export function offersFor(gpu: PlanGpu, gpus: number, book: readonly Quote[], day: string): SizedOffer[] {
  return book
    .flatMap((quote): SizedOffer[] => {
      const kind = gpuKind(quote.gpu);
      const isOther = kind.model !== gpu.model || quote.gpuMemoryGb !== gpu.nominalGb;
      const isOtherBoard = gpu.board !== null && kind.board !== null && kind.board !== gpu.board;
      const state = stateOf(quote, day);
      if (isOther || isOtherBoard || state === "rejected" || firmness(quote.tier) !== "firm") return [];
      if (quote.unit === "gpu_component" || quote.gpus < 1) return [];
      const gpusEach = quote.unit === "instance" ? quote.gpus : 1;
      const machines = Math.ceil(gpus / gpusEach);
      const hour = quote.micros * BigInt(machines);
      // One machine does not hold them all, although such machines exist with eight.
      const isSpread = quote.unit === "instance" && machines > 1 && gpusEach < 8;
      const remarks = [
        kind.board === null && gpu.board !== null && `${gpu.board} or not is not said`,
        gpu.architecture === "arm64" && "ARM64: images must be built for it",
        quote.unit === "gpu" && gpus > 1 && "sold by the GPU: whether so many sit in one machine is not said",
        isSpread && "several machines: the network between them decides",
      ].filter((word) => word !== false);
      return [
        {
          gpu: gpu.key,
          provider: quote.provider,
          typeName: quote.typeName,
          region: quote.region,
          tier: quote.tier,
          unit: quote.unit,
          machines,
          gpusEach,
          priceMicros: quote.micros.toString(),
          hourMicros: hour.toString(),
          monthMicros: (hour * BigInt(HOURS_OF_MONTH)).toString(),
          spareGpus: machines * gpusEach - gpus,
          isSpread,
          state,
          asOf: quote.asOf,
          source: quote.source,
          remarks,
        },
      ];
    })
    .sort((a, b) => {
      const [first, second] = [BigInt(a.hourMicros), BigInt(b.hourMicros)];
      const byCost =
        first === second ? a.machines - b.machines || a.provider.localeCompare(b.provider) : first < second ? -1 : 1;
      return Number(a.isSpread) - Number(b.isSpread) || byCost;
    });
}

export type SizedGpu = {
  key: string;
  fit: Fit;
  /** The cheapest of each side; null: nobody sells it firmly, as far as the price book knows. */
  lambda: SizedOffer | null;
  elsewhere: SizedOffer | null;
  offers: number;
  /** It computes in the precision that is asked for. */
  isNative: boolean;
  remarks: string[];
};

/** What each GPU would take, from the smallest card to the largest. */
export function sizedGpus(plan: ModelPlan, book: readonly Quote[], day: string): SizedGpu[] {
  return PLAN_GPUS.map((gpu) => {
    const fit = fitOn(plan, gpu.reportedMib);
    const offers = fit.gpus === null ? [] : offersFor(gpu, fit.gpus, book, day);
    return {
      key: gpu.key,
      fit,
      lambda: offers.find(({ provider }) => provider === "lambda") ?? null,
      elsewhere: offers.find(({ provider }) => provider !== "lambda") ?? null,
      offers: offers.length,
      isNative: !(plan.precision === "bf16" && !gpu.hasBf16) && !(plan.precision === "fp8" && !gpu.hasFp8),
      remarks: [
        plan.precision === "bf16" && !gpu.hasBf16 && "no BF16: FP16 only",
        plan.precision === "fp8" && !gpu.hasFp8 && "no FP8: INT8 only",
        gpu.architecture === "arm64" && "ARM64",
      ].filter((word) => word !== false),
    };
  });
}

/** The cheapest of all that fit at Lambda or elsewhere; a card that cannot compute in the precision asked for is not recommended. */
export function cheapestAt(
  sized: readonly SizedGpu[],
  side: "lambda" | "elsewhere",
): { gpu: SizedGpu; offer: SizedOffer } | null {
  const [first] = sized
    .flatMap((gpu) => (gpu[side] === null || !gpu.isNative ? [] : [{ gpu, offer: gpu[side] }]))
    .sort((a, b) => Number(BigInt(a.offer.hourMicros) - BigInt(b.offer.hourMicros)));
  return first ?? null;
}

/** The cheapest of all that fit, Lambda's where there is one. */
export function bestGpu(sized: readonly SizedGpu[]): { gpu: SizedGpu; offer: SizedOffer } | null {
  return cheapestAt(sized, "lambda") ?? cheapestAt(sized, "elsewhere");
}

export function gpuOf(key: string): PlanGpu {
  const found = PLAN_GPUS.find((gpu) => gpu.key === key);
  if (!found) throw new RangeError(`No GPU is called ${key}`);
  return found;
}
