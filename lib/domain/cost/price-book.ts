import { inForce, type PriceInterval, type Span } from "./rows";

export type PriceUnit = "instance_hour" | "gib_month";
export type PriceTier = "on_demand" | "negotiated" | "committed";
export type PriceSource = "api" | "instance_row" | "manual" | "csv" | "invoice";

/** A region of "*" is every one. */
export const EVERY_REGION = "*";

/** One interval of the price book, as it is believed now. */
export type BookPrice = PriceInterval & {
  sku: string;
  region: string;
  unit: PriceUnit;
  tier: PriceTier;
  source: PriceSource;
};

export type Priced = { sku: string | null | undefined; unit: PriceUnit; region: string | undefined };

/** Whether a running machine is billed by the price in force, or by the one at its launch. */
export type PriceMode = "current" | "launch";

/** When something was launched, as exactly as that is known; null: before anybody looked. */
export type Launch = { earliest: number | null; latest: number; best: number };

/** A stretch of a life that a commitment covers. */
export type Covered = Span & { commitmentId: string; rateMicros: bigint };

/**
 * What a thing is billed by, instant by instant: what a commitment covers at its rate, else a negotiated rate, else the list price
 * (a region's own before that of all, and the one on a machine's own row only where no list has its type). The list price stands beside.
 */
export function billedPrices(
  book: readonly BookPrice[],
  thing: Priced,
  { launch = null, covered = [] }: { launch?: Launch | null; covered?: readonly Covered[] } = {},
): PriceInterval[] {
  const mine = book.filter(
    ({ sku, unit, region }) =>
      sku === thing.sku && unit === thing.unit && (region === EVERY_REGION || region === thing.region),
  );
  const dated = listPrices(mine);
  const list = launch ? atLaunch(dated, launch) : dated;
  const negotiated = overlaid([
    mine.filter(({ tier, region }) => tier === "negotiated" && region !== EVERY_REGION),
    mine.filter(({ tier, region }) => tier === "negotiated" && region === EVERY_REGION),
  ]);
  if (negotiated.length === 0 && covered.length === 0) return list;
  const rates = covered.map(
    ({ from, to, commitmentId, rateMicros }): PriceInterval => ({
      priceId: 0,
      from,
      to,
      micros: rateMicros,
      commitmentId,
    }),
  );
  const uncovered = overlaid([negotiated, list]);
  return cutAt(overlaid([rates, uncovered]), [...list, ...negotiated]).flatMap((price) => {
    const at = startOf(price);
    const listed = topAt([list], at);
    // Covered minutes keep the interval by which they would have been billed.
    const priceId = price.commitmentId === undefined ? price.priceId : topAt([uncovered], at)?.priceId;
    if (priceId === undefined) return [];
    if (price.commitmentId === undefined && listed?.priceId === priceId) return [price];
    return [{ ...price, priceId, listMicros: listed?.micros ?? null }];
  });
}

/** The same intervals in pieces, none of which an edge of the others falls into. */
function cutAt(prices: readonly PriceInterval[], others: readonly Span[]): PriceInterval[] {
  const edges = [...new Set(others.flatMap(({ from, to }) => [from, to]))]
    .filter((edge) => edge !== null)
    .sort((a, b) => a - b);
  return prices.flatMap((price) => {
    const within = edges.filter((edge) => startOf(price) < edge && edge < (price.to ?? Number.POSITIVE_INFINITY));
    return [price.from, ...within].map((from, i) => ({
      ...price,
      from,
      to: within[i] ?? price.to,
      ...(i > 0 && { prevSeenAt: null }),
    }));
  });
}

/** List prices alone. */
function listPrices(mine: readonly BookPrice[]): PriceInterval[] {
  const list = mine.filter(({ tier }) => tier === "on_demand");
  const isOwnRow = ({ source }: BookPrice) => source === "instance_row";
  return overlaid([
    list.filter((price) => price.region !== EVERY_REGION && !isOwnRow(price)),
    list.filter((price) => price.region === EVERY_REGION),
    list.filter((price) => price.region !== EVERY_REGION && isOwnRow(price)),
  ]);
}

/** The one price of a whole life: that of its launch, with the least and the most it can have been. */
function atLaunch(list: readonly PriceInterval[], { earliest, latest, best }: Launch): PriceInterval[] {
  const price = inForce(list, best) ?? inForce(list, latest);
  if (!price) return [];
  const since = earliest ?? best;
  const possible = list.filter(({ from, to, prevSeenAt }) => {
    const begins = prevSeenAt ?? from ?? Number.NEGATIVE_INFINITY;
    return begins <= latest && (to === null || since < to);
  });
  const rates = [price, ...possible].map(({ micros }) => micros).sort((a, b) => (a < b ? -1 : 1));
  const { priceId, micros } = price;
  const [lowMicros = micros] = rates;
  return [{ priceId, micros, from: null, to: null, lowMicros, highMicros: rates.at(-1) ?? micros }];
}

/** Layers over each other: at each instant the first that has a price. Cut only where another price begins to hold. */
function overlaid(layers: readonly (readonly PriceInterval[])[]): PriceInterval[] {
  const filled = layers.filter((layer) => layer.length > 0);
  if (filled.length <= 1) return [...(filled[0] ?? [])].sort((a, b) => startOf(a) - startOf(b));
  const all = filled.flat();
  const edges = [
    ...new Set(all.flatMap(({ from, to }) => [from ?? Number.NEGATIVE_INFINITY, to ?? Number.POSITIVE_INFINITY])),
  ];
  edges.sort((a, b) => a - b);
  const result: PriceInterval[] = [];
  let last: PriceInterval | null = null;
  for (const [i, edge] of edges.slice(0, -1).entries()) {
    const until = edges[i + 1] ?? Number.POSITIVE_INFINITY;
    const top = topAt(filled, edge);
    const to = until === Number.POSITIVE_INFINITY ? null : until;
    const before = result.at(-1);
    if (top && top === last && before) before.to = to;
    else if (top) {
      const from = edge === Number.NEGATIVE_INFINITY ? null : edge;
      // The instant of a change is in doubt only where this layer's own change is what begins here.
      result.push({ ...top, from, to, prevSeenAt: from === top.from ? (top.prevSeenAt ?? null) : null });
    }
    last = top;
  }
  return result;
}

function topAt(layers: readonly (readonly PriceInterval[])[], at: number): PriceInterval | null {
  for (const layer of layers) {
    const price = layer.find((one) => startOf(one) <= at && at < (one.to ?? Number.POSITIVE_INFINITY));
    if (price) return price;
  }
  return null;
}

function startOf({ from }: Span): number {
  return from ?? Number.NEGATIVE_INFINITY;
}

/** What of intervals can still matter before an instant: they are the same as long as nothing before it was changed. */
export function clipped<T extends Span & { prevSeenAt?: number | null }>(intervals: readonly T[], until: number): T[] {
  return intervals
    .filter((one) => startOf(one) < until || (one.prevSeenAt ?? until) < until)
    .map((one) => ({ ...one, to: one.to !== null && one.to >= until ? null : one.to }));
}
