import type { PriceSource, PriceTier, PriceUnit } from "@/lib/domain/cost/price-book";
import { EVERY_REGION } from "@/lib/domain/cost/price-book";

export const SOURCE_WORDS: Record<PriceSource, string> = {
  api: "Lambda’s list",
  instance_row: "the machine’s own row",
  manual: "by hand",
  csv: "file",
  invoice: "invoice",
};

export const TIER_WORDS: Record<PriceTier, string> = {
  on_demand: "List",
  negotiated: "Negotiated",
  committed: "Committed",
};

export const PER_WORDS: Record<PriceUnit, string> = { instance_hour: "per hour", gib_month: "per GiB and month" };

export function skuWords(sku: string): string {
  return sku === "filesystem" ? "Storage" : sku;
}

export function regionWords(region: string): string {
  return region === EVERY_REGION || region === "" ? "every region" : region;
}

/** A price with as many digits as it has, at least two: `$2.29`, `$0.1667`. */
export function priceWords(micros: string): string {
  const digits = micros.padStart(7, "0");
  const fraction = digits.slice(-6).replace(/0+$/, "").padEnd(2, "0");
  return `$${Number(digits.slice(0, -6)).toLocaleString("en-US")}.${fraction}`;
}
