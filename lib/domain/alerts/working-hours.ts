import { Temporal } from "temporal-polyfill";

/** Working days begin at nine, Monday to Friday, where the books are kept. */
const BEGINS_AT = 9;
const LAST_WORKING_DAY = 5;

/** When the next working day begins: by then somebody looks, even if nobody is woken. */
export function nextWorkingHour(at: number, zone: string): number {
  const now = Temporal.Instant.fromEpochMilliseconds(Math.trunc(at)).toZonedDateTimeISO(zone);
  for (let days = 0; ; days++) {
    const day = now.toPlainDate().add({ days });
    if (day.dayOfWeek > LAST_WORKING_DAY) continue;
    const begins = day.toZonedDateTime({ timeZone: zone, plainTime: { hour: BEGINS_AT } }).epochMilliseconds;
    if (begins > at) return begins;
  }
}
