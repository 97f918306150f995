import type { Severity } from "@/lib/domain/alerts/types";

/** What the page behind a link in a message shows. */
export type LinkedAlert = {
  alertId: string;
  ruleName: string;
  targetName: string;
  severity: Severity;
  firedAt: number | null;
  resolvedAt: number | null;
  acknowledgedBy: string | null;
  /** It was not used, and its day is not over. */
  isUsable: boolean;
};
