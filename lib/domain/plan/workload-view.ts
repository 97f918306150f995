import { roundHalfAway } from "@/lib/domain/cost/money";
import { groupBy } from "@/lib/domain/group";
import type { Measured } from "./benchmarks";
import { gpuKind } from "./gpu-kind";
import { PLAN_GPUS, type PlanGpu } from "./gpus";
import { firmness, perGpu, type Quote, stateOf } from "./quotes";
import type { SizedOffer } from "./sizing";

/** What a GPU of a model and size costs for an hour, by the price book of today. Money as text. */
export type PriceRange = {
  gpu: string;
  offers: number;
  lowMicros: string | null;
  lowProvider: string | null;
  highMicros: string | null;
  highProvider: string | null;
  lambdaMicros: string | null;
  /** The cheapest that may be taken away. */
  spotMicros: string | null;
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
    const low = firm[0] ?? null;
    const high = firm.at(-1) ?? null;
    const lambda = firm.find(({ provider }) => provider === "lambda") ?? null;
    const text = (quote: Quote | null) => (quote === null ? null : cost(quote).toString());
    return {
      gpu: gpu.key,
      offers: firm.length,
      lowMicros: text(low),
      lowProvider: low?.provider ?? null,
      highMicros: text(high),
      highProvider: high?.provider ?? null,
      lambdaMicros: text(lambda),
      spotMicros: text(spot ?? null),
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

/** A provider as the price book knows it. Set-up, interface and reliability are in no price list: nobody has rated them here. */
export type ProviderRow = {
  provider: string;
  offers: number;
  models: number;
  /** The cheapest firm A100 for an hour, 80 GB before 40 GB. */
  a100Micros: string | null;
  a100Gb: number | null;
  hasSpot: boolean;
  hasReserved: boolean;
  newest: string | null;
};

/** Providers by what the price book has of them, the most offers first. */
export function providerRows(book: readonly Quote[]): ProviderRow[] {
  const good = book.filter(({ status }) => status !== "rejected");
  return [...groupBy(good, ({ provider }) => provider)]
    .map(([provider, own]): ProviderRow => {
      const a100 = own
        .filter(
          (quote) =>
            gpuKind(quote.gpu).model === "A100" && firmness(quote.tier) === "firm" && quote.unit !== "gpu_component",
        )
        .map((quote) => {
          const { numerator, denominator } = perGpu(quote);
          return { gb: quote.gpuMemoryGb, micros: roundHalfAway(numerator, denominator) };
        })
        .sort((a, b) => (b.gb ?? 0) - (a.gb ?? 0) || (a.micros < b.micros ? -1 : 1));
      return {
        provider,
        offers: own.length,
        models: new Set(own.map(({ gpu }) => gpuKind(gpu).model)).size,
        a100Micros: a100[0]?.micros.toString() ?? null,
        a100Gb: a100[0]?.gb ?? null,
        hasSpot: own.some(({ tier }) => firmness(tier) === "interruptible"),
        hasReserved: own.some(({ tier }) => firmness(tier) === "reserved"),
        newest:
          own
            .flatMap(({ asOf }) => asOf ?? [])
            .sort()
            .at(-1) ?? null,
      };
    })
    .sort((a, b) => b.offers - a.offers || a.provider.localeCompare(b.provider));
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
  providers: ProviderRow[];
  measured: Measured[];
  measuredDays: number;
};
