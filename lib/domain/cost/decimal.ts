import { roundHalfAway } from "./money";

/** An exact number: numerator ÷ denominator, which is positive; as parsed, a power of ten. */
export type Decimal = { numerator: bigint; denominator: bigint };

const MOST_DIGITS = 60;

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

/** An exact number as it is written, without idle zeros: "0.745", "149", "-0.5". Throws a RangeError where its digits do not end. */
export function exactText({ numerator, denominator }: Decimal): string {
  const reduced = denominator / divisor(numerator < 0n ? -numerator : numerator, denominator);
  let digits = 0;
  while (10n ** BigInt(digits) % reduced !== 0n) {
    if (++digits > MOST_DIGITS) throw new RangeError("No decimal number has this value");
  }
  return decimalText(numerator, denominator, digits);
}

export function plus(a: Decimal, b: Decimal): Decimal {
  return {
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  };
}

export function times(a: Decimal, b: Decimal): Decimal {
  return { numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator };
}

/** Null where nothing is divided by. */
export function over(a: Decimal, b: Decimal): Decimal | null {
  if (b.numerator === 0n) return null;
  const sign = b.numerator < 0n ? -1n : 1n;
  return { numerator: sign * a.numerator * b.denominator, denominator: sign * a.denominator * b.numerator };
}

/** part ÷ whole in per cent with its sign: "+39.5", "-7.8", "+0.0"; null where the whole is nothing. */
export function signedPct(part: bigint, whole: bigint, digits: number): string | null {
  if (whole === 0n) return null;
  const sign = whole < 0n ? -1n : 1n;
  const text = decimalText(sign * part * 100n, sign * whole, digits);
  return text.startsWith("-") ? text : `+${text}`;
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

function divisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : divisor(b, a % b);
}
