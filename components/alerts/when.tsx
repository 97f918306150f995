"use client";

import { useClock, useTimeZone } from "@/components/ui/clock";
import { formatClock, formatDay, formatInstant } from "@/lib/domain/format-time";

/** `05:46`; before today `20 Nov 05:46`; the full instant on hover. */
export function When({ at, seconds = false }: { at: number; seconds?: boolean }) {
  const timeZone = useTimeZone();
  const today = useClock((now) => formatDay(now, timeZone));
  const day = formatDay(at, timeZone);
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={formatInstant(at, { timeZone, seconds: true, year: true })}
      className="whitespace-nowrap"
    >
      {day === today ? "" : `${day} `}
      {formatClock(at, timeZone, seconds)}
    </time>
  );
}
