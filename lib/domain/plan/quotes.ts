import { groupBy } from "@/lib/domain/group";
import { gpuKind } from "./gpu-kind";

export const QUOTE_TIERS = [
  "on_demand",
  "secure",
  "community",
  "production",
  "marketplace",
  "spot",
  "median",
  "reserved_1y",
  "reserved_3y",
] as const;
export type QuoteTier = (typeof QUOTE_TIERS)[number];

export const QUOTE_UNITS = ["instance", "gpu", "gpu_component"] as const;
export type QuoteUnit = (typeof QUOTE_UNITS)[number];

export const QUOTE_STATUSES = ["claimed", "confirmed", "rejected"] as const;
export type QuoteStatus = (typeof QUOTE_STATUSES)[number];

/** One price of one thing at one provider on one day, by one source. */
export type Quote = {
  id: string;
  provider: string;
  typeName: string;
  /** Empty: the source names none. */
  region: string;
  tier: QuoteTier;
  unit: QuoteUnit;
  /** As the source writes it. */
  gpu: string;
  /** In the machine that is sold; a price per GPU is of one of them. */
  gpus: number;
  gpuMemoryGb: number | null;
  vcpus: number | null;
  memoryGib: number | null;
  /** Per hour of the unit. */
  micros: bigint;
  status: QuoteStatus;
  source: string;
  /** The day it was read, YYYY-MM-DD; null: the source says none. */
  asOf: string | null;
  note: string;
  origin: "live" | "entered" | "bundled";
};

/** A price is stale when it is older than this, or of no known day. */
export const STALE_DAYS = 30;
const DAY_MS = 86_400_000;

/** Whole days from its day to another; null: it has none. */
export function ageDays(asOf: string | null, day: string): number | null {
  return asOf === null ? null : Math.round((Date.parse(day) - Date.parse(asOf)) / DAY_MS);
}

export type QuoteState = "live" | "confirmed" | "claimed" | "stale" | "rejected";

/** What a reader is told of it: a rejected price stays rejected, and age comes before what was once confirmed. */
export function stateOf(quote: Pick<Quote, "status" | "asOf" | "origin">, day: string): QuoteState {
  if (quote.status === "rejected") return "rejected";
  if (quote.origin === "live") return "live";
  const age = ageDays(quote.asOf, day);
  return age === null || age > STALE_DAYS ? "stale" : quote.status;
}

/** Whether a machine at this price is kept until its owner ends it, may be taken away, or is a statistic that nobody sells. */
export type Firmness = "firm" | "interruptible" | "reserved" | "statistic";

export function firmness(tier: QuoteTier): Firmness {
  if (tier === "spot") return "interruptible";
  if (tier === "median") return "statistic";
  return tier === "reserved_1y" || tier === "reserved_3y" ? "reserved" : "firm";
}

const PROVIDERS: Readonly<Record<string, string>> = {
  lambda: "Lambda",
  aws: "AWS",
  azure: "Azure",
  gcp: "Google Cloud",
  oci: "Oracle Cloud",
  runpod: "RunPod",
  coreweave: "CoreWeave",
  tensordock: "TensorDock",
  "thunder-compute": "Thunder Compute",
  vultr: "Vultr",
  verda: "Verda",
  nebius: "Nebius",
  vast: "Vast.ai",
  spheron: "Spheron",
  hyperstack: "Hyperstack",
  crusoe: "Crusoe",
  digitalocean: "DigitalOcean",
};

/** The name people know; a provider that was typed is shown as it was typed. */
export function providerName(provider: string): string {
  return PROVIDERS[provider] ?? provider;
}

/** One key for the ways in which a provider is written: "Google Cloud", "google-cloud" and "gcp" are the same. */
export function providerKey(text: string): string {
  const plain = text.trim().toLowerCase();
  const known = Object.entries(PROVIDERS).find(([key, name]) => key === plain || name.toLowerCase() === plain);
  return known?.[0] ?? plain.replaceAll(/\s+/g, "-");
}

