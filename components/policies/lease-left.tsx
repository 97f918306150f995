"use client";

import { useClock } from "@/components/ui/clock";
import { NBSP } from "@/lib/domain/format";

const HOUR_MS = 3_600_000;

/** How long a machine may run by its lease; nothing where it has none. */
export function LeaseLeft({ until }: { until: number | null }) {
  const left = useClock((now) => (until === null ? null : Math.ceil((until - now) / HOUR_MS)));
  if (left === null) return <span className="sr-only">none</span>;
  if (left <= 0) return <span className="text-warn">over</span>;
  return <>{left <= 72 ? `${left}${NBSP}h` : `${Math.floor(left / 24)}${NBSP}d`}</>;
}
