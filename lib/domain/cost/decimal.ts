import { roundHalfAway } from "./money";

/** An exact decimal number: numerator ÷ denominator, a power of ten. */
export type Decimal = { numerator: bigint; denominator: bigint };

/** "0.9200", "-12", "35.5". Throws a RangeError for anything else. */
export function parseDecimal(text: string): Decimal {
  const match = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text.trim());
  if (!match) throw new RangeError(`Not a decimal number: ${text.slice(0, 40)}`);
  const [, sign, whole = "", fraction = ""] = match;
  const digits = BigInt(whole + fraction);
  return { numerator: sign === "-" ? -digits : digits, denominator: 10n ** BigInt(fraction.length) };
}

/** numerator ÷ denominator to so many digits after the point, half away from zero: "-2.4879". For files, not for people. */
export function decimalText(numerator: bigint, denominator: bigint, digits: number): string {
  const scale = 10n ** BigInt(digits);
  const units = roundHalfAway(numerator * scale, denominator);
  const size = units < 0n ? -units : units;
  const fraction = digits === 0 ? "" : `.${String(size % scale).padStart(digits, "0")}`;
  return `${units < 0n ? "-" : ""}${size / scale}${fraction}`;
}

/** Cents of another currency at so many of its units per dollar, rounded once: for statements only, the ledger stays in dollars. */
export function centsAtRate(micros: bigint, unitsPerUsd: string): bigint {
  const { numerator, denominator } = parseDecimal(unitsPerUsd);
  return roundHalfAway(micros * numerator, denominator * 10_000n);
}

/** The largest integer whose square is not larger. */
export function squareRoot(value: bigint): bigint {
  if (value < 0n) throw new RangeError("No root of a negative number");
  if (value < 2n) return value;
  let guess = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}
