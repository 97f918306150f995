import { z } from "zod";
import { type Decimal, decimalText, exactText } from "@/lib/domain/cost/decimal";
import type { Micros } from "@/lib/domain/cost/money";
import { formatUsd, formatUsdChange, MINUS, NBSP } from "@/lib/domain/format";
import { groupBy } from "@/lib/domain/group";
import { type Comparison, dollarsText, type Likeness, type Need, type Offer } from "./comparison";
import type { MovedView } from "./fleet-view";
import { type Figure, type FigureNumber, figure } from "./formula";
import { gpuKind, kindName } from "./gpu-kind";
import { type QuoteView, quoteView, sourceOf } from "./quote-view";
import type { Quote } from "./quotes";

const number = (most: number, standard: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,9}(\.\d{1,6})?$/)
    .refine((text) => Number(text) <= most)
    .catch(standard);
const priced = z
  .string()
  .trim()
  .regex(/^(\d{1,5}(\.\d{1,6})?)?$/)
  .catch("")
  .default("");

export const CompareQuestion = z.object({
  what: z.enum(["job", "machine", "fleet"]).catch("job").default("job"),
  /** Model and memory of a card, "A100 40". */
  gpu: z.string().max(40).catch("A100 40").default("A100 40"),
  board: z.enum(["SXM", "PCIe", "NVL", "NVLink"]).optional().catch(undefined),
  gpus: z.coerce.number().int().min(1).max(1_024).catch(1).default(1),
  hours: number(100_000, "12").default("12"),
  storage: number(1_000_000, "0").default("0"),
  egress: number(1_000_000, "0").default("0"),
  /** What elsewhere takes for a GiB kept for a month, and for a GB sent out; empty: nobody has said. */
  storageUsd: priced,
  egressUsd: priced,
  tier: z.enum(["firm", "spot"]).catch("firm").default("firm"),
  /** A machine of Lambda. */
  type: z.string().max(60).catch("gpu_1x_gh200").default("gpu_1x_gh200"),
  /** Prices as they were known on a day. */
  on: z.iso.date().optional().catch(undefined),
  /** Where last month's fleet would move; empty: to the cheapest like offer of each. */
  to: z.string().max(60).catch("").default(""),
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
    .optional()
    .catch(undefined),
});
export type CompareQuestion = z.output<typeof CompareQuestion>;

export type OfferView = {
  quote: QuoteView;
  likeness: Likeness;
  isBase: boolean;
  remarks: string[];
  /** Dollars of a GPU-hour, three digits. */
  perGpuUsd: string;
  total: Figure;
  totalMicros: string;
  against: Figure | null;
  perGb: Figure | null;
  whole: Figure | null;
};

export type CompareAnswer = {
  now: number;
  zone: string;
  day: string;
  today: string;
  what: CompareQuestion["what"];
  /** What is priced, in words. */
  words: string;
  /** What can be asked for. */
  kinds: { key: string; name: string; offers: number }[];
  types: { name: string; gpu: string }[];
  providers: { key: string; name: string }[];
  /** Null for a fleet. */
  comparison: {
    hasBase: boolean;
    offers: OfferView[];
    lambdaStorage: Figure | null;
    /** What is in no total, and why. */
    left: string[];
  } | null;
  /** Null for a machine or a job. */
  fleet: {
    month: string;
    months: string[];
    rows: MovedView[];
    comparedMicros: string;
    elsewhereMicros: string;
    changeMicros: string;
    change: Figure;
    /** Sums of the rows that have a like offer. */
    compared: Figure;
    elsewhere: Figure;
    coveredPct: string | null;
    /** Used prices that are stale. */
    stale: number;
    used: number;
    unknownRows: number;
  } | null;
};

export const usdNumber = (micros: Micros) => Number(micros) / 1e6;
const hoursWords = (hours: Decimal) => `${textOf(hours, 2)}${NBSP}h`;
const amountOf = ({ numerator, denominator }: Decimal) => Number(numerator) / Number(denominator);

function textOf(value: Decimal, digits: number): string {
  try {
    return exactText(value);
  } catch {
    return decimalText(value.numerator, value.denominator, digits);
  }
}

