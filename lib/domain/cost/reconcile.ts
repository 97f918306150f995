import { decimalText, squareRoot } from "./decimal";
import { meter } from "./meter";
import { MICROS_PER_CENT, type Micros, roundHalfAway, sum } from "./money";
import { monthRange } from "./zone";

/**
 * R9: how far the rows of an invoice may lie from its amount through rounding alone, as FOCUS 1.4 has it: 100 smallest units of
 * the currency, or half a unit for the root of the rows.
 */
export function roundingTolerance(rows: number, subunitMicros: Micros = MICROS_PER_CENT): Micros {
  const floor = 100n * subunitMicros;
  // √rows × subunit ÷ 2, to the nearest: ⌊√(rows × subunit²) + ½⌋ of the half.
  const statistical = (squareRoot(BigInt(rows) * subunitMicros * subunitMicros) + 1n) / 2n;
  return statistical > floor ? statistical : floor;
}

export type Compared = {
  toleranceMicros: Micros;
  /** Positive: the invoice is dearer than the ledger. */
  differenceMicros: Micros;
  isMatch: boolean;
};

/** An amount of an invoice against the rows of the ledger that it is for. A difference as large as the tolerance is within it. */
export function compareAmounts(input: {
  ledgerMicros: Micros;
  invoiceMicros: Micros;
  rows: number;
  subunitMicros?: Micros;
}): Compared {
  const toleranceMicros = roundingTolerance(input.rows, input.subunitMicros);
  const differenceMicros = input.invoiceMicros - input.ledgerMicros;
  return { toleranceMicros, differenceMicros, isMatch: size(differenceMicros) <= toleranceMicros };
}

export type InvoiceCategory = "Usage" | "Purchase" | "Tax" | "Credit" | "Adjustment";

export type Reconciled = Compared & { taxMicros: Micros; creditMicros: Micros; payableMicros: Micros };

/** Lines of an invoice against the metered usage: tax and credits are lines of their own and no difference (C63). */
export function compareLines(
  ledgerMicros: Micros,
  lines: readonly { category: InvoiceCategory; micros: Micros }[],
  rows: number = lines.length,
): Reconciled {
  const of = (category: InvoiceCategory) =>
    sum(lines.filter((line) => line.category === category).map(({ micros }) => micros));
  return {
    ...compareAmounts({ ledgerMicros, invoiceMicros: of("Usage"), rows }),
    taxMicros: of("Tax"),
    creditMicros: of("Credit"),
    payableMicros: sum(lines.map(({ micros }) => micros)),
  };
}

export type ImpliedRate = {
  /** The nearest whole cents per hour that an invoice amounts to. */
  microsPerHour: Micros;
  /** The amount is that rate for these minutes, to the cent: somebody has another price than we have. */
  isWhole: boolean;
};

/** The rate that an invoice implies for minutes that are agreed on (C62). Null: there are none. */
export function impliedRate(invoiceMicros: Micros, minutes: number): ImpliedRate | null {
  if (minutes <= 0) return null;
  const centsPerHour = roundHalfAway(invoiceMicros * 60n, BigInt(minutes) * MICROS_PER_CENT);
  const microsPerHour = centsPerHour * MICROS_PER_CENT;
  const exactly = roundHalfAway(microsPerHour * BigInt(minutes), 60n);
  return { microsPerHour, isWhole: 2n * size(exactly - invoiceMicros) <= MICROS_PER_CENT };
}

/** Of the first, in per cent to two digits; null where that is nothing. */
export function differencePct(ledgerMicros: Micros, invoiceMicros: Micros): string | null {
  if (ledgerMicros === 0n) return null;
  return decimalText((invoiceMicros - ledgerMicros) * 100n * sign(ledgerMicros), size(ledgerMicros), 2);
}

export type Straddling = {
  invoiceMicros: Micros;
  months: {
    month: string;
    micros: Micros;
    /** What a close of the month must accrue: the invoice comes when its period is over, and then the month is, too. */
    accruedMicros: Micros;
  }[];
};

/** What of an invoice period falls to each month, for machines that run all through it (C61). */
export function straddling(input: {
  from: number;
  to: number;
  instances: number;
  microsPerHour: Micros;
  zone: string;
}): Straddling {
  const { from, to, instances, microsPerHour, zone } = input;
  const prices = [{ priceId: 1, from: null, to: null, micros: microsPerHour }];
  const months = meter({ from, to, prices, owners: [], zone }, "month").map((row) => {
    const micros = (row.micros ?? 0n) * BigInt(instances);
    return { month: row.period, micros, accruedMicros: monthRange(row.period, zone).to <= to ? micros : 0n };
  });
  return { invoiceMicros: sum(months.map(({ micros }) => micros)), months };
}

function size(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function sign(value: bigint): bigint {
  return value < 0n ? -1n : 1n;
}
