import { roundHalfAway } from "@/lib/domain/cost/money";
import type { Measured } from "./benchmarks";
import { gpuKind } from "./gpu-kind";
import { PLAN_GPUS, type PlanGpu } from "./gpus";
import type { ProviderView } from "./providers";
import { type QuoteView, quoteView } from "./quote-view";
import { firmness, perGpu, type Quote, stateOf } from "./quotes";
import type { SizedOffer } from "./sizing";

/** What a GPU of a model and size costs for an hour, by the price book of today. */
export type PriceRange = {
  gpu: string;
  offers: number;
  low: QuoteView | null;
  high: QuoteView | null;
  lambda: QuoteView | null;
  /** The cheapest that may be taken away. */
  spot: QuoteView | null;
  /** Offers of the last 30 days among them. */
  fresh: number;
};

/** Of each GPU the firm prices per GPU-hour, lowest and highest; rejected ones, medians and GPU-only parts are none. */
export function priceRanges(book: readonly Quote[], day: string): PriceRange[] {
  return PLAN_GPUS.map((gpu) => {
    const own = book.filter(
      (quote) => isOf(quote, gpu) && quote.unit !== "gpu_component" && stateOf(quote, day) !== "rejected",
    );
    const cost = (quote: Quote) => {
      const { numerator, denominator } = perGpu(quote);
      return roundHalfAway(numerator, denominator);
    };
    const by = (a: Quote, b: Quote) => (cost(a) < cost(b) ? -1 : cost(a) > cost(b) ? 1 : 0);
    const firm = own.filter(({ tier }) => firmness(tier) === "firm").sort(by);
    const [spot] = own.filter(({ tier }) => firmness(tier) === "interruptible").sort(by);
    const view = (quote: Quote | undefined) => (quote === undefined ? null : quoteView(quote, day, true));
    return {
      gpu: gpu.key,
      offers: firm.length,
      low: view(firm[0]),
      high: view(firm.at(-1)),
      lambda: view(firm.find(({ provider }) => provider === "lambda")),
      spot: view(spot),
      fresh: firm.filter((quote) => stateOf(quote, day) !== "stale").length,
    };
  });
}

function isOf(quote: Quote, gpu: PlanGpu): boolean {
  const { model, board } = gpuKind(quote.gpu);
  return (
    model === gpu.model &&
    quote.gpuMemoryGb === gpu.nominalGb &&
    (gpu.board === null || board === null || board === gpu.board)
  );
}

/** A price of Lambda's with the one before it. */
export type LambdaPrice = {
  typeName: string;
  gpu: string;
  gpus: number;
  micros: string;
  perGpuMicros: string;
  asOf: string | null;
  isLive: boolean;
  before: { micros: string; asOf: string; changePct: string } | null;
};

export type SizedWorkload = {
  key: string;
  /** The GPU that is cheapest for it, Lambda's where there is one; null: no price is known. */
  gpu: string | null;
  gpus: number | null;
  usedPct: number | null;
  lambda: SizedOffer | null;
  elsewhere: SizedOffer | null;
};

export type WorkloadsAnswer = {
  now: number;
  day: string;
  types: SizedWorkload[];
  prices: PriceRange[];
  lambda: LambdaPrice[];
  providers: ProviderView[];
  measured: Measured[];
  measuredDays: number;
};