export function rate(
  key: string,
  name: string,
  { quote, perGpuHour }: Pick<Offer, "quote" | "perGpuHour">,
): FigureNumber {
  const isShare = quote.unit === "instance" && quote.gpus > 1;
  return {
    key,
    name: isShare ? `${name}, ${dollars(quote.micros)} ÷ ${quote.gpus}` : name,
    value: `$${dollarsText(perGpuHour, 4).replace(/0{1,2}$/, "")}`,
    amount: amountOf(perGpuHour) / 1e6,
    source: sourceOf(quote),
  };
}

function dollars(micros: Micros): string {
  return `$${decimalText(micros, 1_000_000n, 4).replace(/0{1,2}$/, "")}`;
}

export function offerView(offer: Offer, comparison: Comparison, need: Need, day: string): OfferView {
  const { quote, likeness, perGpuHour, totalMicros } = offer;
  const { base } = comparison;
  const view = quoteView(quote, day, true);
  return {
    quote: view,
    likeness,
    isBase: offer === base,
    remarks: offer.remarks,
    perGpuUsd: dollarsText(perGpuHour, 3),
    total: totalFigure(offer, comparison, need),
    totalMicros: totalMicros.toString(),
    against: base === null || offer === base ? null : againstFigure(offer, base),
    perGb: offer.perGbHourMicros === null ? null : perGbFigure(offer),
    whole:
      offer.wholeMicros === null
        ? null
        : figure({
            name: "The whole machine",
            value: formatUsd(offer.wholeMicros),
            amount: usdNumber(offer.wholeMicros),
            formula: "{price} × {machines} × {hours}",
            numbers: [
              {
                key: "price",
                name: "price of the machine",
                value: dollars(quote.micros),
                amount: usdNumber(quote.micros),
                source: sourceOf(quote),
              },
              machines(quote, need),
              { key: "hours", name: "hours", value: hoursWords(need.hours), amount: amountOf(need.hours) },
            ],
            notes: [`It is sold with ${quote.gpus} GPUs, so the rest is paid too unless something else runs on it.`],
          }),
  };
}

function machines({ gpus }: Quote, need: Need): FigureNumber {
  const count = Math.ceil(need.gpus / Math.max(gpus, 1));
  return { key: "machines", name: "machines", value: String(count), amount: count };
}

function totalFigure(offer: Offer, { isStorageCompared, isEgressCompared }: Comparison, need: Need): Figure {
  const { quote, totalMicros } = offer;
  const isLambda = quote.provider === "lambda";
  const storageMicros = isLambda ? need.lambdaStorageMicros : need.storageMicrosPerGibMonth;
  const egressMicros = isLambda ? 0n : need.egressMicrosPerGb;
  const storage: FigureNumber[] = isStorageCompared
    ? [
        { key: "storage", name: "GiB kept", value: textOf(need.storageGib, 2), amount: amountOf(need.storageGib) },
        {
          key: "gib",
          name: "price of a GiB for 720 h",
          value: dollars(storageMicros ?? 0n),
          amount: usdNumber(storageMicros ?? 0n),
        },
      ]
    : [];
  const egress: FigureNumber[] = isEgressCompared
    ? [
        { key: "egress", name: "GB sent out", value: textOf(need.egressGb, 2), amount: amountOf(need.egressGb) },
        {
          key: "gb",
          name: "price of a GB sent out",
          value: dollars(egressMicros ?? 0n),
          amount: usdNumber(egressMicros ?? 0n),
        },
      ]
    : [];
  return figure({
    name: "Cost",
    value: formatUsd(totalMicros),
    amount: usdNumber(totalMicros),
    formula: `{rate} × {gpus} × {hours}${isStorageCompared ? " + {storage} × {gib} × {hours} ÷ 720" : ""}${isEgressCompared ? " + {egress} × {gb}" : ""}`,
    numbers: [
      rate("rate", "price of a GPU-hour", offer),
      { key: "gpus", name: "GPUs", value: String(need.gpus), amount: need.gpus },
      { key: "hours", name: "hours", value: hoursWords(need.hours), amount: amountOf(need.hours) },
      ...storage,
      ...egress,
    ],
    notes: [
      ...(quote.note ? [quote.note] : []),
      "Hours and price are stated apart: a run that stops early has fewer hours, not a lower price.",
    ],
  });
}

