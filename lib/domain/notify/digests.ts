import { Temporal } from "temporal-polyfill";
import type { Digest } from "@/lib/domain/alerts/channels";

/** Digests leave in the morning of the accounting zone, when the day before is settled. */
const HOUR = 7;

export type DueDigest = { digest: Digest; fromDay: string; toDay: string };

/** What is due at an instant: of yesterday each day, of the week before on Mondays, of the month before on the first. */
export function digestsDue(wanted: readonly Digest[], at: number, zone: string): DueDigest[] {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  if (local.hour < HOUR) return [];
  const today = local.toPlainDate();
  const yesterday = today.subtract({ days: 1 }).toString();
  const due: DueDigest[] = [{ digest: "daily", fromDay: yesterday, toDay: yesterday }];
  if (today.dayOfWeek === 1)
    due.push({ digest: "weekly", fromDay: today.subtract({ days: 7 }).toString(), toDay: yesterday });
  if (today.day === 1)
    due.push({ digest: "month_end", fromDay: today.subtract({ months: 1 }).toString(), toDay: yesterday });
  return due.filter(({ digest }) => wanted.includes(digest));
}
