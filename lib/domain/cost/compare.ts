import { dayOf, dayStarts, monthOf, monthRange } from "./zone";

/** The accounting days of a month. */
export function daysOfMonth(month: string, zone: string): string[] {
  const { from, to } = monthRange(month, zone);
  return [dayOf(from, zone), ...dayStarts(from, to, zone).map((at) => dayOf(at, zone))];
}

export function monthBefore(month: string, zone: string): string {
  return monthOf(monthRange(month, zone).from - 1, zone);
}

export function monthAfter(month: string, zone: string): string {
  return monthOf(monthRange(month, zone).to, zone);
}

export type DaySpan = { fromDay: string; toDay: string };

/**
 * What a month is measured against. A finished month: the whole of the one before. The current one, of which today is not over:
 * as many whole days of both. Null on its first day.
 */
export function comparedDays(month: string, today: string, zone: string): { own: DaySpan; before: DaySpan } | null {
  const own = daysOfMonth(month, zone).filter((day) => day < today);
  const before = daysOfMonth(monthBefore(month, zone), zone);
  const isOver = today.slice(0, 7) > month;
  const count = Math.min(own.length, before.length);
  const a = spanOf(isOver ? own : own.slice(0, count));
  const b = spanOf(isOver ? before : before.slice(0, count));
  return a && b && { own: a, before: b };
}

function spanOf(days: readonly string[]): DaySpan | null {
  const [fromDay, toDay] = [days[0], days.at(-1)];
  return fromDay === undefined || toDay === undefined ? null : { fromDay, toDay };
}
