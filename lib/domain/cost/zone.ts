import { Temporal } from "temporal-polyfill";

/** Half-open, epoch milliseconds. */
export type Range = { from: number; to: number };

const DAY_MS = 86_400_000;

function isUtc(zone: string): boolean {
  return zone === "UTC" || zone === "Etc/UTC";
}

/** Whether the runtime knows the IANA name. */
export function isZone(zone: string): boolean {
  // An instant or an offset would be taken for a zone as well, and no formatter takes it.
  if (!/^[A-Za-z][\w+/-]*$/.test(zone)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
}

/** R10: the accounting day of an instant: "2026-11-20". */
export function dayOf(at: number, zone: string): string {
  if (isUtc(zone)) return new Date(at).toISOString().slice(0, 10);
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate().toString();
}

/** The accounting month of an instant: "2026-11". */
export function monthOf(at: number, zone: string): string {
  return dayOf(at, zone).slice(0, 7);
}

/** A day of 23, 24 or 25 hours. Throws a RangeError where it is no date. */
export function dayRange(day: string, zone: string): Range {
  if (isUtc(zone)) {
    const from = Temporal.PlainDate.from(day).toZonedDateTime("UTC").epochMilliseconds;
    return { from, to: from + DAY_MS };
  }
  const date = Temporal.PlainDate.from(day);
  return { from: startOf(date, zone), to: startOf(date.add({ days: 1 }), zone) };
}

/** A month of 719 to 745 hours, by its name "2026-11". */
export function monthRange(month: string, zone: string): Range {
  const first = Temporal.PlainYearMonth.from(month);
  const start = (yearMonth: Temporal.PlainYearMonth) => startOf(yearMonth.toPlainDate({ day: 1 }), zone);
  return { from: start(first), to: start(first.add({ months: 1 })) };
}

/** Starts of the days that begin within (from, to), in order. */
export function dayStarts(from: number, to: number, zone: string): number[] {
  const starts: number[] = [];
  if (isUtc(zone)) {
    for (let at = Math.floor(from / DAY_MS + 1) * DAY_MS; at < to; at += DAY_MS) starts.push(at);
    return starts;
  }
  let date = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone).toPlainDate();
  for (;;) {
    date = date.add({ days: 1 });
    const at = startOf(date, zone);
    if (at >= to) return starts;
    // A day that a zone skipped (Apia, 2011-12-30) has no start of its own.
    if (at > from && at !== starts.at(-1)) starts.push(at);
  }
}

function startOf(date: Temporal.PlainDate, zone: string): number {
  return date.toZonedDateTime({ timeZone: zone }).epochMilliseconds;
}
