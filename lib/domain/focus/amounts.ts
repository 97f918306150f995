import { type Decimal, decimalText, exactText, parseDecimal, times } from "@/lib/domain/cost/decimal";
import { centsOf, MICROS_PER_CENT, type Micros } from "@/lib/domain/cost/money";

const USD = 1_000_000n;
const QUANTITY_DIGITS = 12;
const MINUTES_PER_HOUR = 60n;
/** A GiB-month of the price list has 720 hours. */
const BYTE_HOURS_PER_GIB_MONTH = 720n * 2n ** 30n;
const BYTE_HOURS_PER_GIB_HOUR = 2n ** 30n;

/** Dollars with all six decimals, as the ledger has them. */
export function usdText(micros: Micros): string {
  return decimalText(micros, USD, 6);
}

/** A price as a price list has it: in cents where it is whole cents. */
export function unitPriceText(micros: Micros): string {
  return micros % MICROS_PER_CENT === 0n
    ? decimalText(centsOf(micros), 100n, 2)
    : exactText({ numerator: micros, denominator: USD });
}

export function hoursText(minutes: bigint): string {
  return quantityText({ numerator: minutes, denominator: MINUTES_PER_HOUR });
}

export function gibMonthsText(byteHours: bigint): string {
  return quantityText({ numerator: byteHours, denominator: BYTE_HOURS_PER_GIB_MONTH });
}

export function gibHoursText(byteHours: bigint): string {
  return quantityText({ numerator: byteHours, denominator: BYTE_HOURS_PER_GIB_HOUR });
}

/** At most twelve decimals, half away from zero, and no idle zeros. */
function quantityText({ numerator, denominator }: Decimal): string {
  return exactText(parseDecimal(decimalText(numerator, denominator, QUANTITY_DIGITS)));
}

/** The exact product of two numbers as they are printed: a reader who multiplies them gets the third. */
export function productText(unitPrice: string, quantity: string): string {
  return exactText(times(parseDecimal(unitPrice), parseDecimal(quantity)));
}
