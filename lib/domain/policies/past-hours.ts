import { paidHours } from "@/lib/domain/plan/profile";
import type { PastHour } from "./preview";

const HOUR_MS = 3_600_000;

/** The paid hours of stored days, in order; their numbers count from the first start. */
export function unpackHours({ days }: { days: Uint8Array }, starts: readonly number[]): PastHour[] {
  const found: PastHour[] = [];
  for (const { day, hour, use } of paidHours(days)) {
    const start = starts[day];
    if (start !== undefined) found.push({ at: start + hour * HOUR_MS, use });
  }
  return found.sort((a, b) => a.at - b.at);
}
