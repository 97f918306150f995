const HOUR_MS = 3_600_000;
/** As far back as values are still taken. */
const TAKEN_MS = 48 * HOUR_MS;

/** Values before this are of hours that the roll-up may have passed: whoever writes them derives those hours. */
export function settledBefore(receivedAt: Date): Date {
  return new Date(hourOf(receivedAt.getTime()) - HOUR_MS);
}

/** From where hours are to be derived again, after they were derived up to an instant: every hour that may have got a value since. */
export function dueFrom(derivedTo: Date | null, now: Date): Date {
  const oldest = now.getTime() - TAKEN_MS - HOUR_MS;
  // One hour as above, and one for what was received before and committed after.
  return new Date(hourOf(derivedTo === null ? oldest : derivedTo.getTime() - 2 * HOUR_MS));
}

function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS) * HOUR_MS;
}
