import { RESOLVE_WORDS } from "./message";
import type { ResolveReason } from "./types";
import { conditionText, type RuleText, valueText } from "./words";

/** What happened to an episode, by the evaluator or by a person. */
export type HistoryEntry = {
  seq: number;
  kind:
    | "pending"
    | "fired"
    | "unknown"
    | "recovering"
    | "resumed"
    | "repending"
    | "resolved"
    | "flapping"
    | "acknowledged"
    | "unacknowledged"
    | "commented"
    | "reraised"
    | "assigned"
    | "snoozed"
    | "escalated"
    | "merged";
  at: number;
  value: number | null;
  note: string | null;
  actor: string | null;
};

const TITLES: Record<HistoryEntry["kind"], string> = {
  pending: "Pending",
  fired: "Firing",
  unknown: "Unknown",
  recovering: "Recovering",
  resumed: "Resumed",
  repending: "Pending again",
  resolved: "Resolved",
  flapping: "Flapping",
  acknowledged: "Acknowledged",
  unacknowledged: "Acknowledgement taken back",
  commented: "Comment",
  reraised: "Raised again",
  assigned: "Assigned",
  snoozed: "Snoozed",
  escalated: "Escalated",
  merged: "Merged",
};

/** An entry as the timeline writes it: one word for what happened, and what belongs to it. */
export function entryText(
  entry: HistoryEntry,
  rule: RuleText,
  reason: ResolveReason | null,
): { title: string; text: string | null } {
  const title = TITLES[entry.kind];
  const measured = valueText(rule, entry.value);
  switch (entry.kind) {
    case "pending":
    case "fired":
      return { title, text: measured === null ? entry.note : `${capital(measured)}. ${conditionText(rule)}` };
    // By the rule's second level, with a value; or passed on, by a route that nobody answered.
    case "escalated":
      return measured === null
        ? { title: "Passed on", text: entry.note }
        : { title: "Now critical", text: `${capital(measured)}. The rule's second level is met.` };
    case "resolved": {
      const why = reason === null ? null : RESOLVE_WORDS[reason];
      return { title, text: [why, reason === "recovered" ? measured : null].filter(Boolean).join(", ") || entry.note };
    }
    case "resumed": {
      if (measured === null) return { title, text: entry.note };
      return {
        title,
        text: entry.note?.startsWith("data are back") ? `Data are back: ${measured}` : capital(measured),
      };
    }
    default:
      return { title, text: entry.note };
  }
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

export type EpisodeSpan = { kind: "pending" | "firing" | "unknown" | "recovering"; from: number; to: number };

const LEADS_TO: Partial<Record<HistoryEntry["kind"], EpisodeSpan["kind"] | "end">> = {
  pending: "pending",
  repending: "pending",
  fired: "firing",
  unknown: "unknown",
  recovering: "recovering",
  resolved: "end",
};

/** In which state the episode was and when, without holes: from its first true slot to its end, or to now. */
export function episodeSpans(
  history: readonly Pick<HistoryEntry, "kind" | "at">[],
  episode: { activeAt: number; firedAt: number | null; resolvedAt: number | null },
  now: number,
): EpisodeSpan[] {
  const end = episode.resolvedAt ?? now;
  const spans: EpisodeSpan[] = [];
  let kind: EpisodeSpan["kind"] = episode.firedAt === episode.activeAt ? "firing" : "pending";
  let from = episode.activeAt;
  const close = (to: number) => {
    if (to > from) spans.push({ kind, from, to });
    from = Math.max(from, to);
  };
  // What it goes back to when data return: pending until it has fired once.
  let hasFired = kind === "firing";
  for (const entry of history) {
    const next = entry.kind === "resumed" ? (hasFired ? "firing" : "pending") : LEADS_TO[entry.kind];
    if (next === undefined) continue;
    if (entry.kind === "fired") hasFired = true;
    if (next === kind) continue;
    close(entry.at);
    if (next === "end") return spans;
    kind = next;
  }
  close(end);
  return spans;
}

export type StripPart = { kind: "pending" | "firing" | "acknowledged" | "unknown"; left: number; width: number };

/** An episode on an axis from 0 to 1, from what its row alone knows. */
export function stripParts(
  row: {
    activeAt: number;
    firedAt: number | null;
    acknowledgedAt: number | null;
    unknownSince: number | null;
    resolvedAt: number | null;
  },
  from: number,
  to: number,
): StripPart[] {
  const end = row.resolvedAt ?? to;
  const unknownAt = row.unknownSince ?? end;
  const ackAt = Math.min(row.acknowledgedAt ?? end, unknownAt);
  const firedAt = Math.min(row.firedAt ?? end, ackAt);
  const marks = [
    ["pending", row.activeAt, firedAt],
    ["firing", firedAt, ackAt],
    ["acknowledged", ackAt, unknownAt],
    ["unknown", unknownAt, end],
  ] as const;
  return marks.flatMap(([kind, start, stop]) => {
    const left = Math.max(start, from);
    const right = Math.min(stop, to);
    return right > left ? [{ kind, left: (left - from) / (to - from), width: (right - left) / (to - from) }] : [];
  });
}

export const HOURS_SHOWN = 24;
const HOUR_MS = 3_600_000;

/** In each of the last 24 hours, the oldest first, how many episodes fired at some time of it. */
export function firingByHour(
  episodes: readonly { firedAt: number; resolvedAt: number | null }[],
  now: number,
): number[] {
  const begin = now - HOURS_SHOWN * HOUR_MS;
  return Array.from({ length: HOURS_SHOWN }, (_, hour) => {
    const from = begin + hour * HOUR_MS;
    return episodes.filter(
      ({ firedAt, resolvedAt }) =>
        firedAt < from + HOUR_MS && firedAt <= now && (resolvedAt === null || resolvedAt > from),
    ).length;
  });
}
