import type { PriceRow, PriceUnit } from "@/lib/db/cost/observations";
import { EVERY_REGION } from "@/lib/db/fleet/catalog";
import type { PriceInterval } from "@/lib/domain/cost/rows";

/** What a thing is billed by. The price on a machine's own row holds only as long as its type is in no list. */
export function pricesOf(
  book: readonly PriceRow[],
  thing: { sku: string | null | undefined; unit: PriceUnit; region: string | undefined },
): PriceInterval[] {
  const mine = book.filter((price) => price.sku === thing.sku && price.unit === thing.unit);
  const listed = mine.filter((price) => price.region === EVERY_REGION);
  const listedFrom = Math.min(...listed.map((price) => price.from ?? Number.NEGATIVE_INFINITY));
  const own = mine.filter(
    (price) => price.region !== EVERY_REGION && price.region === thing.region && (price.from ?? 0) < listedFrom,
  );
  const until = Number.isFinite(listedFrom) ? listedFrom : null;
  return [...own.map((price) => ({ ...price, to: earlier(price.to, until) })), ...listed];
}

function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}
