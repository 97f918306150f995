import { formatUsd, formatUsdChange, MINUS } from "@/lib/domain/format";
import { type Figure, type FigureSource, figure } from "./formula";
import { plain, rate } from "./numbers";
import { type QuoteView, sourceOf } from "./quote-view";

function dollars(micros: string, digits: number): string {
  return `$${(Number(micros) / 1e6).toFixed(digits)}`;
}

/** What a GPU of an offer costs for an hour; null where that is its price as it stands. */
export function perGpuFigure(quote: QuoteView): Figure | null {
  if (quote.unit !== "instance" || quote.gpus < 2) return null;
  return figure({
    name: "A GPU-hour of it",
    value: dollars(quote.perGpuMicros, 3),
    amount: Number(quote.perGpuMicros) / 1e6,
    formula: "{price} ÷ {gpus}",
    numbers: [
      rate("price", "price of the machine", quote.micros, sourceOf(quote)),
      plain("gpus", "GPUs in it", quote.gpus),
    ],
  });
}

/** Dollars of a GB of GPU memory for an hour; null: the memory is not said. */
export function perGbFigure(quote: QuoteView): Figure | null {
  if (quote.perGbMicros === null || quote.memoryGb === null) return null;
  const isShare = quote.unit === "instance" && quote.gpus > 1;
  return figure({
    name: "Dollars of a GB of GPU memory for an hour",
    value: dollars(quote.perGbMicros, 4),
    amount: Number(quote.perGbMicros) / 1e6,
    formula: isShare ? "{price} ÷ {gpus} ÷ {memory}" : "{price} ÷ {memory}",
    numbers: [
      rate("price", isShare ? "price of the machine" : "price of a GPU-hour", quote.micros, sourceOf(quote)),
      ...(isShare ? [plain("gpus", "GPUs in it", quote.gpus)] : []),
      plain("memory", "memory of one GPU", quote.memoryGb, " GB"),
    ],
  });
}

type Dated = { name: string; micros: string; source: FigureSource };

/** A difference of two prices in per cent of the first. */
export function changeFigure(name: string, pct: string, before: Dated, now: Dated, notes: readonly string[]): Figure {
  return figure({
    name,
    value: `${pct.replace("-", MINUS)} %`,
    amount: Number(pct),
    formula: "({now} − {before}) ÷ {before} × 100",
    numbers: [rate("now", now.name, now.micros, now.source), rate("before", before.name, before.micros, before.source)],
    notes,
  });
}

/** From how many per cent of the hours on a price that is paid for all of them is the cheaper one. */
export function breakEvenFigure(name: string, pct: string, demand: Dated, other: Dated): Figure {
  return figure({
    name,
    value: `${pct} % of hours`,
    amount: Number(pct),
    formula: "{other} ÷ {demand} × 100",
    numbers: [
      rate("other", other.name, other.micros, other.source),
      rate("demand", demand.name, demand.micros, demand.source),
    ],
    notes: ["What is committed is paid for in every hour, what is on demand in the hours that it runs."],
  });
}

/** Amounts that make a sum, each with what it is of. */
export function sumFigure(name: string, micros: string, parts: readonly { name: string; micros: string }[]): Figure {
  return figure({
    name,
    value: formatUsd(micros),
    amount: Number(micros) / 1e6,
    formula: parts.length === 0 ? "0" : parts.map((_, i) => `{part${i}}`).join(" + "),
    numbers: parts.map((part, i) => ({
      key: `part${i}`,
      name: part.name,
      value: formatUsd(part.micros),
      amount: Number(part.micros) / 1e6,
    })),
  });
}

/** One amount against another. */
export function differenceFigure(
  name: string,
  own: { name: string; micros: bigint },
  base: { name: string; micros: bigint },
): Figure {
  return figure({
    name,
    value: formatUsdChange(own.micros - base.micros),
    amount: Number(own.micros - base.micros) / 1e6,
    formula: "{own} − {base}",
    numbers: [
      { key: "own", name: own.name, value: formatUsd(own.micros), amount: Number(own.micros) / 1e6 },
      { key: "base", name: base.name, value: formatUsd(base.micros), amount: Number(base.micros) / 1e6 },
    ],
  });
}
