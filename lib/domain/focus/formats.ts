import { type Decimal, over, parseDecimal, times } from "@/lib/domain/cost/decimal";

/** A number of the specification: plain, or mEn without a plus. Null: it is none. */
export function focusNumber(text: string): Decimal | null {
  const match = /^(-?\d+(?:\.\d+)?)(?:E(-?\d{1,3}))?$/.exec(text);
  if (!match) return null;
  const value = parseDecimal(match[1] ?? "");
  const exponent = BigInt(match[2] ?? "0");
  const power: Decimal = { numerator: 10n ** (exponent < 0n ? -exponent : exponent), denominator: 1n };
  return exponent < 0n ? over(value, power) : times(value, power);
}

export function isSameNumber(a: Decimal, b: Decimal): boolean {
  return a.numerator * b.denominator === b.numerator * a.denominator;
}

export function isFocusInstant(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text)) return false;
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 19) === text.slice(0, 19);
}

/** Text that says something: no empty strings in place of null, nothing that cannot be seen. */
export function isFocusString(text: string): boolean {
  return text.trim() !== "" && !/\p{Cc}/u.test(text);
}

/** A flat JSON object with unique keys. */
export function isKeyValue(text: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const isFlat = Object.values(value).every((one) => one === null || typeof one !== "object");
  // A key that stands twice is lost in parsing: what is printed again is then shorter.
  return isFlat && JSON.stringify(value).length === text.replaceAll(/\s+(?=(?:[^"]*"[^"]*")*[^"]*$)/g, "").length;
}

const SIZES = "[KMGTPE]?b|[KMGTPE]?B|[KMGTPE]i[bB]";
const TIMES = "Year|Month|Day|Hour|Minute|Second";
const COUNTED = "[A-Z][A-Za-z0-9]*(?: [A-Z][A-Za-z0-9]*)*s";
const UNIT = new RegExp(
  `^(?:\\d+ )?(?:(?:${SIZES})|(?:${TIMES})s|${COUNTED}|(?:${SIZES}|[A-Z][A-Za-z0-9]*)-(?:${TIMES})s|(?:${SIZES}|${COUNTED})/(?:${TIMES}))$`,
);

/** "Hours", "GiB-Months", "GPU-Hours", "Requests", "GB/Second". */
export function isUnit(text: string): boolean {
  return UNIT.test(text);
}

const CURRENCIES = new Set(Intl.supportedValuesOf("currency"));

/** A currency of ISO 4217. */
export function isCurrency(text: string): boolean {
  return CURRENCIES.has(text);
}
