import type { MinuteClass } from "@/lib/domain/telemetry/idle";

/** What a paid hour of one machine was, in minutes. */
export type HourUse = {
  billed: number;
  /** Of them: something was heard of the machine. */
  heard: number;
  busy: number;
  /** Idle minutes after the first half hour of their run: what an idle stop would have saved. */
  stopEmpty: number;
  stopHeld: number;
};

/** Hour by hour a machine's day; hours are counted from the day's start, so that a day may have 23 or 25. */
export type DayProfile = {
  hours: HourUse[];
  /** The most memory that one of its GPUs held. */
  peakMib: number | null;
  /** Idle runs that reached half an hour on this day, and idle runs after which work came again. */
  stops: number;
  resumes: number;
};

const HOURS = 25;
const FIELDS = ["billed", "heard", "busy", "stopEmpty", "stopHeld"] as const satisfies readonly (keyof HourUse)[];
export const PROFILE_BYTES = HOURS * FIELDS.length;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** An idle stop waits so long. */
export const STOP_AFTER_MINUTES = 30;

export type ProfileMinute = {
  at: number;
  use: MinuteClass;
  isHeard: boolean;
};

const NO_USE: HourUse = { billed: 0, heard: 0, busy: 0, stopEmpty: 0, stopHeld: 0 };

/**
 * The profile of a day that begins at `from`, of its billed minutes in order. `usedAt` knows the minutes beside it too: an idle
 * run may have begun on the day before. A stop of empty machines counts the half hour from where the machine became empty.
 */
export function profileOfDay(
  minutes: readonly ProfileMinute[],
  usedAt: (minute: number) => MinuteClass | undefined,
  from: number,
  peakMib: number | null,
): DayProfile {
  const hours = Array.from({ length: HOURS }, () => ({ ...NO_USE }));
  let idle = 0;
  let empty = 0;
  let before: number | null = null;
  let stops = 0;
  let resumes = 0;
  for (const { at, use, isHeard } of minutes) {
    const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
    if (before === null || minute - before !== MINUTE_MS) {
      idle = runBefore(minute, usedAt, isIdle);
      empty = runBefore(minute, usedAt, (one) => one === "idle_empty");
    }
    before = minute;
    const hour = hours[Math.min(HOURS - 1, Math.max(0, Math.floor((at - from) / HOUR_MS)))];
    if (!hour) continue;
    hour.billed += 1;
    if (isHeard) hour.heard += 1;
    if (use === "busy") {
      hour.busy += 1;
      if (idle >= STOP_AFTER_MINUTES) resumes += 1;
    }
    if (use === "idle_empty" && empty >= STOP_AFTER_MINUTES) hour.stopEmpty += 1;
    else if (isIdle(use) && idle >= STOP_AFTER_MINUTES) hour.stopHeld += 1;
    idle = isIdle(use) ? idle + 1 : 0;
    empty = use === "idle_empty" ? empty + 1 : 0;
    if (idle === STOP_AFTER_MINUTES) stops += 1;
  }
  return { hours, peakMib, stops, resumes };
}

function isIdle(use: MinuteClass | undefined): boolean {
  return use === "idle_empty" || use === "idle_held";
}

/** How many minutes before this one belong to its run, as far as it matters. */
function runBefore(
  minute: number,
  usedAt: (minute: number) => MinuteClass | undefined,
  belongs: (use: MinuteClass | undefined) => boolean,
): number {
  let length = 0;
  while (length < STOP_AFTER_MINUTES && belongs(usedAt(minute - (length + 1) * MINUTE_MS))) length += 1;
  return length;
}

/** As it is stored: five bytes an hour, each at most 60. */
export function packHours(hours: readonly HourUse[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(PROFILE_BYTES);
  for (const [hour, use] of hours.entries()) {
    for (const [i, field] of FIELDS.entries()) bytes[hour * FIELDS.length + i] = Math.min(60, use[field]);
  }
  return bytes;
}

/**
 * Adds up days as they are stored one after the other: a byte that says which day, and its packed hours. `masks` are by that byte;
 * the hours that its day's mask takes are in `masked`, too.
 */
export function addDays(days: Uint8Array, masks: readonly (readonly boolean[])[], all: HourUse, masked: HourUse): void {
  for (let from = 0; from < days.length; from += 1 + PROFILE_BYTES) {
    const mask = masks[days[from] ?? 0];
    for (let hour = 0; hour < HOURS; hour++) {
      const at = from + 1 + hour * FIELDS.length;
      const billed = days[at] ?? 0;
      // Nothing else is counted of an hour that was not paid for.
      if (billed === 0) continue;
      const heard = days[at + 1] ?? 0;
      const busy = days[at + 2] ?? 0;
      const stopEmpty = days[at + 3] ?? 0;
      const stopHeld = days[at + 4] ?? 0;
      all.billed += billed;
      all.heard += heard;
      all.busy += busy;
      all.stopEmpty += stopEmpty;
      all.stopHeld += stopHeld;
      if (mask?.[hour] !== true) continue;
      masked.billed += billed;
      masked.heard += heard;
      masked.busy += busy;
      masked.stopEmpty += stopEmpty;
      masked.stopHeld += stopHeld;
    }
  }
}

/** The paid hours of days as they are stored, and how many hours after their day's start each began. */
export function* paidHours(days: Uint8Array): Generator<{ day: number; hour: number; use: HourUse }> {
  for (let from = 0; from < days.length; from += 1 + PROFILE_BYTES) {
    for (let hour = 0; hour < HOURS; hour++) {
      const at = from + 1 + hour * FIELDS.length;
      const [billed = 0, heard = 0, busy = 0, stopEmpty = 0, stopHeld = 0] = days.subarray(at, at + FIELDS.length);
      if (billed > 0) yield { day: days[from] ?? 0, hour, use: { billed, heard, busy, stopEmpty, stopHeld } };
    }
  }
}

/** Days as they are stored: for each a byte that says which it is, and its packed hours. */
export function joinDays(days: readonly (readonly [day: number, hours: Uint8Array])[]): Uint8Array {
  const bytes = new Uint8Array(days.length * (1 + PROFILE_BYTES));
  for (const [i, [day, hours]] of days.entries()) {
    bytes[i * (1 + PROFILE_BYTES)] = day;
    bytes.set(hours, i * (1 + PROFILE_BYTES) + 1);
  }
  return bytes;
}

export function noUse(): HourUse {
  return { ...NO_USE };
}
