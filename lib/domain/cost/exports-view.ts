import type { z } from "zod";
import { MonthQuestion } from "./close";

export const ExportsQuestion = MonthQuestion.partial();
export type ExportsQuestion = z.output<typeof ExportsQuestion>;

export type ExportsAnswer = {
  now: number;
  zone: string;
  month: string;
  status: "open" | "closing" | "closed";
  /** It is not over. */
  isRunning: boolean;
  /** What counts in it: every file of it adds up to this. */
  rows: number;
  micros: string;
  /** Rows and resources without a known price: in the ledger's file without an amount, and in no FOCUS file. */
  unknownRows: number;
  unknownResources: number;
  /** Of a closed month: what its content hashes to. */
  contentHash: string | null;
  /** The months of which there is anything, the newest first. */
  months: string[];
};
