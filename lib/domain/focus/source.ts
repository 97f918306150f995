import type { Micros } from "@/lib/domain/cost/money";

export type FocusCharge = "usage" | "storage" | "commitment" | "credit" | "tax" | "adjustment" | "rounding";

/** A row of the ledger with the words that were true of it, as an export needs them. */
export type FocusSource = {
  key: string;
  charge: FocusCharge;
  /** The accounting day it is for, and the accounting month in which it counts. */
  day: string;
  month: string;
  startsAt: number;
  endsAt: number;
  minutes: number;
  byteHours: bigint | null;
  micros: Micros | null;
  lowMicros: Micros | null;
  highMicros: Micros | null;
  /** Amortised; null: as billed. */
  effectiveMicros: Micros | null;
  isFlagged: boolean;
  correctsKey: string | null;
  /** What a charge without a resource is for. */
  note: string | null;
  priceId: number | null;
  /** Per hour or GiB-month: what is billed, without commitments, and what the price list says. Null: not known. */
  priceMicros: Micros | null;
  listPriceMicros: Micros | null;
  resource: { externalId: string; name: string | null } | null;
  region: string | null;
  type: FocusType | null;
  owner: { team: string; project: string; environment: string; costCenter: string };
  invoiceNumber: string | null;
  invoiceLine: string | null;
  commitment: FocusCommitment | null;
  account: { id: string; name: string };
};

/** An instance type; what is not known of it is null. */
export type FocusType = {
  name: string;
  gpuModel: string | null;
  gpus: number | null;
  gpuMemoryGb: number | null;
  vcpus: number | null;
  memoryGib: number | null;
};

export type FocusCommitment = {
  id: string;
  name: string;
  sku: string;
  region: string;
  /** Instance-hours that it pays for over its term; per week where it is paid by the week. */
  hours: string;
  isRecurring: boolean;
};
