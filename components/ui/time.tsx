"use client";

import { formatAge, formatClock, formatDuration, formatInstant } from "@/lib/domain/format-time";
import { useClock, useTimeZone } from "./clock";
import { cx } from "./cx";

type AgeProps = {
  at: number;
  /** In tables, where the column says so: "24 s" instead of "24 s ago". */
  isBare?: boolean;
  /** Older than this it is stale. */
  staleAfterMs?: number;
  /** What is stale costs money meanwhile: red instead of grey. */
  isBilling?: boolean;
  className?: string;
};

const wholeSeconds = (ms: number) => Math.floor(Math.max(0, ms) / 1_000) * 1_000;

/** How long ago, ticking; the exact instant on hover. */
export function Age({
  at,
  isBare = false,
  staleAfterMs = Number.POSITIVE_INFINITY,
  isBilling = false,
  className,
}: AgeProps) {
  const timeZone = useTimeZone();
  const text = useClock((now) => (isBare ? formatDuration(wholeSeconds(now - at)) : formatAge(at, now, timeZone)));
  const isStale = useClock((now) => now - at > staleAfterMs);
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={formatInstant(at, { timeZone, seconds: true, year: true })}
      className={cx(isStale && (isBilling ? "text-crit" : "stale"), className)}
    >
      {text}
    </time>
  );
}

type InstantProps = { at: number; seconds?: boolean; year?: boolean };

/** `Fri 20 Nov, 14:32 UTC` in the page's zone. */
export function Instant({ at, seconds = false, year = false }: InstantProps) {
  const timeZone = useTimeZone();
  return (
    <time dateTime={new Date(at).toISOString()} suppressHydrationWarning>
      {formatInstant(at, { timeZone, seconds, year })}
    </time>
  );
}

/** `14:32:10`, the full instant on hover; for lists whose head names day and zone. */
export function ClockTime({ at, seconds = true }: { at: number; seconds?: boolean }) {
  const timeZone = useTimeZone();
  return (
    <time dateTime={new Date(at).toISOString()} title={formatInstant(at, { timeZone, seconds: true, year: true })}>
      {formatClock(at, timeZone, seconds)}
    </time>
  );
}

/** How long something has lasted, or did last: `2 h 29 min`. */
export function Lasting({ from, to }: { from: number; to: number | null }) {
  return useClock((now) => formatDuration((to ?? now) - from));
}
