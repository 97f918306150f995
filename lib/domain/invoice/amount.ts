import { roundHalfAway } from "@/lib/domain/cost/money";

/** What divides the whole from its parts: "1,234.56" or "1.234,56". */
export const DECIMAL_MARKS = ["point", "comma"] as const;
export type DecimalMark = (typeof DECIMAL_MARKS)[number];

/** Why a text could not be read; what it is called and where it stands is said by whoever asked. */
export class Unreadable extends Error {}

type Scaled = { digits: bigint; scale: number };

const MOST_DIGITS = 24;
const SPACE = /[\s\u00a0\u2009\u202f]/;

/** Dollars as people and files write them, in micro-dollars: "$1,234.56", "(12.34)", "-0.5", "12.34 CR", "USD 5". */
export function parseMoney(text: string, mark: DecimalMark = "point"): bigint {
  let rest = text.trim();
  if (rest === "") throw new Unreadable("is empty");
  if (/[€£¥₹]|\b(?:EUR|GBP|JPY|CHF|CAD|AUD|INR)\b/i.test(rest)) throw new Unreadable("is not in US dollars");
  let isNegative = false;
  const take = (pattern: RegExp, negates = false) => {
    if (!pattern.test(rest)) return;
    rest = rest.replace(pattern, "").trim();
    if (negates) isNegative = !isNegative;
  };
  const bracketed = /^\((.*)\)$/s.exec(rest);
  if (bracketed) {
    isNegative = true;
    rest = (bracketed[1] ?? "").trim();
  }
  // A credit is told by the letters or by the sign, never twice.
  const isCredit = /\s*CR$/i.test(rest);
  take(/\s*(?:CR|DR)$/i);
  take(/^(?:US\$|USD|\$)/i);
  take(/(?:USD|US\$|\$)$/i);
  take(/^[-−–]/, true);
  take(/^\+/);
  take(/^(?:US\$|USD|\$)/i);
  take(/[-−]$/, true);
  if (isCredit) isNegative = true;
  const { digits, scale } = parseDigits(rest, mark);
  const micros = scaled(digits, scale, "is finer than a millionth of a dollar");
  return isNegative ? -micros : micros;
}

/** What a quantity is counted in. */
export const UNITS = ["minutes", "hours", "seconds", "gib_hours", "gib_months"] as const;
export type Unit = (typeof UNITS)[number];

const HOURS_PER_MONTH = 720n;

/** The unit that a word means: "hrs", "GiB-months"; null: none that is known. */
export function unitOf(text: string): Unit | null {
  const word = text.toLowerCase().replace(/[^a-z]/g, "");
  if (/^(?:gib?|gb)(?:months?|mo)$/.test(word)) return "gib_months";
  if (/^(?:gib?|gb)(?:hours?|hrs?|h)$/.test(word)) return "gib_hours";
  if (/^(?:(?:gpu|instance|node|vm)?hours?|(?:gpu)?hrs?|h)$/.test(word)) return "hours";
  if (/^(?:(?:gpu|instance)?minutes?|mins?|m)$/.test(word)) return "minutes";
  return /^(?:seconds?|secs?|s)$/.test(word) ? "seconds" : null;
}

/**
 * Millionths of a minute, or of a GiB-hour, rounded once: "149", "2.4833 h", "2:29", "1,024 GiB-hours". A unit that stands
 * beside the number wins over the one that is given.
 */
export function parseQuantity(text: string, unit: Unit, mark: DecimalMark = "point"): bigint {
  const found = /^([-−]?[\d.,\s\u00a0\u202f']*\d)\s*([a-z][a-z\s/·-]*)?$/i.exec(text.trim());
  const clock = /^(\d{1,6}):([0-5]\d)(?::([0-5]\d))?$/.exec(text.trim());
  if (clock && unit !== "gib_hours" && unit !== "gib_months") {
    const [hours = 0n, minutes = 0n, seconds = 0n] = clock.slice(1).map((part) => BigInt(part ?? 0));
    return roundHalfAway((hours * 3600n + minutes * 60n + seconds) * 1_000_000n, 60n);
  }
  if (!found) throw new Unreadable(`is not a quantity: ${shown(text)}`);
  const written = found[2] ? unitOf(found[2]) : unit;
  if (written === null) throw new Unreadable(`has a unit that is not known: ${shown(found[2] ?? "")}`);
  const body = (found[1] ?? "").replace("−", "-");
  const isNegative = body.startsWith("-");
  const { digits, scale } = parseDigits(isNegative ? body.slice(1) : body, mark);
  const [times, over] = FACTORS[written];
  const size = roundHalfAway(digits * times * 1_000_000n, over * 10n ** BigInt(scale));
  if (size >= 10n ** 23n) throw new Unreadable("is too large");
  return isNegative ? -size : size;
}

const FACTORS: Record<Unit, readonly [times: bigint, over: bigint]> = {
  minutes: [1n, 1n],
  hours: [60n, 1n],
  seconds: [1n, 60n],
  gib_hours: [1n, 1n],
  gib_months: [HOURS_PER_MONTH, 1n],
};

/** A number with or without thousands marks; every group between them has three digits. */
function parseDigits(text: string, mark: DecimalMark): Scaled {
  const plain = text.trim();
  if (plain === "") throw new Unreadable("is not a number");
  const [whole = "", fraction, ...more] = plain.split(mark === "point" ? "." : ",");
  const grouped = mark === "point" ? /[,\s\u00a0\u2009\u202f']/ : /[.\s\u00a0\u2009\u202f']/;
  const groups = whole.split(grouped);
  const isWhole =
    groups.length === 1
      ? /^\d*$/.test(whole)
      : /^\d{1,3}$/.test(groups[0] ?? "") && groups.slice(1).every((group) => /^\d{3}$/.test(group));
  const isFraction = fraction === undefined || /^\d*$/.test(fraction);
  if (more.length > 0 || !isWhole || !isFraction || (whole === "" && !fraction))
    throw new Unreadable(`is not a number${hintOf(plain, mark)}: ${shown(text)}`);
  const digits = `${groups.join("")}${fraction ?? ""}` || "0";
  if (digits.length > MOST_DIGITS) throw new Unreadable("has too many digits");
  return { digits: BigInt(digits), scale: (fraction ?? "").length };
}

/** Where the text would be a number with the other mark, this is said: nobody guesses about money. */
function hintOf(text: string, mark: DecimalMark): string {
  if (SPACE.test(text)) return "";
  const other = mark === "point" ? /^\d{1,3}(?:\.\d{3})*,\d+$|^\d+,\d+$/ : /^\d{1,3}(?:,\d{3})*\.\d+$|^\d+\.\d+$/;
  return other.test(text) ? ` with a decimal ${mark}` : "";
}

function scaled(digits: bigint, scale: number, tooFine: string): bigint {
  const millionths = digits * 1_000_000n;
  const divisor = 10n ** BigInt(scale);
  if (millionths % divisor !== 0n) throw new Unreadable(tooFine);
  const amount = millionths / divisor;
  // What a database column of 64 bits holds, with room for a sum.
  if (amount >= 10n ** 18n) throw new Unreadable("is too large");
  return amount;
}

const shown = (text: string) => `“${text.length > 30 ? `${text.slice(0, 30)}…` : text}”`;
