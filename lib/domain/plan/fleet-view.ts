import { decimalText } from "@/lib/domain/cost/decimal";
import type { Micros } from "@/lib/domain/cost/money";
import { formatPercentChange, formatUsd, formatUsdChange } from "@/lib/domain/format";
import { rate, usdNumber } from "./compare-view";
import type { MovedFleet, MovedUse } from "./elsewhere";
import { type Figure, figure } from "./formula";
import { sumFigure } from "./price-figures";
import { type QuoteView, quoteView } from "./quote-view";

/** A month's use of one instance type, and the same elsewhere. */
export type MovedView = {
  typeName: string;
  gpu: string;
  hours: string;
  micros: string | null;
  offer: QuoteView | null;
  elsewhere: Figure | null;
  change: Figure | null;
};

export function movedView(moved: MovedUse, day: string): MovedView {
  const { offer, elsewhereMicros, changeMicros, micros, gpuMinutes } = moved;
  const rateOf = offer && {
    quote: offer,
    perGpuHour: { numerator: offer.micros, denominator: offer.unit === "instance" ? BigInt(offer.gpus) : 1n },
  };
  return {
    typeName: moved.typeName,
    gpu: moved.gpu,
    hours: decimalText(BigInt(moved.minutes), 60n, 1),
    micros: micros === null ? null : micros.toString(),
    offer: offer && quoteView(offer, day, true),
    elsewhere:
      rateOf && elsewhereMicros !== null
        ? figure({
            name: "Would cost",
            value: formatUsd(elsewhereMicros),
            amount: usdNumber(elsewhereMicros),
            formula: "{rate} × {minutes} ÷ 60",
            numbers: [
              rate("rate", "price of a GPU-hour there", rateOf),
              {
                key: "minutes",
                name: "GPU-minutes billed",
                value: gpuMinutes.toLocaleString("en-US"),
                amount: gpuMinutes,
                source: { label: "ledger", href: "/cost" },
              },
            ],
          })
        : null,
    change:
      elsewhereMicros !== null && changeMicros !== null && micros !== null
        ? changeFigure(elsewhereMicros, micros, changeMicros)
        : null,
  };
}

function changeFigure(there: Micros, here: Micros, change: Micros): Figure {
  const pct = here === 0n ? null : Number((change * 1_000n) / here) / 10;
  return figure({
    name: "Change",
    value: formatUsdChange(change),
    amount: usdNumber(change),
    formula: "{there} − {here}",
    numbers: [
      { key: "there", name: "elsewhere", value: formatUsd(there), amount: usdNumber(there) },
      { key: "here", name: "at Lambda, by the ledger", value: formatUsd(here), amount: usdNumber(here) },
    ],
    notes: pct === null ? [] : [`${formatPercentChange(pct)} of what it cost at Lambda.`],
  });
}

export function fleetChange({ comparedMicros, elsewhereMicros, changeMicros }: MovedFleet): Figure {
  return changeFigure(elsewhereMicros, comparedMicros, changeMicros);
}

/** What the compared part cost, and what it would have cost, row by row. */
export function fleetSums({ rows, comparedMicros, elsewhereMicros }: MovedFleet): {
  compared: Figure;
  elsewhere: Figure;
} {
  const compared = rows.filter(({ changeMicros }) => changeMicros !== null);
  const parts = (of: (row: MovedUse) => Micros | null) =>
    compared.map((row) => ({ name: row.typeName, micros: (of(row) ?? 0n).toString() }));
  return {
    compared: sumFigure(
      "Compared part, by the ledger",
      comparedMicros.toString(),
      parts(({ micros }) => micros),
    ),
    elsewhere: sumFigure(
      "Compared part, elsewhere",
      elsewhereMicros.toString(),
      parts((row) => row.elsewhereMicros),
    ),
  };
}
