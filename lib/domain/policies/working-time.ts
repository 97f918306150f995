import { Temporal } from "temporal-polyfill";
import { type Window, windowsIn } from "@/lib/domain/silences/windows";

export type WorkingTime = {
  zone: string;
  days: number[];
  from: string;
  to: string;
  /** Days on which nobody works, as the zone counts them: "2026-12-25". */
  holidays: readonly string[];
};

/**
 * Working hours that touch [from, to), each with its whole length, in order; those that follow each other without a break are
 * one. A window belongs to the day on which it begins, holidays likewise.
 */
export function workingHours(time: WorkingTime, from: number, to: number): Window[] {
  const { holidays, ...recurrence } = time;
  const off = new Set(holidays);
  const dayOf = (at: number) =>
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(time.zone).toPlainDate().toString();
  const joined: Window[] = [];
  for (const window of windowsIn(recurrence, from, to)) {
    if (window.to <= window.from || off.has(dayOf(window.from))) continue;
    const last = joined.at(-1);
    if (last && window.from <= last.to) last.to = Math.max(last.to, window.to);
    else joined.push({ ...window });
  }
  return joined;
}

const DAY_MS = 24 * 3_600_000;
/** Longer than any run of holidays that is worth looking past. */
const AHEAD_MS = 30 * DAY_MS;

export type WorkingState = {
  /** The hours that are worked now. */
  current: Window | null;
  /** When the last ones ended. */
  endedAt: number | null;
  /** The next ones, and when they begin. */
  next: Window | null;
  nextAt: number | null;
};

export function workingState(time: WorkingTime, now: number): WorkingState {
  const windows = workingHours(time, now - AHEAD_MS, now + AHEAD_MS);
  const next = windows.find(({ from }) => from > now) ?? null;
  return {
    current: windows.find(({ from, to }) => from <= now && now < to) ?? null,
    endedAt: windows.findLast(({ to }) => to <= now)?.to ?? null,
    next,
    nextAt: next?.from ?? null,
  };
}
