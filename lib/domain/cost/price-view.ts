import { z } from "zod";
import type { LooseCharge } from "./allocation";
import type { PriceMode, PriceSource, PriceTier, PriceUnit } from "./price-book";

export const PricesQuestion = z.object({});

/** One interval that was ever written down. Money in micro-dollars, as text. */
export type PriceLine = {
  id: number;
  sku: string;
  region: string;
  unit: PriceUnit;
  tier: PriceTier;
  source: PriceSource;
  micros: string;
  from: number;
  to: number | null;
  recordedAt: number;
  /** When another belief took its place; null: it is believed. */
  supersededAt: number | null;
  isInForce: boolean;
  note: string;
  by: string | null;
};

export type PriceChangeLine = {
  sku: string;
  region: string;
  tier: PriceTier;
  source: PriceSource;
  beforeMicros: string;
  micros: string;
  at: number;
};

export type ChargeLine = {
  id: string;
  kind: LooseCharge;
  fromDay: string;
  toDay: string;
  micros: string;
  description: string;
  owner: string;
  invoice: string | null;
  by: string | null;
};

export type CommitmentLine = {
  id: string;
  name: string;
  sku: string;
  region: string;
  count: number;
  from: number;
  to: number;
  upfrontMicros: string;
  weeklyMicros: string;
  rateMicros: string;
  owner: string;
  note: string;
  /** Paid so far, and of what was used up of it: on covered minutes, and unused. */
  paidMicros: string;
  usedMicros: string;
  unusedMicros: string;
  coveredMinutes: number;
};

export type PricesAnswer = {
  now: number;
  zone: string;
  mode: PriceMode;
  prices: PriceLine[];
  /** Changes of the last year, the newest first. */
  changes: PriceChangeLine[];
  charges: ChargeLine[];
  commitments: CommitmentLine[];
  /** Types of machines that bill at a price nobody knows. */
  unpriced: { sku: string; region: string; machines: number }[];
  /** Types that are known, for the forms. */
  skus: string[];
  regions: string[];
};

/** What an imported file would write. */
export type PricePreview = {
  lines: {
    line: number;
    sku: string;
    region: string;
    unit: PriceUnit;
    tier: PriceTier;
    micros: string;
    from: number;
    to: number | null;
    /** What is believed at its beginning; null: nothing. */
    beforeMicros: string | null;
  }[];
  errors: { line: number; message: string }[];
};
