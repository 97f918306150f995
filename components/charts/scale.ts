import { formatClock, formatDay, wallTime } from "@/lib/domain/format-time";
import type { TimeTick, Unit } from "./types";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How many of the stored unit make one of the unit that people read. */
export const displayScale: Record<Unit, number> = {
  percent: 1,
  mib: 1024,
  watts: 1,
  celsius: 1,
  megahertz: 1,
  usdMicros: 1_000_000,
  usdMicrosPerHour: 1_000_000,
  count: 1,
};

// Memory comes in multiples of eight; everything else in tens.
const MEMORY_STEPS = [1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];

/** In the unit that people read: a line that does not move gets an axis all the same. */
const SMALLEST_STEP: Record<Unit, number> = {
  percent: 0,
  mib: 0,
  watts: 1,
  celsius: 1,
  megahertz: 50,
  usdMicros: 0.01,
  usdMicrosPerHour: 0.01,
  count: 1,
};

function steps(unit: Unit): number[] {
  const memory = unit === "mib" ? MEMORY_STEPS : [];
  const decimal = Array.from({ length: 16 }, (_, index) => index - 4).flatMap((power) =>
    [1, 2, 2.5, 5].map((digit) => digit * 10 ** power),
  );
  const above = memory.at(-1) ?? 0;
  const smallest = SMALLEST_STEP[unit];
  const fits = (step: number) => step >= smallest && (Number.isInteger(step) || (step < 1 && step !== 0.025));
  return [...memory, ...decimal.filter((step) => step > above && fits(step))];
}

/** The smallest round step that covers [low, high] in at most `intervals` steps; both ends lie on it. */
export function valueTicks(low: number, high: number, unit: Unit, intervals: number): number[] {
  const scale = displayScale[unit];
  const [from, to] = [low / scale, high / scale];
  for (const step of steps(unit)) {
    // A value that is a whole number of steps but for rounding is that number.
    const first = Math.floor(from / step + 1e-9);
    const last = Math.max(Math.ceil(to / step - 1e-9), first + 1);
    if (last - first > intervals) continue;
    return Array.from({ length: last - first + 1 }, (_, index) => round((first + index) * step) * scale);
  }
  return [low, high];
}

const round = (value: number) => Number(value.toPrecision(12));

const TIME_STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 4, 7, 14, 28, 56, 112].map((days) => days * DAY),
];

/** Wall-clock time in the zone as if it were UTC, so that round hours and days are multiples again. */
function toWall(at: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = wallTime(at, timeZone);
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function fromWall(wall: number, timeZone: string): number {
  // Twice, because the offset at the first guess may be the one before a change of the clock.
  const guess = wall - (toWall(wall, timeZone) - wall);
  return guess + (wall - toWall(guess, timeZone));
}

/** Round hours or days of the zone within the window, at most `most`; days from the window's first midnight on. */
export function timeTicks(from: number, to: number, timeZone: string, most = 7): TimeTick[] {
  const step = TIME_STEPS.find((candidate) => (to - from) / candidate <= most) ?? to - from;
  const start = toWall(from, timeZone);
  const end = toWall(to, timeZone);
  const first = step > DAY ? Math.ceil(start / DAY) * DAY : Math.ceil(start / step) * step;
  const showsDays = step >= DAY;
  const showsMidnight = to - from > DAY;

  const ticks: TimeTick[] = [];
  for (let wall = first; wall <= end; wall += step) {
    const at = fromWall(wall, timeZone);
    // The hour that the clock leaves out has no place; the instant after it takes its own tick.
    if (at < from || at > to || toWall(at, timeZone) !== wall) continue;
    const share = (at - from) / (to - from);
    const label =
      showsDays || (showsMidnight && wall % DAY === 0) ? formatDay(at, timeZone) : formatClock(at, timeZone);
    ticks.push({ share, label, align: share < 0.02 ? "start" : share > 0.98 ? "end" : "middle" });
  }
  return ticks;
}
