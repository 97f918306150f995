import { wallTime } from "./format-time";

const two = (value: number) => String(value).padStart(2, "0");

/** An instant as the value of an `<input type="datetime-local">` in a zone: `2026-11-20T14:32`. */
export function toLocalInput(at: number, timeZone: string): string {
  const { year, month, day, hour, minute } = wallTime(at, timeZone);
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`;
}

/** The instant that such a value means; of an hour that happens twice the first, of one that does not exist the later; null if unreadable. */
export function fromLocalInput(value: string, timeZone: string): number | null {
  const found = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})/.exec(value);
  if (!found) return null;
  const [year, month, day, hour, minute] = found.slice(1).map(Number) as [number, number, number, number, number];
  const asUtc = Date.UTC(year, month - 1, day, hour, minute);
  const offsetAt = (at: number) => {
    const wall = wallTime(at, timeZone);
    return Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute) - Math.floor(at / 60_000) * 60_000;
  };
  const candidates = [asUtc - offsetAt(asUtc - 86_400_000), asUtc - offsetAt(asUtc + 86_400_000)];
  const exact = candidates.filter((at) => toLocalInput(at, timeZone) === value.slice(0, 16));
  return exact.length > 0 ? Math.min(...exact) : Math.max(...candidates);
}
