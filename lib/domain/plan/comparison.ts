import { type Decimal, decimalText, over, plus, signedPct, times } from "@/lib/domain/cost/decimal";
import { type Micros, roundHalfAway } from "@/lib/domain/cost/money";
import { groupBy } from "@/lib/domain/group";
import { ARCHITECTURE_WORDS, type Board, gpuKind, kindName } from "./gpu-kind";
import { type Firmness, firmness, perGpu, type Quote, stateOf } from "./quotes";

/** What is to be priced: so many GPUs of one model and size for so many hours, and what belongs to them. */
export type Need = {
  model: string;
  memoryGb: number;
  /** Null: any board of the model. */
  board: Board | null;
  gpus: number;
  hours: Decimal;
  /** Whether machines are asked for that stay, or such as may be taken away. */
  firmness: Extract<Firmness, "firm" | "interruptible">;
  storageGib: Decimal;
  egressGb: Decimal;
  /** What storage and data out cost elsewhere; null: nobody has said, so they are in no comparison. */
  storageMicrosPerGibMonth: Micros | null;
  egressMicrosPerGb: Micros | null;
  /** What Lambda takes for a GiB kept for a month; it takes nothing for data out. Null: not known. */
  lambdaStorageMicros: Micros | null;
};

/** Like: the same card, price and kind of offer. Other: the same model, but no difference can be drawn. None: shown so that nobody has to ask. */
export type Likeness = "like" | "other" | "none";

export type Offer = {
  quote: Quote;
  likeness: Likeness;
  /** What a reader must know of it, the gravest first. */
  remarks: string[];
  /** Exact, in micro-dollars. */
  perGpuHour: Decimal;
  /** Dollars of a GPU-hour by its memory, rounded to a micro-dollar; null where the memory is not said. */
  perGbHourMicros: Micros | null;
  computeMicros: Micros;
  /** With storage and data out where their prices are known for both sides. */
  totalMicros: Micros;
  /** The whole machine, where it has more GPUs than are needed; null where none is wasted. */
  wholeMicros: Micros | null;
  against: { micros: Micros; pct: string | null } | null;
  /** What the price alone differs, whatever it buys: for the formula, never for the table. */
  priceAlonePct: string | null;
};

export type Comparison = {
  /** What the others are held against: Lambda's own offer; null: Lambda sells no such card. */
  base: Offer | null;
  offers: Offer[];
  /** Storage at Lambda for the time, beside the totals; null: none asked for, or no price known. */
  lambdaStorageMicros: Micros | null;
  isStorageCompared: boolean;
  isEgressCompared: boolean;
};

const BASE_PROVIDER = "lambda";
/** Storage is billed by months of 720 hours. */
const MONTH_HOURS = 720n;

/** What a need costs by every price of its model. Totals are rounded once each, from exact prices. */
export function compareNeed(quotes: readonly Quote[], need: Need, day: string): Comparison {
  const isStorageCompared = need.storageGib.numerator > 0n && need.storageMicrosPerGibMonth !== null;
  const isEgressCompared = need.egressGb.numerator > 0n && need.egressMicrosPerGb !== null;
  const extras = (provider: string): Decimal => {
    const isBase = provider === BASE_PROVIDER;
    const storage = isBase ? need.lambdaStorageMicros : need.storageMicrosPerGibMonth;
    const egress = isBase ? 0n : need.egressMicrosPerGb;
    return plus(
      isStorageCompared ? storageCost(need, storage ?? 0n) : whole(0n),
      isEgressCompared ? times(need.egressGb, whole(egress ?? 0n)) : whole(0n),
    );
  };
  const judged = best(quotes, need).map((quote) => judge(quote, need, day, extras(quote.provider)));
  const base = baseOf(judged, need);
  const offers = judged
    .map((offer) => held(offer, base))
    .sort(
      (a, b) =>
        rank(a) - rank(b) || Number(b.quote.origin === "live") - Number(a.quote.origin === "live") || byCost(a, b),
    );
  return {
    base: base && (offers.find(({ quote }) => quote === base.quote) ?? null),
    offers,
    lambdaStorageMicros:
      need.storageGib.numerator > 0n && need.lambdaStorageMicros !== null
        ? micros(storageCost(need, need.lambdaStorageMicros))
        : null,
    isStorageCompared,
    isEgressCompared,
  };
}

/** Of each provider's machines of one card and kind of offer, the one that wastes the fewest GPUs; of equals the cheaper. */
function best(quotes: readonly Quote[], need: Need): Quote[] {
  const same = quotes.filter(({ gpu }) => gpuKind(gpu).model === need.model);
  const key = ({ provider, gpu, gpuMemoryGb, tier, unit, status, region, typeName }: Quote) =>
    [provider, gpuKind(gpu).board, gpuMemoryGb, tier, unit, status, region, status === "rejected" && typeName].join(
      "|",
    );
  return [...groupBy(same, key).values()].flatMap((alike) => {
    const [first] = [...alike].sort(
      (a, b) => spare(a, need) - spare(b, need) || (isLess(perGpu(a), perGpu(b)) ? -1 : 1),
    );
    return first ? [first] : [];
  });
}

function spare({ unit, gpus }: Quote, need: Need): number {
  if (unit !== "instance" || gpus < 1) return 0;
  return Math.ceil(need.gpus / gpus) * gpus - need.gpus;
}

