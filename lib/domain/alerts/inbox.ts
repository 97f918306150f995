import { burnedMicros } from "@/lib/domain/cost/burn";
import { isAcknowledged } from "./acknowledgement";
import type { OpenStatus, Severity } from "./types";
import type { AlertCounts, InboxPart } from "./view";

/** What of an episode decides where it stands in the inbox. */
export type Standing = {
  status: OpenStatus | "resolved";
  firedAt: number | null;
  resolvedAt: number | null;
  acknowledgedAt: number | null;
  reraiseAt: number | null;
};

/** Acknowledgement belongs to the episode: it moves it out of what needs somebody, whatever its state; silence alone never ends it. */
export function inboxPart({ status, firedAt, resolvedAt, ...acknowledgement }: Standing, now: number): InboxPart {
  if (resolvedAt !== null) return "resolved";
  if (firedAt !== null && isAcknowledged(acknowledgement, now)) return "acknowledged";
  if (status === "unknown" || status === "pending") return status;
  return "firing";
}

/** What needs somebody: firing or unknown, in nobody's hand. Criticals are counted among both. */
export function countAlerts(alerts: readonly (Standing & { severity: Severity })[], now: number): AlertCounts {
  const parts = alerts.map((alert) => ({ part: inboxPart(alert, now), severity: alert.severity }));
  const open = parts.filter(({ part }) => part === "firing" || part === "unknown");
  return {
    now,
    firing: open.filter(({ part }) => part === "firing").length,
    unknown: open.filter(({ part }) => part === "unknown").length,
    critical: open.filter(({ severity }) => severity === "critical").length,
  };
}

type Burning = { resourceId: string | null; firedAt: number | null; resolvedAt: number | null } & {
  microsPerHour: string | null;
  spentMicros: string | null;
};

/** What alerts burn together. A machine that several of them name is counted once, from the first that fired. */
export function burnOf(alerts: readonly Burning[], now: number): { microsPerHour: bigint; spentMicros: bigint } {
  const machines = new Map<string, Burning>();
  for (const alert of alerts) {
    if (alert.resourceId === null || alert.firedAt === null) continue;
    const other = machines.get(alert.resourceId);
    if (!other || alert.firedAt < (other.firedAt ?? 0)) machines.set(alert.resourceId, alert);
  }
  let microsPerHour = 0n;
  let spentMicros = 0n;
  for (const alert of machines.values()) {
    const rate = alert.microsPerHour === null ? null : BigInt(alert.microsPerHour);
    microsPerHour += rate ?? 0n;
    spentMicros +=
      alert.resolvedAt === null && rate !== null
        ? (burnedMicros(rate, alert.firedAt, now) ?? 0n)
        : BigInt(alert.spentMicros ?? 0);
  }
  return { microsPerHour, spentMicros };
}
