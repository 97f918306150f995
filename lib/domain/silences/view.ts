import { z } from "zod";
import { type Matcher, Matchers } from "./matchers";
import type { SilenceKind, SilencePhase } from "./silence";
import type { Recurrence } from "./windows";

export const SilenceId = z.object({ silenceId: z.uuid() });

/** Which alerts would be kept back, asked before anything is. */
export const SilencePreviewQuestion = z.object({
  matchers: z
    .string()
    .max(4_000)
    .transform((text, context): Matcher[] => {
      const parsed = Matchers.safeParse(safeJson(text));
      if (parsed.success) return parsed.data;
      context.addIssue({ code: "custom", message: "is not a list of conditions" });
      return z.NEVER;
    }),
});
export type SilencePreviewQuestion = z.output<typeof SilencePreviewQuestion>;

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export type SilenceRow = {
  id: string;
  kind: SilenceKind;
  matchers: readonly Matcher[];
  reason: string;
  ticketUrl: string | null;
  recurrence: Recurrence | null;
  startsAt: number;
  endsAt: number;
  endedAt: number | null;
  endedBy: string | null;
  createdBy: string;
  createdAt: number;
  phase: SilencePhase;
  /** When it next begins to hold, or stops; null: it is over. */
  changesAt: number | null;
  /** What it keeps back now, and how many episodes it kept back since it began. */
  hidesNow: number;
  hidden: number;
  /** Spent on their machines while they were kept back, each machine once; null: a price is not known. */
  spentMicros: string | null;
  mayEnd: boolean;
};

export type SilencesAnswer = { now: number; zone: string; rows: SilenceRow[] };

export type HiddenAlert = {
  alertId: string;
  ruleName: string;
  severity: string;
  target: string;
  firedAt: number;
  resolvedAt: number | null;
};

export type SilencePreview = {
  now: number;
  /** Would be kept back at this moment. */
  hidesNow: HiddenAlert[];
  /** Fired in the last seven days and would have been kept back, the newest first, the first fifty. */
  lastWeek: { episodes: number; critical: number; shown: HiddenAlert[] };
  /** Values that the labels of the last week's alerts had, for those who write conditions. */
  values: Record<string, string[]>;
};