function judge(quote: Quote, need: Need, day: string, extra: Decimal): Offer {
  const { board, architecture } = gpuKind(quote.gpu);
  const kind = firmness(quote.tier);
  const price = perGpu(quote);
  const compute = times(times(price, need.hours), whole(BigInt(need.gpus)));
  const idle = spare(quote, need);
  const isPart = quote.unit === "gpu_component";
  const none = [
    quote.status === "rejected" && `rejected: ${(quote.note || "no reason kept").replace(/\.$/, "")}`,
    kind === "statistic" && "the middle of several offers: nobody sells at it",
    kind === "reserved" && "paid for a year or more, used or not",
    kind !== need.firmness && kind === "interruptible" && "spot: may be taken away at any time",
    kind !== need.firmness && kind === "firm" && "stays until it is ended, so no match for spot",
    isPart && "the GPU alone: CPU and memory are billed beside it",
  ].filter((word) => word !== false);
  const other = [
    quote.gpuMemoryGb === null && "size of memory not stated",
    quote.gpuMemoryGb !== null && quote.gpuMemoryGb !== need.memoryGb && memoryWords(quote.gpuMemoryGb, need.memoryGb),
    need.board !== null && board !== null && board !== need.board && `${board}, not ${need.board}`,
  ].filter((word) => word !== false);
  const also = [
    idle > 0 && `sold by ${quote.gpus}`,
    board !== null && need.board === null && board,
    architecture === "arm64" && ARCHITECTURE_WORDS.arm64,
    quote.origin === "live" && "Lambda’s own list",
  ].filter((word) => word !== false);
  const machines = BigInt(Math.ceil(need.gpus / Math.max(quote.gpus, 1)));
  return {
    quote,
    likeness: none.length > 0 || stateOf(quote, day) === "rejected" ? "none" : other.length > 0 ? "other" : "like",
    remarks: none.length > 0 ? none.slice(0, 1) : [...other, ...also],
    perGpuHour: price,
    perGbHourMicros: quote.gpuMemoryGb === null ? null : micros(dividedBy(price, quote.gpuMemoryGb)),
    computeMicros: micros(compute),
    totalMicros: micros(plus(compute, extra)),
    wholeMicros: idle > 0 ? micros(times(whole(quote.micros * machines), need.hours)) : null,
    against: null,
    priceAlonePct: null,
  };
}

function memoryWords(has: number, wanted: number): string {
  if (has === 2 * wanted) return `${has} GB, twice the memory`;
  return has > wanted ? `${has} GB, more memory` : `${has} GB, less memory`;
}

/** Lambda's like offer that fits best: no GPU wasted, then the cheapest per GPU. */
function baseOf(offers: readonly Offer[], need: Need): Offer | null {
  const [first] = offers
    .filter(({ quote, likeness }) => quote.provider === BASE_PROVIDER && likeness === "like")
    .sort((a, b) => spare(a.quote, need) - spare(b.quote, need) || byCost(a, b));
  return first ?? null;
}

function held(offer: Offer, base: Offer | null): Offer {
  if (base === null || offer.quote === base.quote) return offer;
  const difference = plus(offer.perGpuHour, { ...base.perGpuHour, numerator: -base.perGpuHour.numerator });
  const share = over(difference, base.perGpuHour);
  const change = offer.totalMicros - base.totalMicros;
  return {
    ...offer,
    priceAlonePct: share && signedPct(share.numerator, share.denominator, 1),
    against: offer.likeness === "like" ? { micros: change, pct: signedPct(change, base.totalMicros, 1) } : null,
  };
}

const RANKS: Record<Likeness, number> = { like: 0, other: 1, none: 2 };

function rank({ likeness, quote }: Offer): number {
  return RANKS[likeness] * 2 + Number(quote.status === "rejected");
}

function byCost(a: Offer, b: Offer): number {
  return isLess(a.perGpuHour, b.perGpuHour) ? -1 : isLess(b.perGpuHour, a.perGpuHour) ? 1 : 0;
}

/** What is compared, in words: "A100 40 GB, on demand". */
export function needWords({ model, memoryGb, board, firmness: kind }: Need): string {
  return `${kindName(model, memoryGb)}${board ? ` ${board}` : ""}, ${kind === "firm" ? "on demand" : "spot"}`;
}

/** A GiB for hours at a price of a month of 720 hours. */
function storageCost({ storageGib, hours }: Need, microsPerGibMonth: Micros): Decimal {
  const amount = times(times(storageGib, hours), whole(microsPerGibMonth));
  return { ...amount, denominator: amount.denominator * MONTH_HOURS };
}

/** Memory sizes are whole or halves: 96, 141, 22.5. */
function dividedBy(value: Decimal, by: number): Decimal {
  const [units = "1", fraction = ""] = String(by).split(".");
  return {
    numerator: value.numerator * 10n ** BigInt(fraction.length),
    denominator: value.denominator * BigInt(units + fraction),
  };
}

function whole(numerator: bigint): Decimal {
  return { numerator, denominator: 1n };
}

function micros({ numerator, denominator }: Decimal): Micros {
  return roundHalfAway(numerator, denominator);
}

export function isLess(a: Decimal, b: Decimal): boolean {
  return a.numerator * b.denominator < b.numerator * a.denominator;
}

/** Dollars of a price in micro-dollars, to so many digits: "2.745". */
export function dollarsText(price: Decimal, digits: number): string {
  return decimalText(price.numerator, price.denominator * 1_000_000n, digits);
}
