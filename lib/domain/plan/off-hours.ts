import { Temporal } from "temporal-polyfill";
import { dayRange } from "@/lib/domain/cost/zone";

/** When machines on a schedule are off, in the accounting zone. Nights from an hour to an hour; the same hour twice: no nights. */
export type OffHours = { fromHour: number; toHour: number; weekends: boolean };

const HOUR_MS = 3_600_000;

export function isOffAt({ fromHour, toHour, weekends }: OffHours, weekday: number, hour: number): boolean {
  if (weekends && weekday >= 6) return true;
  if (fromHour === toHour) return false;
  return fromHour > toHour ? hour >= fromHour || hour < toHour : hour >= fromHour && hour < toHour;
}

/** Which hours of a day, counted from its start, are off: 23, 24 or 25 of them. */
export function offMask(day: string, zone: string, off: OffHours): boolean[] {
  const { from, to } = dayRange(day, zone);
  const weekday = Temporal.PlainDate.from(day).dayOfWeek;
  const length = Math.round((to - from) / HOUR_MS);
  // On a day of 24 hours the clocks are not changed: its hours are their own names.
  if (length === 24) return Array.from({ length }, (_, hour) => isOffAt(off, weekday, hour));
  return Array.from({ length }, (_, index) => {
    const { hour } = Temporal.Instant.fromEpochMilliseconds(from + index * HOUR_MS).toZonedDateTimeISO(zone);
    return isOffAt(off, weekday, hour);
  });
}

/** Of the 168 hours of a week, how many are off. */
export function offHoursOfWeek(off: OffHours): number {
  let hours = 0;
  for (let weekday = 1; weekday <= 7; weekday++)
    for (let hour = 0; hour < 24; hour++) if (isOffAt(off, weekday, hour)) hours += 1;
  return hours;
}
