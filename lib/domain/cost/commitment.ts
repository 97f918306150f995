import { type Decimal, decimalText } from "./decimal";
import { type Micros, roundHalfAway } from "./money";

/** What hours cost at a rate, rounded once. */
export function hoursCost(hours: Decimal, microsPerHour: Micros): Micros {
  return roundHalfAway(microsPerHour * hours.numerator, hours.denominator);
}

/** What a reservation of so many GPUs costs for a time, used or not. */
export function reservationCost(gpus: bigint, hours: Decimal, microsPerGpuHour: Micros): Micros {
  return hoursCost({ ...hours, numerator: hours.numerator * gpus }, microsPerGpuHour);
}

export type NegotiatedCost = {
  listMicros: Micros;
  contractedMicros: Micros;
  savingsMicros: Micros;
  /** Of the list price, to two digits; null where that is nothing. */
  savingsPct: string | null;
};

/** Hours at a negotiated rate beside the list price; what is billed is the negotiated cost. */
export function negotiatedCost(hours: Decimal, listMicros: Micros, contractedMicros: Micros): NegotiatedCost {
  const list = hoursCost(hours, listMicros);
  const contracted = hoursCost(hours, contractedMicros);
  const savings = list - contracted;
  return {
    listMicros: list,
    contractedMicros: contracted,
    savingsMicros: savings,
    savingsPct: list > 0n ? decimalText(savings * 100n, list, 2) : null,
  };
}

/** The share of hours, in per cent to two digits, above which a committed rate is cheaper than on demand. Null: nothing is cheaper than free. */
export function breakEvenPct(committedMicrosPerHour: Micros, onDemandMicrosPerHour: Micros): string | null {
  return onDemandMicrosPerHour > 0n ? decimalText(committedMicrosPerHour * 100n, onDemandMicrosPerHour, 2) : null;
}
