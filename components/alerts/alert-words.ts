import { alertStatus, type StatusKey } from "@/components/ui/status-vocabulary";
import { RESOLVE_WORDS } from "@/lib/domain/alerts/message";
import type { AlertRow, InboxPart } from "@/lib/domain/alerts/view";

export const PARTS = ["firing", "acknowledged", "unknown", "pending", "resolved"] as const satisfies InboxPart[];

export const PART_WORDS: Record<InboxPart, string> = {
  firing: "Firing",
  acknowledged: "Acknowledged",
  unknown: "Unknown",
  pending: "Pending",
  resolved: "Resolved",
};

/** The mark at the start of a row: what it is, and how bad. */
export function markOf({ part, status, severity }: AlertRow): StatusKey {
  if (part === "acknowledged") return alertStatus(status === "unknown" ? "unknown" : "firing", severity);
  return alertStatus(status, severity);
}

/** Whether somebody can still take it in hand. */
export function isOpenToTake({ part }: Pick<AlertRow, "part">): boolean {
  return part === "firing" || part === "unknown";
}

/** Whether it can be given to somebody or merged with others. */
export function isToChoose(row: Pick<AlertRow, "part">): boolean {
  return isOpenToTake(row) || row.part === "acknowledged";
}

export function resolvedWords({ resolveReason }: Pick<AlertRow, "resolveReason">): string {
  return resolveReason === null ? "resolved" : RESOLVE_WORDS[resolveReason];
}

/** "2 alerts" in a sentence with its verb. */
export function inboxSentence(rows: readonly AlertRow[]): { lead: string; rest: string } {
  const count = (part: InboxPart) => rows.filter((row) => row.part === part).length;
  const [firing, unknown] = [count("firing"), count("unknown")];
  const silent =
    unknown === 0
      ? ""
      : `${unknown === 1 ? "One alert" : `${unknown} alerts`} cannot be judged for want of data and ${unknown === 1 ? "stays" : "stay"} open.`;
  if (firing === 0) return { lead: unknown === 0 ? "Nothing waits for anybody." : silent, rest: "" };
  const lead =
    firing === 1 ? "One alert fires and nobody has taken it." : `${firing} alerts fire and nobody has taken them.`;
  return { lead, rest: silent };
}
