import type { OpenStanding } from "@/lib/db/alerts/episodes";
import type { Standing } from "@/lib/domain/alerts/inbox";

/** Where a row of the database stands in the inbox. */
export function standing(alert: Omit<OpenStanding, "ruleId" | "severity">): Standing {
  const at = (date: Date | null) => date?.getTime() ?? null;
  return {
    status: alert.status,
    firedAt: at(alert.firedAt),
    resolvedAt: at(alert.resolvedAt),
    acknowledgedAt: at(alert.acknowledgedAt),
    reraiseAt: at(alert.reraiseAt),
  };
}
