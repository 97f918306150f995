import { addHours, noUse } from "@/lib/domain/plan/profile";
import type { PastHour } from "./preview";

const HOURS = 25;
const FIELDS = 5;
const HOUR_MS = 3_600_000;

const MASKS = Array.from({ length: HOURS }, (_, hour) => Array.from({ length: HOURS }, (_, i) => i === hour));

/** The paid hours of packed days, in order; `days` count from the first start. */
export function unpackHours(
  { days, hours }: { days: readonly number[]; hours: Uint8Array },
  starts: readonly number[],
): PastHour[] {
  const found: PastHour[] = [];
  for (const [i, day] of days.entries()) {
    const start = starts[day];
    if (start === undefined) continue;
    for (let hour = 0; hour < HOURS; hour++) {
      const use = noUse();
      addHours(hours, i * HOURS * FIELDS, MASKS[hour] ?? [], use);
      if (use.billed > 0) found.push({ at: start + hour * HOUR_MS, use });
    }
  }
  return found;
}
