import type { Micros } from "@/lib/domain/cost/money";
import type { BilledResource, InvoiceLine, LedgerFact, VarianceClass } from "./types";

/** What is known beside the invoice and its days; all that a line may have been meant for. */
export type MatchInput = {
  /** What is to be paid, tax and credits and all. */
  totalMicros: Micros;
  fromDay: string;
  toDay: string;
  lines: readonly InvoiceLine[];
  /** The account's ledger in the days of the invoice. */
  ledger: readonly LedgerFact[];
  resources: readonly BilledResource[];
  /** Days beside those of the invoice that no other invoice has billed. */
  beside: readonly { resourceId: string; day: string; micros: Micros }[];
  /** What is different of a resource on other invoices: theirs less ours. */
  others: readonly { resourceId: string; number: string; differenceMicros: Micros }[];
  /** Charges that were made of differences of this invoice when they were accepted, by key. */
  booked: Readonly<Record<string, string>>;
};

/** What was counted in, and what it says of the difference. */
export type Evidence = {
  label: string;
  /** Lines of the invoice. */
  lines: number[];
  resourceIds: string[];
  unit: "minute" | "gib_hour" | null;
  /** Millionths, as texts. */
  billedQuantity: string | null;
  ledgerQuantity: string | null;
  /** Micro-dollars per hour, or per GiB-month; null: more than one, or none. */
  billedRate: string | null;
  ledgerRate: string | null;
  /** Between what our meter could not tell. */
  lowMicros: string | null;
  highMicros: string | null;
  /** Whether what is billed lies within these bounds. */
  isWithinBounds: boolean | null;
  remark: string;
  chargeId: string | null;
};

export type Variance = {
  /** The same over every new matching: the class, and what it is about. */
  key: string;
  class: VarianceClass;
  line: number | null;
  resourceId: string | null;
  billedMicros: Micros | null;
  ledgerMicros: Micros | null;
  evidence: Evidence;
};

/** Differences that become a correction in the ledger when the invoice is accepted: money for time or things that it has not. */
export const BOOKABLE: ReadonlySet<VarianceClass> = new Set(["quantity", "missing_in_ledger"]);

/** What accepting a difference puts into the ledger; null: nothing. A price is put right in the price book. */
export function bookedKind({
  class: found,
  line,
}: Pick<Variance, "class" | "line">): "tax" | "credit" | "adjustment" | null {
  if (found === "tax" || found === "credit") return line === null ? null : found;
  return BOOKABLE.has(found) ? "adjustment" : null;
}

export const NO_EVIDENCE: Evidence = {
  label: "",
  lines: [],
  resourceIds: [],
  unit: null,
  billedQuantity: null,
  ledgerQuantity: null,
  billedRate: null,
  ledgerRate: null,
  lowMicros: null,
  highMicros: null,
  isWithinBounds: null,
  remark: "",
  chargeId: null,
};

export function differenceOf({ billedMicros, ledgerMicros }: Pick<Variance, "billedMicros" | "ledgerMicros">): Micros {
  return (billedMicros ?? 0n) - (ledgerMicros ?? 0n);
}
