import { Temporal } from "temporal-polyfill";

export type WorkingHours = {
  /** 1 is Monday; at least one. */
  days: readonly number[];
  /** "09:00", where the books are kept. */
  from: string;
};

/** When the next working day begins: by then somebody looks, even if nobody is woken. */
export function nextWorkingHour(at: number, zone: string, { days: working, from }: WorkingHours): number {
  const plainTime = Temporal.PlainTime.from(from);
  const now = Temporal.Instant.fromEpochMilliseconds(Math.trunc(at)).toZonedDateTimeISO(zone);
  for (let days = 0; ; days++) {
    const day = now.toPlainDate().add({ days });
    if (!working.includes(day.dayOfWeek)) continue;
    const begins = day.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds;
    if (begins > at) return begins;
  }
}
