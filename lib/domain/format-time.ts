/** How spans and points of time are written for people (design language, section 4). The zone is always an argument. */

import { MINUS, NBSP, NONE } from "./format";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MONTH_NAMES = "January February March April May June July August September October November December".split(" ");

const pad = (value: number) => String(value).padStart(2, "0");

/** Two units at most, minutes padded: `212 ms`, `45 s`, `6 min`, `2 h 29 min`, `8 d 4 h`. Always rounded down. */
export function formatDuration(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms)) return NONE;
  if (ms < 0) return `${MINUS}${formatDuration(-ms)}`;
  if (ms > 0 && ms < SECOND) return `${Math.max(1, Math.floor(ms))}${NBSP}ms`;
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)}${NBSP}s`;
  const minutes = Math.floor(ms / MINUTE);
  if (minutes < 60) return `${minutes}${NBSP}min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours}${NBSP}h${NBSP}${pad(minutes % 60)}${NBSP}min`;
  return `${Math.floor(hours / 24)}${NBSP}d${NBSP}${hours % 24}${NBSP}h`;
}

/** Where seconds matter below an hour: `4 min 12 s`. */
export function formatDurationExact(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms) || ms < MINUTE || ms >= HOUR) return formatDuration(ms);
  const seconds = Math.floor(ms / SECOND);
  return `${Math.floor(seconds / 60)}${NBSP}min${NBSP}${pad(seconds % 60)}${NBSP}s`;
}

/** Relative below 24 h, exact above: `24 s ago`, `in 4 min`, `Fri 20 Nov, 14:32 UTC`. */
export function formatAge(at: number | null, now: number, timeZone: string): string {
  if (at === null) return NONE;
  const age = now - at;
  if (Math.abs(age) >= DAY) return formatInstant(at, { timeZone });
  if (Math.abs(age) < SECOND) return "now";
  return age > 0 ? `${formatDuration(age)} ago` : `in ${formatDuration(-age)}`;
}

type Wall = { year: number; month: number; day: number; weekday: number; hour: number; minute: number; second: number };

const wallFormats = new Map<string, Intl.DateTimeFormat>();

function wallFormat(timeZone: string): Intl.DateTimeFormat {
  const known = wallFormats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    calendar: "gregory",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  wallFormats.set(timeZone, made);
  return made;
}

/** What a clock and a calendar in the zone show. `month` is 1 to 12, `weekday` 0 (Sunday) to 6. */
export function wallTime(at: number, timeZone: string): Wall {
  const parts = wallFormat(timeZone).formatToParts(at);
  const read = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  const [year, month, day] = [read("year"), read("month"), read("day")];
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  return { year, month, day, weekday, hour: read("hour"), minute: read("minute"), second: read("second") };
}

const zoneFormats = new Map<string, Intl.DateTimeFormat>();

/** The zone as people write it at that instant: `UTC`, `CET`, `GMT+5:30`. */
export function zoneName(at: number, timeZone: string): string {
  if (timeZone === "UTC" || timeZone === "Etc/UTC") return "UTC";
  // Each locale knows the short names of its own zones only.
  const names = ["en-GB", "en-US"].map((locale) => {
    const key = `${locale} ${timeZone}`;
    const format = zoneFormats.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "short" });
    zoneFormats.set(key, format);
    return format.formatToParts(at).find((part) => part.type === "timeZoneName")?.value ?? timeZone;
  });
  return names.find((name) => !/^(GMT|UTC)[+-]/.test(name)) ?? names[0] ?? timeZone;
}

/** `14:32`, with seconds `14:32:10`; the zone stands elsewhere. */
export function formatClock(at: number | null, timeZone: string, seconds = false): string {
  if (at === null) return NONE;
  const wall = wallTime(at, timeZone);
  return `${pad(wall.hour)}:${pad(wall.minute)}${seconds ? `:${pad(wall.second)}` : ""}`;
}

/** `20 Nov`, with the year `20 Nov 2026`. */
export function formatDay(at: number | null, timeZone: string, year = false): string {
  if (at === null) return NONE;
  const wall = wallTime(at, timeZone);
  return `${wall.day}${NBSP}${MONTHS[wall.month - 1]}${year ? `${NBSP}${wall.year}` : ""}`;
}

/** `November 2026` */
export function formatMonth(at: number | null, timeZone: string): string {
  if (at === null) return NONE;
  const wall = wallTime(at, timeZone);
  return `${MONTH_NAMES[wall.month - 1]} ${wall.year}`;
}

type InstantOptions = { timeZone: string; seconds?: boolean; year?: boolean };

/** `Fri 20 Nov, 14:32 UTC`; with seconds where an order of events matters. */
export function formatInstant(at: number | null, { timeZone, seconds = false, year = false }: InstantOptions): string {
  if (at === null) return NONE;
  const weekday = WEEKDAYS[wallTime(at, timeZone).weekday];
  return `${weekday} ${formatDay(at, timeZone, year)}, ${formatClock(at, timeZone, seconds)}${NBSP}${zoneName(at, timeZone)}`;
}

/** Both ends of [from, to): `1 to 20 Nov 14:32 UTC`, `1 to 30 Nov UTC`, `20 Nov 08:32 to 14:32 UTC`. */
export function formatPeriod(from: number, to: number, timeZone: string): string {
  const isWholeDay = (at: number) => formatClock(at, timeZone, true) === "00:00:00";
  const startsWhole = isWholeDay(from);
  const endsWhole = isWholeDay(to);
  // A period that ends at midnight is said to end on the day before.
  const last = endsWhole ? to - 1 : to;
  const a = wallTime(from, timeZone);
  const b = wallTime(last, timeZone);
  const hasYears = a.year !== b.year;
  const isSameMonth = !hasYears && a.month === b.month;
  const zone = zoneName(last, timeZone);

  const end = formatDay(last, timeZone, hasYears);
  const endClock = endsWhole ? (startsWhole ? "" : " 24:00") : ` ${formatClock(to, timeZone)}`;
  if (isSameMonth && a.day === b.day) {
    if (startsWhole && endsWhole) return `${end} ${zone}`;
    return `${end} ${formatClock(from, timeZone)} to${endClock} ${zone}`;
  }
  if (startsWhole && isSameMonth) return `${a.day} to ${end}${endClock} ${zone}`;
  const startClock = startsWhole ? "" : ` ${formatClock(from, timeZone)}`;
  return `${formatDay(from, timeZone, hasYears)}${startClock} to ${end}${endClock} ${zone}`;
}
