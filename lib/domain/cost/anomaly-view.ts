import { z } from "zod";
import type { Cause, severityOf } from "./anomaly";

export const AnomaliesQuestion = z.object({
  /** One accounting day. */
  day: z.iso.date().optional(),
  /** Accounting days, both ends in; the last 30 where nothing is said. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
});
export type AnomaliesQuestion = z.output<typeof AnomaliesQuestion>;

export type AnomalyView = {
  scope: string;
  scopeName: string;
  day: string;
  /** It is not over: the rest of it can only add. */
  isToday: boolean;
  expectedMicros: string;
  actualMicros: string;
  surplusMicros: string;
  /** Scaled deviations from the usual; 3.5 and more stand out. */
  score: number;
  severity: ReturnType<typeof severityOf>;
  /** The cause first. */
  causes: (Omit<Cause, "deltaMicros"> & { deltaMicros: string })[];
  foundAt: number;
};

export type AnomaliesAnswer = {
  now: number;
  zone: string;
  from: string;
  to: string;
  /** Less than this beyond the expected is no anomaly. */
  minMicros: string;
  /** Finished days that are known, of those that are needed before anything is judged. */
  historyDays: number;
  neededDays: number;
  rows: AnomalyView[];
};
