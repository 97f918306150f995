"use client";

import { Activity, BellOff, Clock } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { useClock } from "@/components/ui/clock";
import { burnOf } from "@/lib/domain/alerts/inbox";
import type { AlertRow } from "@/lib/domain/alerts/view";
import { formatUsd, NONE } from "@/lib/domain/format";
import { formatDuration } from "@/lib/domain/format-time";
import { resolvedWords } from "./alert-words";
import { When } from "./when";

/** What alerts have burned since they fired, running on. */
export function SoFar({ rows }: { rows: readonly AlertRow[] }) {
  const text = useClock((now) => {
    const { spentMicros } = burnOf(rows, now);
    return spentMicros > 0n ? formatUsd(spentMicros) : NONE;
  });
  return text === NONE ? <span className="muted">{NONE}</span> : text;
}

/** What else must be known of the row at its name. */
export function Spark({ row }: { row: AlertRow }) {
  return (
    <>
      {row.isFlapping && (
        <>
          {" "}
          <Badge tone="warn" icon={Activity}>
            Flapping
          </Badge>
        </>
      )}
      {row.silence !== null && (
        <>
          {" "}
          <Badge tone="mute" icon={BellOff}>
            Silenced until <When at={row.silence.until} />
          </Badge>
        </>
      )}
      {row.snoozedUntil !== null && (
        <>
          {" "}
          <Badge tone="mute" icon={Clock}>
            Snoozed until <When at={row.snoozedUntil} />
          </Badge>
        </>
      )}
    </>
  );
}

/** Who has it, what it waits for, or what closed it; the second line says since when or why. */
export function Who({ row, isInline = false }: { row: AlertRow; isInline?: boolean }) {
  const [first, second] = [headOf(row), tailOf(row)];
  if (isInline) {
    return (
      <>
        {first} <span className="muted">{second}</span>
      </>
    );
  }
  return (
    <>
      {first}
      <span className="muted ellipsis block">{second}</span>
    </>
  );
}

function headOf(row: AlertRow) {
  switch (row.part) {
    case "acknowledged":
      return row.acknowledgedBy ?? "acknowledged";
    case "resolved":
      return resolvedWords(row);
    case "pending":
      return row.firesAt === null ? "pending" : <FiresIn at={row.firesAt} />;
    case "unknown":
      return "no data, stays open";
    case "firing":
      if (row.assignee) return row.assignee.name;
      return <span className="muted">{row.status === "recovering" ? "recovering" : "nobody yet"}</span>;
  }
}

function tailOf(row: AlertRow) {
  switch (row.part) {
    case "acknowledged":
      return (
        <>
          {row.acknowledgedAt !== null && (
            <>
              at <When at={row.acknowledgedAt} />
            </>
          )}
          {row.reraiseAt !== null && (
            <>
              , until <When at={row.reraiseAt} />
            </>
          )}
          {row.acknowledgeNote && `, ${row.acknowledgeNote}`}
        </>
      );
    case "resolved":
      return (
        <>
          {row.resolvedAt !== null && (
            <>
              at <When at={row.resolvedAt} />
            </>
          )}
          {row.acknowledgedBy && `, taken by ${row.acknowledgedBy}`}
        </>
      );
    case "unknown":
      return row.unknownSince === null ? null : (
        <>
          since <When at={row.unknownSince} />; resolves on data only
        </>
      );
    default:
      return (
        <>
          {row.assignee && "assigned, firing "}
          since <When at={row.firedAt ?? row.activeAt} />
        </>
      );
  }
}

function FiresIn({ at }: { at: number }) {
  return useClock((now) => (at > now ? `fires in ${formatDuration(at - now)}` : "fires at the next look"));
}
