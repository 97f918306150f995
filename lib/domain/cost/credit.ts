import type { Decimal } from "./decimal";
import { MICROS_PER_CENT, type Micros, roundHalfAway } from "./money";

export type AppliedCredit = {
  /** Negative: in our favour. */
  appliedMicros: Micros;
  billedMicros: Micros;
  remainingMicros: Micros;
};

/** A credit covers what it can: an invoice is never negative, and what is left of it is carried on (C45). A refund adds to it. */
export function applyCredit(usageMicros: Micros, balanceMicros: Micros): AppliedCredit {
  const balance = balanceMicros < 0n ? 0n : balanceMicros;
  const covered = usageMicros < balance ? usageMicros : balance;
  return { appliedMicros: -covered, billedMicros: usageMicros - covered, remainingMicros: balance - covered };
}

/** What a tax is taken of: the usage less its credits, or all of it. */
export type TaxBasis = "net" | "gross";

/** Tax in whole cents, half away from zero, once per invoice; the rate in per cent. */
export function taxMicros(baseMicros: Micros, ratePct: Decimal): Micros {
  const { numerator, denominator } = ratePct;
  return roundHalfAway(baseMicros * numerator, denominator * 100n * MICROS_PER_CENT) * MICROS_PER_CENT;
}

export type InvoiceTotal = { netMicros: Micros; taxMicros: Micros; totalMicros: Micros };

/** What an invoice comes to: usage, credits (negative, at most the usage), and tax on the one or on both. */
export function invoiceTotal(input: {
  usageMicros: Micros;
  creditMicros: Micros;
  taxRatePct: Decimal;
  taxBasis: TaxBasis;
}): InvoiceTotal {
  const { usageMicros, creditMicros, taxRatePct, taxBasis } = input;
  const { billedMicros } = applyCredit(usageMicros, -creditMicros);
  const tax = taxMicros(taxBasis === "net" ? billedMicros : usageMicros, taxRatePct);
  return { netMicros: billedMicros, taxMicros: tax, totalMicros: billedMicros + tax };
}
