import { z } from "zod";
import { formatNumber, formatPercent, formatUsd, formatUsdChange, NBSP } from "@/lib/domain/format";
import { type Figure, type FigureNumber, figure } from "./formula";
import { plain, rate } from "./numbers";
import { type QuoteView, sourceOf } from "./quote-view";
import type { Quote } from "./quotes";
import type { Expected, MatrixRow, SpotAdvice, SpotDiscount, SpotWork } from "./spot";

const number = (least: number, most: number, standard: number) =>
  z.coerce.number().min(least).max(most).catch(standard).default(standard);
const maybe = (most: number) =>
  z
    .string()
    .trim()
    .regex(/^(\d{1,6}(\.\d{1,6})?)?$/)
    .refine((text) => Number(text) <= most)
    .catch("")
    .default("");

export const SpotQuestion = z.object({
  gpu: z.string().max(40).catch("A100 80").default("A100 80"),
  gpus: z.coerce.number().int().min(1).max(1_024).catch(1).default(1),
  runs: z.coerce.number().int().min(1).max(10_000).catch(4).default(4),
  hours: number(0.1, 10_000, 12),
  /** How often a machine is taken away in 24 hours of running. */
  interruptions: number(0, 1_000, 1),
  /** Minutes between checkpoints; empty: none. */
  checkpoint: maybe(100_000),
  restart: number(0, 10_000, 10),
  /** Dollars for moving the data of a session. */
  transfer: maybe(100_000),
  guaranteed: z.enum(["yes", "no"]).catch("no").default("no"),
  /** Hours until all runs must be done; empty: whenever. */
  within: maybe(100_000),
  /** Dollars of a GPU-hour that are to be counted instead of the book's. */
  firmUsd: maybe(1_000),
  spotUsd: maybe(1_000),
});
export type SpotQuestion = z.output<typeof SpotQuestion>;

export type SpotAnswer = {
  now: number;
  day: string;
  kinds: { key: string; name: string; offers: number }[];
  choice: SpotAdvice["choice"];
  because: string;
  matrix: MatrixRow[];
  /** What is counted with; null: typed by the asker, or nobody sells it. */
  firmOffer: QuoteView | null;
  spotOffer: QuoteView | null;
  hasFirm: boolean;
  hasSpot: boolean;
  onDemand: Figure;
  spot: Figure | null;
  saved: Figure | null;
  promisedPct: number | null;
  savedPct: number | null;
  interruptions: Figure | null;
  discounts: { provider: string; typeName: string; off: Figure; asOf: string | null; source: string }[];
};

const usdOf = (micros: bigint) => Number(micros) / 1e6;

export function rateText(micros: bigint): string {
  return `$${usdOf(micros)
    .toFixed(4)
    .replace(/0{1,2}$/, "")}`;
}

function shared(
  work: SpotWork,
  name: string,
  micros: bigint,
  quote: Quote | null,
  hours: string,
  each: number,
): FigureNumber[] {
  return [
    { key: "runs", name: "runs", value: String(work.runs), amount: work.runs },
    {
      key: "hours",
      name: hours,
      value: `${each.toLocaleString("en-US", { maximumFractionDigits: 2 })}${NBSP}h`,
      amount: each,
    },
    { key: "gpus", name: "GPUs", value: String(work.gpus), amount: work.gpus },
    {
      key: "price",
      name,
      value: rateText(micros),
      amount: usdOf(micros),
      source: quote ? sourceOf(quote) : { label: "typed" },
    },
  ];
}

export function onDemandFigure(work: SpotWork, expected: Expected, quote: Quote | null): Figure {
  return figure({
    name: "On demand",
    value: formatUsd(expected.micros),
    amount: usdOf(expected.micros),
    formula: "{runs} × {hours} × {gpus} × {price} + {runs} × {transfer}",
    numbers: [
      ...shared(work, "price of a GPU-hour, on demand", work.onDemandMicros, quote, "hours of a run", work.hoursPerRun),
      transfer(work),
    ],
  });
}

export function spotFigure(work: SpotWork, expected: Expected, quote: Quote | null): Figure {
  const checkpoints =
    work.checkpointMinutes === null
      ? "Without checkpoints a run begins anew each time"
      : `With a checkpoint every ${work.checkpointMinutes} min only the work since the last one is lost`;
  return figure({
    name: "Spot, with lost work",
    value: formatUsd(expected.micros),
    amount: usdOf(expected.micros),
    formula: "{runs} × {hours} × {gpus} × {price} + {runs} × (1 + {lost}) × {transfer}",
    numbers: [
      ...shared(
        work,
        "price of a GPU-hour, spot",
        work.spotMicros ?? 0n,
        quote,
        "hours that a run is expected to take",
        expected.hours,
      ),
      {
        key: "lost",
        name: "interruptions expected in a run",
        value: expected.interruptions.toLocaleString("en-US", { maximumFractionDigits: 2 }),
        amount: expected.interruptions,
      },
      transfer(work),
    ],
    notes: [
      `${checkpoints}. A stretch of s hours takes (e^(λ × s) − 1) × (1 ÷ λ + r) hours on average, with λ = ${work.interruptionsPerDay} ÷ 24 interruptions an hour and r = ${work.restartMinutes} min to begin again.`,
      "How often machines are taken away is your assumption: no provider states it, and it changes by the hour.",
    ],
  });
}

function transfer({ transferMicros }: SpotWork): FigureNumber {
  return {
    key: "transfer",
    name: "moving the data of a session",
    value: formatUsd(transferMicros),
    amount: usdOf(transferMicros),
  };
}

export function savedFigure({ onDemand, spot, savedMicros, savedPct, promisedPct }: SpotAdvice): Figure | null {
  if (spot === null || savedMicros === null) return null;
  return figure({
    name: "Saved by spot",
    value: formatUsdChange(savedMicros),
    amount: usdOf(savedMicros),
    formula: "{firm} − {spot}",
    numbers: [
      { key: "firm", name: "on demand", value: formatUsd(onDemand.micros), amount: usdOf(onDemand.micros) },
      { key: "spot", name: "spot, with lost work", value: formatUsd(spot.micros), amount: usdOf(spot.micros) },
    ],
    notes: [`${formatPercent(savedPct)} of on demand; the prices alone promise ${formatPercent(promisedPct)}.`],
  });
}

/** How often machines would be taken away in all runs, by the asker's assumption. */
export function interruptionsFigure(work: SpotWork, expected: Expected): Figure {
  const all = expected.interruptions * work.runs;
  return figure({
    name: "Interruptions to expect",
    value: formatNumber(all, 1),
    amount: all,
    formula: "{runs} × {lost}",
    numbers: [
      plain("runs", "runs", work.runs),
      plain("lost", "interruptions expected in a run", expected.interruptions),
    ],
    notes: [
      `With λ = ${work.interruptionsPerDay} ÷ 24 an hour a stretch of s hours is interrupted e^(λ × s) − 1 times on average before it is done once without; a run has one stretch between every two checkpoints.`,
    ],
  });
}

/** What spot was cheaper by, of two prices of one thing by one source on one day. */
export function discountFigure({
  pct,
  provider,
  typeName,
  source,
  asOf,
  firmMicros,
  spotMicros,
}: SpotDiscount): Figure {
  const from = sourceOf({ provider, source, asOf });
  return figure({
    name: `${typeName}: spot against on demand`,
    value: formatPercent(pct),
    amount: pct,
    formula: "({firm} − {spot}) ÷ {firm} × 100",
    numbers: [rate("firm", "on demand", firmMicros, from), rate("spot", "spot", spotMicros, from)],
  });
}
