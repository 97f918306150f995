import { createHash } from "node:crypto";
import { type LedgerRow, replaceRows } from "@/lib/db/cost/ledger";
import {
  insertRowPrice,
  listMetered,
  listPrices,
  type MeteredResource,
  ownersOf,
  type PriceRow,
  type SpanFact,
  usedBytes,
} from "@/lib/db/cost/observations";
import { readSetting } from "@/lib/db/settings";
import type { Ctx } from "@/lib/domain/access";
import { type Life, lifeOf } from "@/lib/domain/cost/lifecycle";
import { boundedLines } from "@/lib/domain/cost/meter";
import type { OwnerInterval, PriceInterval } from "@/lib/domain/cost/rows";
import { filesystemLines } from "@/lib/domain/cost/storage";
import { dayOf, dayRange } from "@/lib/domain/cost/zone";
import { pricesOf } from "./prices";

const DAY_MS = 24 * 3_600_000;
/** The provider's log may name the end of a life long after it; until then its rows may change. */
const SETTLED_AFTER_MS = 3 * DAY_MS;

/** Brings the ledger up to what was observed: the same observations, in any order and however often, give the same rows. */
export async function meterCosts(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const { zone } = await readSetting("accounting");
  const resources = await listMetered();
  const prices = await pricesFor(ctx, resources);
  for (const resource of resources) {
    if (signal?.aborted) return;
    await meterOne(ctx, resource, prices, zone);
  }
}

async function meterOne(ctx: Ctx, resource: MeteredResource, book: PriceRow[], zone: string): Promise<void> {
  const now = ctx.now.getTime();
  const { id: resourceId, kind, spans, isGone } = resource;
  const [first] = spans;
  if (!first) return;
  const prices = priceIntervals(book, kind, spans);
  const owners = fromTheStart(await ownersOf(resource.labels));
  const meteredFor = fingerprint(resource, prices, owners, zone);
  // While nothing was seen that could change older days, only yesterday and today are open.
  const isUnchanged = meteredFor === resource.meteredFor;
  const sinceDay = isUnchanged ? dayOf(now - DAY_MS, zone) : null;
  const since = sinceDay === null ? undefined : dayRange(sinceDay, zone).from;

  const { rows, life } =
    kind === "instance"
      ? usageRows(resource, prices, owners, zone, now, since)
      : { rows: storageRows(resource, prices, owners, zone, now, since), life: null };
  const endedAt = spans.at(-1)?.validTo ?? spans.at(-1)?.validFrom ?? 0;
  const isFinal = isGone && !life?.isRunning && now - endedAt > SETTLED_AFTER_MS;
  await replaceRows({
    resourceId,
    since: sinceDay,
    rows,
    meteredFor,
    isFinal,
    bill: life && { from: dates(life.from), to: dates(life.to) },
    evidence: life?.evidence ?? null,
  });
}

function usageRows(
  resource: MeteredResource,
  prices: PriceInterval[],
  owners: OwnerInterval[],
  zone: string,
  now: number,
  since: number | undefined,
): { rows: LedgerRow[]; life: Life | null } {
  const { id: resourceId, spans, events, isGone, lastPollAt } = resource;
  const life = lifeOf({ spans, events, isGone, lastPollAt, now });
  if (!life) return { rows: [], life };
  const rows = boundedLines({ life, isFlagged: life.isFlagged, prices, owners, zone, since }).map(
    (line): LedgerRow => ({
      resourceId,
      charge: "usage",
      spanId: spanAt(spans, line.startsAt).id,
      byteHours: null,
      ...line,
    }),
  );
  return { rows, life };
}

function storageRows(
  { id: resourceId, spans, isGone }: MeteredResource,
  prices: PriceInterval[],
  owners: OwnerInterval[],
  zone: string,
  now: number,
  since: number | undefined,
): LedgerRow[] {
  const from = spans[0]?.validFrom ?? now;
  const to = isGone ? (spans.at(-1)?.validTo ?? now) : now;
  return filesystemLines({ from, to, used: usedBytes(spans), prices, owners, zone, since }).map((line) => ({
    resourceId,
    charge: "storage",
    spanId: spanAt(spans, line.startsAt).id,
    minutes: 0,
    lowMicros: line.micros,
    highMicros: line.micros,
    ...line,
  }));
}

/** The provider's words at an instant; before the first look, the first ones. */
function spanAt(spans: SpanFact[], at: number): SpanFact {
  const found = spans.findLast((span) => span.validFrom <= at) ?? spans[0];
  if (!found) throw new Error("a resource without spans");
  return found;
}

/** Labels are known from the first look on; what a machine may have cost before that is borne by the same people. */
function fromTheStart([first, ...rest]: OwnerInterval[]): OwnerInterval[] {
  return first ? [{ ...first, from: null }, ...rest] : [];
}

export const STORAGE_SKU = "filesystem";

function priceIntervals(book: PriceRow[], kind: MeteredResource["kind"], spans: SpanFact[]): PriceInterval[] {
  const last = spans.at(-1);
  return kind === "instance"
    ? pricesOf(book, { sku: last?.typeName, unit: "instance_hour", region: last?.region })
    : pricesOf(book, { sku: STORAGE_SKU, unit: "gib_month", region: last?.region });
}

/** The price book; a type that the provider does not list is billed by the price on its own row. */
async function pricesFor(ctx: Ctx, resources: MeteredResource[]): Promise<PriceRow[]> {
  const book = await listPrices();
  const isListed = new Set(book.filter((price) => price.unit === "instance_hour").map((price) => price.sku));
  const missing = resources.flatMap(({ kind, spans }) => {
    const priced =
      kind === "instance"
        ? spans.find((span) => span.typeName && !isListed.has(span.typeName) && span.priceMicros !== null)
        : undefined;
    return priced?.typeName && priced.priceMicros !== null
      ? [
          {
            provider: priced.provider,
            sku: priced.typeName,
            region: priced.region,
            micros: priced.priceMicros,
            from: priced.prevPollAt ?? priced.validFrom,
          },
        ]
      : [];
  });
  for (const price of missing) await insertRowPrice({ ...price, at: ctx.now });
  return missing.length > 0 ? listPrices() : book;
}

function fingerprint(
  { spans, events, isGone }: MeteredResource,
  prices: PriceInterval[],
  owners: OwnerInterval[],
  zone: string,
): string {
  // How long an open span was seen is what `now` changes; everything else changes the past.
  const text = JSON.stringify([spans, events, isGone, prices, owners, zone], (_key, value) =>
    typeof value === "bigint" ? value.toString() : value,
  );
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

function dates(edge: { low: number; best: number; high: number }) {
  return { low: new Date(edge.low), best: new Date(edge.best), high: new Date(edge.high) };
}
