/** What an item tells. `test`, `digest` and `undelivered` are of no alert. */
export const ITEM_KINDS = [
  "fired",
  "resolved",
  "reraised",
  "flapping",
  "repeat",
  "escalated",
  "passed_on",
  "acknowledged",
  "test",
  "digest",
  "undelivered",
] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** How an alert stands at the moment of a flush. */
export type AlertStanding = {
  isOver: boolean;
  /** The channel was told that it fires. */
  isTold: boolean;
  /** Until when its messages are kept back, by a silence or by somebody who snoozed it; null: they are not. */
  silencedUntil: number | null;
  /** Another alert explains it, so it is not told for now. */
  isInhibited: boolean;
  /** In somebody's hand: no repeats (B36). */
  isAcknowledged: boolean;
};

export type Verdict = { what: "send" } | { what: "drop" } | { what: "hold"; until: number };

const SEND: Verdict = { what: "send" };
const DROP: Verdict = { what: "drop" };

/**
 * What becomes of one item when its group is flushed.
 * A fire for an episode that is over is never sent, and its end only where its fire was told (B31, B37, B38). Silenced and
 * inhibited ones wait; an end that is owed does not (B34, B35).
 */
export function verdictOf(kind: ItemKind, alert: AlertStanding | null, now: number, groupIntervalMs: number): Verdict {
  if (alert === null) return SEND;
  if (kind === "resolved") return alert.isTold ? SEND : DROP;
  if (alert.isOver) return DROP;
  if (kind === "acknowledged") return alert.isTold ? SEND : DROP;
  if (kind === "repeat" && (alert.isAcknowledged || alert.silencedUntil !== null || alert.isInhibited)) return DROP;
  if (kind === "passed_on" && alert.isAcknowledged) return DROP;
  if (alert.silencedUntil !== null)
    return { what: "hold", until: Math.max(now + 1_000, Math.min(alert.silencedUntil, now + groupIntervalMs)) };
  if (alert.isInhibited) return { what: "hold", until: now + Math.min(groupIntervalMs, 60_000) };
  return SEND;
}
