import { z } from "zod";
import type { ProviderTargets } from "./targets";

export const MixQuestion = z.object({
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
    .optional()
    .catch(undefined),
});
export type MixQuestion = z.output<typeof MixQuestion>;

export type MixLine = {
  provider: string;
  name: string;
  micros: string | null;
  targetPct: number | null;
  sharePermille: number | null;
  offPermille: number | null;
  moveMicros: string | null;
  /** Lambda's is of the ledger; others' of a person or a file. */
  source: string;
};

export type MixAnswer = {
  now: number;
  month: string;
  months: string[];
  /** The month runs still. */
  isRunning: boolean;
  targets: ProviderTargets;
  targetsText: string;
  parts: MixLine[];
  totalMicros: string;
  isPartial: boolean;
  /** Rows of Lambda's without a price: its share is too small. */
  unknownRows: number;
  /** What was typed or imported, the newest month first. */
  spends: {
    provider: string;
    name: string;
    month: string;
    micros: string;
    note: string;
    by: string | null;
    at: number;
  }[];
  /** Spend of the last twelve months by provider; null: no data. */
  history: { month: string; micros: Record<string, string | null> }[];
};

/** What a file of bills would write. */
export type SpendPreview = {
  lines: { line: number; provider: string; month: string; micros: string; note: string; beforeMicros: string | null }[];
  errors: { line: number; message: string }[];
};
