import { Temporal } from "temporal-polyfill";
import { z } from "zod";
import { isZone } from "@/lib/domain/cost/zone";

const WALL_TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/**
 * Hours of the week that come again, on the clock of a place: on each of `days` (1 = Monday) from `from` up to `to`,
 * which lies on the next day where it is not later; equal ones are a whole day.
 */
export const Recurrence = z.object({
  zone: z.string().max(60).refine(isZone, "is not a time zone like Europe/Berlin"),
  days: z
    .array(z.int().min(1).max(7))
    .min(1, "Choose at least one day")
    .max(7)
    .transform((days) => [...new Set(days)].sort()),
  from: z.string().regex(WALL_TIME, "is not a time like 22:00"),
  to: z.string().regex(WALL_TIME, "is not a time like 07:00"),
});
export type Recurrence = z.output<typeof Recurrence>;

export type Window = { from: number; to: number };

/**
 * The windows that touch [from, to), each with its whole length, in order. A wall time that a clock change leaves out
 * begins or ends at the change; one that comes twice begins with the first and ends with the second, so that no hour
 * that the words promise is left out.
 */
export function windowsIn(recurrence: Recurrence, from: number, to: number): Window[] {
  const { zone, days } = recurrence;
  const dayOf = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate();
  const windows: Window[] = [];
  // A window of the evening before may still be open.
  let day = dayOf(from).subtract({ days: 1 });
  const last = dayOf(to);
  while (Temporal.PlainDate.compare(day, last) <= 0) {
    if (days.includes(day.dayOfWeek)) {
      const window = windowOf(recurrence, day);
      if (window.from < to && window.to > from) windows.push(window);
    }
    day = day.add({ days: 1 });
  }
  return windows;
}

function windowOf({ zone, from, to }: Recurrence, day: Temporal.PlainDate): Window {
  const end = to > from ? day : day.add({ days: 1 });
  return { from: instantOf(zone, day, from, "earlier"), to: instantOf(zone, end, to, "later") };
}

function instantOf(zone: string, day: Temporal.PlainDate, time: string, which: "earlier" | "later"): number {
  const wall = day.toPlainDateTime(Temporal.PlainTime.from(time));
  const first = wall.toZonedDateTime(zone, { disambiguation: "earlier" });
  const second = wall.toZonedDateTime(zone, { disambiguation: "later" });
  if (first.epochMilliseconds === second.epochMilliseconds) return first.epochMilliseconds;
  const isLeftOut = !first.toPlainDateTime().equals(wall);
  if (isLeftOut) return first.getTimeZoneTransition("next")?.epochMilliseconds ?? second.epochMilliseconds;
  return (which === "earlier" ? first : second).epochMilliseconds;
}

/** The window that holds an instant; null: none does. */
export function windowAt(recurrence: Recurrence, at: number): Window | null {
  return windowsIn(recurrence, at, at + 1)[0] ?? null;
}
