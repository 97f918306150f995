import { hoursCost } from "@/lib/domain/cost/commitment";
import { type Decimal, parseDecimal } from "@/lib/domain/cost/decimal";
import type { Micros } from "@/lib/domain/cost/money";
import { formatPercent, formatUsd } from "@/lib/domain/format";
import { type Figure, figure } from "./formula";
import { plain } from "./numbers";
import { costAfterSaving } from "./savings";
import { earlyStopPct } from "./simulate";

/** The run of the provisioning review: ten epochs of 1.2 h at $1.29, and the savings that a rule of at most 5 epochs was promised. */
export const STATED_RUN = {
  hours: "12",
  usdPerHour: "1.29",
  epochs: 10,
  atLeast: 2,
  atMost: 5,
  promisedPct: [30, 51],
} as const;

export type EarlyLine = {
  words: string;
  savedPct: number;
  /** Null: the share is a promise, not a sum. */
  saved: Figure | null;
  leftMicros: Micros;
  isPossible: boolean;
  figure: Figure;
};

/** What is left to pay at savings that were promised and at those that can be, with equal epochs. */
export function earlyLines(): EarlyLine[] {
  const { hours, usdPerHour, epochs, atLeast, atMost } = STATED_RUN;
  const whole = hoursCost(parseDecimal(hours), microsOf(parseDecimal(usdPerHour)));
  const { leastPct, mostPct } = earlyStopPct(epochs, atMost, atLeast);
  const [low, high] = STATED_RUN.promisedPct;
  const line = (words: string, savedPct: number, run?: number): EarlyLine => {
    const leftMicros = costAfterSaving(whole, parseDecimal(String(savedPct)));
    return {
      words,
      savedPct,
      saved: run === undefined ? null : savedFigure(run, savedPct),
      leftMicros,
      isPossible: savedPct >= leastPct && savedPct <= mostPct,
      figure: figure({
        name: `A run of ${hours} h, ${savedPct} % saved`,
        value: formatUsd(leftMicros),
        amount: Number(leftMicros) / 1e6,
        formula: "{hours} × {price} × (100 − {saved}) ÷ 100",
        numbers: [
          { key: "hours", name: "hours of the whole run", value: `${hours} h`, amount: Number(hours) },
          {
            key: "price",
            name: "price of an hour",
            value: `$${usdPerHour}`,
            amount: Number(usdPerHour),
            source: { label: "Provisioning guide review", asOf: "2025-10-30" },
          },
          { key: "saved", name: "saved, per cent", value: String(savedPct), amount: savedPct },
        ],
        notes: [
          `With at most ${atMost} and at least ${atLeast} of ${epochs} equal epochs ${leastPct} to ${mostPct} % are saved.`,
        ],
      }),
    };
  };
  return [
    line("the lowest that was promised", low),
    line(`${atMost} of ${epochs} epochs, the most that the rule runs`, leastPct, atMost),
    line("the highest that was promised", high),
    line(`${atLeast} of ${epochs} epochs, the fewest`, mostPct, atLeast),
  ];
}

function savedFigure(run: number, savedPct: number): Figure {
  return figure({
    name: `Saved by ${run} of ${STATED_RUN.epochs} equal epochs`,
    value: formatPercent(savedPct),
    amount: savedPct,
    formula: "({epochs} − {run}) ÷ {epochs} × 100",
    numbers: [plain("epochs", "epochs of the whole run", STATED_RUN.epochs), plain("run", "epochs that are run", run)],
  });
}

function microsOf({ numerator, denominator }: Decimal): Micros {
  return (numerator * 1_000_000n) / denominator;
}
