import { monthAfter } from "./compare";
import { minutesCost } from "./meter";
import type { Micros } from "./money";

export type PricedMinutes = { minutes: number; microsPerHour: Micros };

export type PriceCorrection = {
  bookedMicros: Micros;
  rightMicros: Micros;
  /** What is posted beside the row of the closed month, which stays as it is (R8). */
  entryMicros: Micros;
  /** The first month that is still open. */
  postedIn: string;
};

/** A wrong price or quantity found after a close. */
export function priceCorrection(
  closedMonth: string,
  booked: PricedMinutes,
  right: PricedMinutes,
  closed: ReadonlySet<string> = new Set(),
): PriceCorrection {
  const bookedMicros = minutesCost(booked.minutes, booked.microsPerHour);
  const rightMicros = minutesCost(right.minutes, right.microsPerHour);
  let postedIn = monthAfter(closedMonth, "UTC");
  while (closed.has(postedIn)) postedIn = monthAfter(postedIn, "UTC");
  return { bookedMicros, rightMicros, entryMicros: rightMicros - bookedMicros, postedIn };
}

/** A row that another should have borne: reversed, and posted again to the right one. The two add up to nothing. */
export function reallocation<T>(
  original: { payer: T; micros: Micros },
  right: T,
): [{ payer: T; micros: Micros }, { payer: T; micros: Micros }] {
  return [
    { payer: original.payer, micros: -original.micros },
    { payer: right, micros: original.micros },
  ];
}
