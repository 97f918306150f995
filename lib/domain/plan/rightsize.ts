import type { Micros } from "@/lib/domain/cost/money";
import { ARCHITECTURE_WORDS, gpuKind } from "./gpu-kind";
import { type PlanGpu, planGpu } from "./gpus";
import { GOOD_PCT } from "./memory";
import { firmness, type Quote, type QuoteState, stateOf } from "./quotes";
import type { OtherPrice } from "./simulate";

export type Measured = {
  /** As the card names itself. */
  gpu: string;
  memoryGb: number | null;
  gpus: number;
  peakMib: number | null;
  /** Mean effective utilisation while it was busy. */
  busyPct: number | null;
  priceMicros: Micros | null;
};

/** A smaller machine has to do the work at this utilisation or less. */
const MOST_BUSY_PCT = 80;

type Candidate = { quote: Quote; gpu: PlanGpu; state: QuoteState };

/**
 * Finds the cheapest machine of Lambda's with as many GPUs that holds the highest memory that was measured at 85 % or less
 * and, by its 16-bit speed, would be at most 80 % busy with the same work. Null: nothing cheaper would do, or it was not
 * measured. The book is looked through once, for however many machines.
 */
export function smallerFinder(book: readonly Quote[], day: string): (machine: Measured) => OtherPrice | null {
  const sold = book.flatMap((quote): Candidate[] => {
    const isSold = quote.provider === "lambda" && quote.unit === "instance" && firmness(quote.tier) === "firm";
    const state = stateOf(quote, day);
    const gpu = isSold && state !== "rejected" ? planGpu(gpuKind(quote.gpu), quote.gpuMemoryGb) : null;
    return gpu === null ? [] : [{ quote, gpu, state }];
  });
  const own = new Map<string, PlanGpu | null>();
  return (machine) => {
    const { peakMib, busyPct, priceMicros, gpus, gpu: card, memoryGb } = machine;
    const key = `${card}|${memoryGb}`;
    const now = own.has(key) ? (own.get(key) ?? null) : planGpu(gpuKind(card), memoryGb);
    own.set(key, now);
    if (now === null || peakMib === null || busyPct === null || priceMicros === null) return null;
    let best: { found: Candidate; wouldBePct: number } | null = null;
    for (const found of sold) {
      const { quote, gpu } = found;
      const holds = 100 * peakMib <= GOOD_PCT * gpu.reportedMib;
      const wouldBePct = (busyPct * now.bf16Tflops) / gpu.bf16Tflops;
      const isCheaper = quote.micros < (best?.found.quote.micros ?? priceMicros);
      if (quote.gpus === gpus && gpu.key !== now.key && holds && wouldBePct <= MOST_BUSY_PCT && isCheaper)
        best = { found, wouldBePct };
    }
    return best && offered(best.found, now, peakMib, best.wouldBePct);
  };
}

function offered({ quote, gpu, state }: Candidate, now: PlanGpu, peakMib: number, wouldBePct: number): OtherPrice {
  const usedPct = Math.round((100 * peakMib) / gpu.reportedMib);
  const words = [`memory at most ${usedPct} % full, about ${Math.round(wouldBePct)} % busy`];
  if (gpu.architecture !== now.architecture) words.push(`needs ${ARCHITECTURE_WORDS[gpu.architecture]} images`);
  const { provider, typeName, micros, asOf, source } = quote;
  return { provider, typeName, micros, asOf, source, state, remark: words.join("; ") };
}
