const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const INFINITY = /^([+-]?)inf(?:inity)?$/i;
const SHORT_DIGITS = /^-?\d{1,15}$/;

/**
 * A number as Go's `strconv.ParseFloat` reads it, which is what Prometheus takes: decimal digits, `NaN` and `Inf` in any case.
 * Null for anything else: hexadecimal, `_`, what is too great for a double, an empty text.
 */
export function parseNumber(text: string): number | null {
  if (SHORT_DIGITS.test(text)) return Number(text);
  if (DECIMAL.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : null;
  }
  const sign = INFINITY.exec(text)?.[1];
  if (sign !== undefined) return sign === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return text.length === 3 && text.toLowerCase() === "nan" ? Number.NaN : null;
}
