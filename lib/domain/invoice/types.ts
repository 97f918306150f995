import type { Micros } from "@/lib/domain/cost/money";

export const LINE_KINDS = ["usage", "storage", "commitment", "credit", "tax", "adjustment", "rounding"] as const;
export type LineKind = (typeof LINE_KINDS)[number];

export const VARIANCE_CLASSES = [
  "price",
  "quantity",
  "missing_in_ledger",
  "missing_on_invoice",
  "tax",
  "credit",
  "timing",
  "rounding",
] as const;
export type VarianceClass = (typeof VARIANCE_CLASSES)[number];

export const VARIANCE_STATES = ["open", "accepted", "disputed", "explained"] as const;
export type VarianceState = (typeof VARIANCE_STATES)[number];

/** One line of an invoice, as it was billed. */
export type InvoiceLine = {
  /** Its place among the lines, from 1: its name for good. */
  line: number;
  charge: LineKind;
  description: string;
  /** The machine or file system as the invoice names it: by id or by name. */
  resource: string | null;
  sku: string | null;
  region: string | null;
  /** First and last day. */
  fromDay: string | null;
  toDay: string | null;
  /** Millionths of a minute; of storage, of a GiB-hour. */
  quantityMicros: bigint | null;
  /** Per hour; of storage, per GiB-month. */
  rateMicros: Micros | null;
  micros: Micros;
};

/** What the ledger holds of one day, at one price. */
export type LedgerFact = {
  resourceId: string | null;
  charge: LineKind;
  day: string;
  /** Null where the charge has none, or no price is known. */
  priceMicros: Micros | null;
  minutes: number;
  byteHours: bigint | null;
  /** Null: not known. */
  micros: Micros | null;
  lowMicros: Micros | null;
  highMicros: Micros | null;
  /** So many rows of the ledger. */
  rows: number;
  /** The charge that made it, where no resource did. */
  chargeId: string | null;
};

export type BilledResource = {
  id: string;
  kind: "instance" | "filesystem";
  externalId: string;
  /** Every name that it had in the days of the invoice. */
  names: readonly string[];
  typeName: string | null;
  region: string | null;
};
