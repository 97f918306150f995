import { z } from "zod";
import { roundHalfAway } from "@/lib/domain/cost/money";
import type { FigureSource } from "./formula";
import { type Board, gpuKind } from "./gpu-kind";
import type { ProviderView } from "./providers";
import {
  ageDays,
  type PriceDoubt,
  perGpu,
  providerName,
  type Quote,
  type QuoteState,
  type QuoteTier,
  type QuoteUnit,
  stateOf,
} from "./quotes";

/** Prices of other providers as pages and programs are answered; money is whole micro-dollars as text. */
export type QuoteView = {
  id: string;
  provider: string;
  providerName: string;
  typeName: string;
  region: string;
  tier: QuoteTier;
  unit: QuoteUnit;
  /** As the source writes it. */
  gpu: string;
  model: string;
  board: Board | null;
  architecture: "arm64" | "x86_64";
  gpus: number;
  memoryGb: number | null;
  vcpus: number | null;
  memoryGib: number | null;
  micros: string;
  perGpuMicros: string;
  /** Of a GPU-hour by its memory; null: the memory is not said. */
  perGbMicros: string | null;
  state: QuoteState;
  status: Quote["status"];
  age: number | null;
  asOf: string | null;
  source: string;
  note: string;
  origin: Quote["origin"];
  by: string | null;
  /** Whether it is what stands, or history. */
  isCurrent: boolean;
};

export function quoteView(quote: Quote & { by?: string | null }, day: string, isCurrent: boolean): QuoteView {
  const { micros, gpuMemoryGb, by = null, ...rest } = quote;
  const { model, board, architecture } = gpuKind(quote.gpu);
  const price = perGpu(quote);
  const perGpuMicros = roundHalfAway(price.numerator, price.denominator);
  const tenths = gpuMemoryGb === null ? null : BigInt(Math.round(gpuMemoryGb * 10));
  return {
    ...rest,
    providerName: providerName(quote.provider),
    model,
    board,
    architecture,
    memoryGb: gpuMemoryGb,
    micros: micros.toString(),
    perGpuMicros: perGpuMicros.toString(),
    perGbMicros: tenths ? roundHalfAway(price.numerator * 10n, price.denominator * tenths).toString() : null,
    state: stateOf(quote, day),
    age: ageDays(quote.asOf, day),
    by,
    isCurrent,
  };
}

/** Where a price comes from, as a formula names it. */
export function sourceOf({ provider, source, asOf }: Pick<Quote, "provider" | "source" | "asOf">): FigureSource {
  return { label: `${providerName(provider)}: ${source}`, asOf: asOf ?? "no date" };
}

export const QuotesQuestion = z.object({
  /** A day in the past: the book as it was known then. */
  on: z.iso.date().optional().catch(undefined),
});
export type QuotesQuestion = z.output<typeof QuotesQuestion>;

export type QuotesAnswer = {
  now: number;
  /** The accounting day of the book. */
  day: string;
  catalogueDay: string;
  quotes: QuoteView[];
  /** Machines of several GPUs whose price is not that of so many single ones. */
  doubts: PriceDoubt[];
  providers: ProviderView[];
};
