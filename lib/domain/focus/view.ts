import { z } from "zod";
import { MonthQuestion } from "@/lib/domain/cost/close";
import { FOCUS_VERSIONS, type FocusVersion } from "./columns";

export const FocusQuestion = MonthQuestion.extend({ version: z.enum(FOCUS_VERSIONS).default("1.2") });
export type FocusQuestion = z.output<typeof FocusQuestion>;

/** What is said beside a file of FOCUS, which has no place for it. Amounts are dollars as text. */
export type FocusMetadata = {
  focusVersion: FocusVersion;
  dataset: "Cost and Usage";
  generator: string;
  month: string;
  accountingZone: string;
  billingPeriodBasis: "calendar_month";
  /** Closed: no row of it changes any more. */
  billingPeriodStatus: "Open" | "Closed";
  createdAt: string;
  /** The hash of the month's ledger: the same ledger, the same revision. */
  dataRevision: string;
  rows: number;
  totals: Record<"BilledCost" | "EffectiveCost" | "ListCost" | "ContractedCost", string>;
  /** Rows of the ledger whose price nobody knows: they are in no file, for nothing says that they cost nothing. */
  unknownPrices: { rows: number; minutes: number; gibHours: string; chargeKeys: string[]; isCut: boolean };
  /** Stretches of the month, and whether all that happened in them was seen. */
  recency: { timeSectors: { start: string; end: string; isComplete: boolean }[] };
  columns: { id: string; type: string; isNullable: boolean; about: string | null }[];
};