/** What one thing is, whichever source prices it. */
export function skuKey({ provider, typeName, tier, unit, gpus, gpuMemoryGb }: Quote): string {
  return [provider, typeName.toLowerCase(), tier, unit, gpus, gpuMemoryGb ?? "?"].join("|");
}

/**
 * The book as it stood on a day: of each thing the newest price that was known, one for each region that is named. A price
 * without a region gives way to a newer one of any region, one without a day to any that has one. What was rejected stays to
 * be seen and takes nobody's place.
 */
export function bookOn(quotes: readonly Quote[], day: string): Quote[] {
  const known = quotes.filter(({ asOf }) => asOf === null || asOf <= day);
  const rejected = known.filter(({ status }) => status === "rejected");
  const good = known.filter(({ status }) => status !== "rejected");
  const standing = [...groupBy(good, skuKey).values()].flatMap((same) => {
    const newest = [...same].sort(newer);
    const regions = new Set<string>();
    return newest.filter(({ region }, i) => {
      if (regions.has(region) || (region === "" && i > 0)) return false;
      // A price for every region stands above older ones of single regions.
      if (regions.has("")) return false;
      regions.add(region);
      return true;
    });
  });
  return [...standing, ...rejected];
}

/** The newest first: what is live, then by day, then what people entered, then what costs less. */
function newer(a: Quote, b: Quote): number {
  const rank = ({ origin }: Quote) => (origin === "live" ? 0 : 1);
  const hand = ({ origin }: Quote) => (origin === "entered" ? 0 : 1);
  const day = (b.asOf ?? "").localeCompare(a.asOf ?? "");
  return rank(a) - rank(b) || day || hand(a) - hand(b) || (a.micros < b.micros ? -1 : 1);
}

/** What a GPU of it costs for an hour, as an exact fraction of micro-dollars. */
export function perGpu({ unit, micros, gpus }: Pick<Quote, "unit" | "micros" | "gpus">): {
  numerator: bigint;
  denominator: bigint;
} {
  return { numerator: micros, denominator: unit === "instance" ? BigInt(Math.max(gpus, 1)) : 1n };
}

export type PriceDoubt = { typeName: string; provider: string; words: string; quoteId: string };

/**
 * Machines of several GPUs whose price is further than `withinPct` from so many times the machine of one GPU, by the same
 * provider, card, tier and source: one of the two is likely typed wrongly.
 */
export function multipleDoubts(quotes: readonly Quote[], withinPct = 10): PriceDoubt[] {
  const whole = quotes.filter(({ unit, tier }) => unit === "instance" && tier === "on_demand");
  const family = (quote: Quote) =>
    [
      quote.provider,
      gpuKind(quote.gpu).model,
      gpuKind(quote.gpu).board,
      quote.gpuMemoryGb,
      quote.source,
      quote.asOf,
    ].join("|");
  return [...groupBy(whole, family).values()].flatMap((same) => {
    const single = same.find(({ gpus }) => gpus === 1);
    if (!single) return [];
    return same.flatMap(({ id, gpus, micros, typeName, provider }) => {
      const right = single.micros * BigInt(gpus);
      const off = micros > right ? micros - right : right - micros;
      if (gpus === 1 || off * 100n <= right * BigInt(withinPct)) return [];
      return [
        {
          quoteId: id,
          typeName,
          provider,
          words: `${gpus} × ${usdText(single.micros)} = ${usdText(right)}, not ${usdText(micros)}`,
        },
      ];
    });
  });
}

/** A price of an hour with as many digits as it has, at least two: "$2.29", "$29.384". */
export function usdText(micros: bigint): string {
  const digits = micros.toString().padStart(7, "0");
  return `$${digits.slice(0, -6)}.${digits.slice(-6).replace(/0+$/, "").padEnd(2, "0")}`;
}
