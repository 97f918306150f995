import type { QuoteState, QuoteStatus, QuoteTier, QuoteUnit } from "./quotes";

export const TIER_WORDS: Record<QuoteTier, string> = {
  on_demand: "On demand",
  secure: "Secure",
  community: "Community",
  production: "Production",
  marketplace: "Marketplace",
  spot: "Spot",
  median: "Median",
  reserved_1y: "Reserved 1 year",
  reserved_3y: "Reserved 3 years",
};

export const UNIT_WORDS: Record<QuoteUnit, string> = {
  instance: "per machine",
  gpu: "per GPU",
  gpu_component: "GPU only",
};

export const STATUS_WORDS: Record<QuoteStatus, string> = {
  claimed: "Claimed",
  confirmed: "Confirmed",
  rejected: "Rejected",
};

export const STATE_WORDS: Record<QuoteState, string> = { ...STATUS_WORDS, live: "Live", stale: "Stale" };

/** `today`, `158 d ago`, `no date` */
export function ageWords(age: number | null): string {
  if (age === null) return "no date";
  return age <= 0 ? "today" : `${age} d ago`;
}