/** Only of like offers; of others the price alone, which says that it is not the same thing. */
function againstFigure(offer: Offer, base: Offer): Figure | null {
  const { against, priceAlonePct, likeness } = offer;
  if (likeness === "like" && against) {
    return figure({
      name: "Against Lambda",
      value: formatUsdChange(against.micros),
      amount: usdNumber(against.micros),
      formula: "{there} − {here}",
      numbers: [
        {
          key: "there",
          name: "there",
          value: formatUsd(offer.totalMicros),
          amount: usdNumber(offer.totalMicros),
          source: sourceOf(offer.quote),
        },
        {
          key: "here",
          name: "at Lambda",
          value: formatUsd(base.totalMicros),
          amount: usdNumber(base.totalMicros),
          source: sourceOf(base.quote),
        },
      ],
      notes: against.pct === null ? [] : [`${signed(against.pct)} of what Lambda costs.`],
    });
  }
  if (priceAlonePct === null) return null;
  return figure({
    name: "Price alone",
    value: signed(priceAlonePct),
    amount: Number(priceAlonePct),
    formula: "({there} − {here}) ÷ {here} × 100",
    numbers: [rate("there", "price of a GPU-hour there", offer), rate("here", "price of a GPU-hour at Lambda", base)],
    notes: [`Not like with like: ${offer.remarks[0] ?? "another thing"}. It is no saving and no loss.`],
  });
}

function perGbFigure({ quote, perGpuHour, perGbHourMicros }: Offer): Figure {
  const micros = perGbHourMicros ?? 0n;
  return figure({
    name: "Dollars of a GB of GPU memory for an hour",
    value: `$${decimalText(micros, 1_000_000n, 4)}`,
    amount: usdNumber(micros),
    formula: "{rate} ÷ {memory}",
    numbers: [
      rate("rate", "price of a GPU-hour", { quote, perGpuHour }),
      {
        key: "memory",
        name: "memory of the GPU",
        value: `${quote.gpuMemoryGb ?? 0}${NBSP}GB`,
        amount: quote.gpuMemoryGb ?? 0,
      },
    ],
  });
}

/** "-46.5" as people read it: "−46.5 %". */
export function signed(pct: string): string {
  return `${pct.replace("-", MINUS)}\u202f%`;
}

export function lambdaStorageFigure({ lambdaStorageMicros }: Comparison, need: Need): Figure | null {
  if (lambdaStorageMicros === null || need.lambdaStorageMicros === null) return null;
  return figure({
    name: "Storage at Lambda",
    value: formatUsd(lambdaStorageMicros),
    amount: usdNumber(lambdaStorageMicros),
    formula: "{storage} × {gib} × {hours} ÷ 720",
    numbers: [
      { key: "storage", name: "GiB kept", value: textOf(need.storageGib, 2), amount: amountOf(need.storageGib) },
      {
        key: "gib",
        name: "price of a GiB for 720 h",
        value: dollars(need.lambdaStorageMicros),
        amount: usdNumber(need.lambdaStorageMicros),
      },
      { key: "hours", name: "hours", value: hoursWords(need.hours), amount: amountOf(need.hours) },
    ],
    notes: ["A month of storage has 720 hours, whatever the calendar says."],
  });
}

/** Cards that somebody sells, those with the most offers first. */
export function kindsOf(quotes: readonly Quote[]): CompareAnswer["kinds"] {
  const sized = quotes.filter(({ gpuMemoryGb, status }) => gpuMemoryGb !== null && status !== "rejected");
  const byKind = groupBy(sized, ({ gpu, gpuMemoryGb }) => `${gpuKind(gpu).model} ${gpuMemoryGb}`);
  return [...byKind.entries()]
    .flatMap(([key, offers]) => {
      const [first] = offers;
      return first ? [{ key, name: kindName(gpuKind(first.gpu).model, first.gpuMemoryGb), offers: offers.length }] : [];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
