"use client";

import { ClockAlert } from "lucide-react";
import { formatDuration } from "@/lib/domain/format-time";
import { Badge } from "./badge";
import { useClock } from "./clock";

/** The age of the last good value, where it is too old to be called current. */
export function StaleBadge({ at }: { at: number }) {
  const age = useClock((now) => formatDuration(Math.max(0, now - at)));
  return (
    <Badge tone="unknown" icon={ClockAlert}>
      {age} old
    </Badge>
  );
}
