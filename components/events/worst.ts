import type { Incident } from "@/lib/domain/events/view";

export const RANK = { info: 0, warning: 1, critical: 2 } as const;

/** The worst incident; of equals the first, which is the newest. Null where there is none. */
export function worstOf(incidents: readonly Incident[]): Incident | null {
  return incidents.reduce<Incident | null>(
    (worst, each) => (worst === null || RANK[each.severity] > RANK[worst.severity] ? each : worst),
    null,
  );
}
