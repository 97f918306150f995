import { Unreadable } from "./amount";

/** In which order a date of three numbers is written. */
export const DATE_ORDERS = ["mdy", "dmy"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const TIME = /^(.*?)(?:[T\s]+(\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[AP]M)?)\s*(?:Z|UTC|GMT|[+-]00:?00)?)$/i;

export type WrittenDay = {
  day: string;
  /** It says midnight: as the end of something, the day before is meant. */
  isMidnight: boolean;
};

/**
 * A day as people and files write it: "2026-11-02", "2 Nov 2026", "November 2, 2026", "20261102", an instant in UTC; "11/02/2026"
 * by the order that somebody chose, and not at all while nobody did and both are possible.
 */
export function parseDay(text: string, order: DateOrder | null): WrittenDay {
  const trimmed = text.trim();
  const timed = TIME.exec(trimmed);
  const words = (timed?.[1] ?? trimmed).replace(/[,\s]+$/, "");
  const isMidnight = timed !== null && /^0{1,2}:00(?::00(?:\.0+)?)?$|^12:00(?::00)?\s*AM$/i.test(timed[2] ?? "");
  return { day: dayOf(words, order), isMidnight };
}

function dayOf(text: string, order: DateOrder | null): string {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (iso) return valid(Number(iso[1]), Number(iso[2]), Number(iso[3]), text);
  const numbers = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})$/.exec(text);
  if (numbers) {
    const [a, b, year] = [Number(numbers[1]), Number(numbers[2]), yearOf(numbers[3] ?? "")];
    const found = order ?? (a > 12 ? "dmy" : b > 12 || a === b ? "mdy" : null);
    if (found === null) throw new Unreadable(`may be a day of two months: ${text}. Choose the order of dates`);
    return found === "mdy" ? valid(year, a, b, text) : valid(year, b, a, text);
  }
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?[\s.-]*([a-z]{3,9})\.?[\s,-]*(\d{4}|\d{2})$/i.exec(text);
  if (dayFirst) return valid(yearOf(dayFirst[3] ?? ""), monthOf(dayFirst[2], text), Number(dayFirst[1]), text);
  const monthFirst = /^([a-z]{3,9})\.?[\s-]*(\d{1,2})(?:st|nd|rd|th)?[\s,-]+(\d{4}|\d{2})$/i.exec(text);
  if (monthFirst) return valid(yearOf(monthFirst[3] ?? ""), monthOf(monthFirst[1], text), Number(monthFirst[2]), text);
  throw new Unreadable(`is not a date: “${text.slice(0, 30)}”`);
}

function monthOf(word: string | undefined, text: string): number {
  const month = MONTHS.indexOf((word ?? "").slice(0, 3).toLowerCase()) + 1;
  if (month === 0) throw new Unreadable(`is not a date: “${text.slice(0, 30)}”`);
  return month;
}

function yearOf(text: string): number {
  return text.length === 2 ? 2000 + Number(text) : Number(text);
}

function valid(year: number, month: number, day: number, text: string): string {
  const date = new Date(Date.UTC(year, month - 1, day));
  if (year < 2000 || year > 2199 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day)
    throw new Unreadable(`is not a day of the calendar: ${text.slice(0, 30)}`);
  return date.toISOString().slice(0, 10);
}

/** The order in which all of these dates make sense; null: both do, or neither. */
export function guessOrder(texts: readonly string[]): DateOrder | null {
  const reads = (order: DateOrder) =>
    texts.every((text) => {
      try {
        return parseDay(text, order).day !== "";
      } catch {
        return false;
      }
    });
  const [isMdy, isDmy] = [reads("mdy"), reads("dmy")];
  return isMdy === isDmy ? null : isMdy ? "mdy" : "dmy";
}

const DAY_MS = 86_400_000;

/** So many days later. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

/** From the first to the last, both in. */
export function countDays(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS) + 1;
}
