import { hoursCost } from "@/lib/domain/cost/commitment";
import { type Decimal, signedPct } from "@/lib/domain/cost/decimal";
import type { Micros } from "@/lib/domain/cost/money";

export type Offer = {
  costMicros: Micros;
  /** Dearer (+) or cheaper (-) than the base, in per cent to one digit; null: the base costs nothing. */
  againstBasePct: string | null;
};

/** What hours cost at other prices, beside a base price. */
export function compareOffers<K extends string>(
  hours: Decimal,
  baseMicrosPerHour: Micros,
  offers: Readonly<Record<K, Micros>>,
): Record<K, Offer> {
  const compared = Object.entries<Micros>(offers).map(([name, price]) => [
    name,
    {
      costMicros: hoursCost(hours, price),
      againstBasePct: signedPct(price - baseMicrosPerHour, baseMicrosPerHour, 1),
    },
  ]);
  return Object.fromEntries(compared);
}
