import { createHash } from "node:crypto";
import { type LedgerRow, type Metered, replaceRows } from "@/lib/db/cost/ledger";
import { listMetered, type MeteredResource, readMetered, type SpanFact, usedBytes } from "@/lib/db/cost/observations";
import { type AllocationBook, ownersOf, readAllocation } from "@/lib/db/cost/owners";
import { assertRowPrices, type BookPrice, listPrices, listRowPrices } from "@/lib/db/cost/prices";
import { readSetting } from "@/lib/db/settings";
import type { Ctx } from "@/lib/domain/access";
import { launchOf, lifeOf } from "@/lib/domain/cost/lifecycle";
import { boundedLines } from "@/lib/domain/cost/meter";
import { billedPrices, type Covered, clipped, type PriceMode } from "@/lib/domain/cost/price-book";
import type { OwnerInterval, PriceInterval } from "@/lib/domain/cost/rows";
import { filesystemLines } from "@/lib/domain/cost/storage";
import { dayOf, dayRange } from "@/lib/domain/cost/zone";
import { settleCharges } from "./charges";
import { coveredLives, settleCommitments } from "./commitments";
import { spreadShared } from "./sharing";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** The provider's log may name the end of a life long after it; until then its rows may change. */
const SETTLED_AFTER_MS = 3 * DAY_MS;
/** Resources that are read at once, and rows that are written at once. */
const PAGE = 250;
const MOST_ROWS = 4_000;

/** What every resource of a run is metered with. */
type Run = {
  now: number;
  zone: string;
  mode: PriceMode;
  book: BookPrice[];
  allocation: AllocationBook;
  covered: Map<string, Covered[]>;
  /** From this day on everything is worked out anew, whatever changed. */
  anewFrom: string | null;
};

type Options = { signal?: AbortSignal | undefined; anewFrom?: string | null };

/** Brings the ledger up to what was observed: the same observations, in any order and however often, give the same rows. */
export async function meterCosts(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  await bringUp(ctx, { signal });
}

/** The same, and anew from an accounting day on, also of what was final. Closed months stay: what differs is added to the open one. */
export async function recomputeCosts(ctx: Ctx, fromDay: string, signal?: AbortSignal): Promise<{ resources: number }> {
  return { resources: await bringUp(ctx, { signal, anewFrom: fromDay }) };
}

async function bringUp(ctx: Ctx, { signal, anewFrom = null }: Options): Promise<number> {
  const { zone, price: mode } = await readSetting("accounting");
  await assertRowPrices(await listRowPrices(), ctx.now);
  const [book, allocation, covered] = await Promise.all([listPrices(), readAllocation(), coveredLives()]);
  const run: Run = { now: ctx.now.getTime(), zone, mode, book, allocation, covered, anewFrom };
  const since = anewFrom === null ? null : new Date(dayRange(anewFrom, zone).from);
  let settleFrom: string | null | undefined;
  let resources = 0;
  let waiting: Metered[] = [];
  let rows = 0;
  const write = async () => {
    await replaceRows(waiting);
    waiting = [];
    rows = 0;
  };
  for (let after: string | null = null; ; ) {
    const page: MeteredResource[] = await listMetered({ after, limit: PAGE, since });
    for (const resource of page) {
      if (signal?.aborted) return resources;
      const metered = await meterOne(resource, run);
      if (!metered) continue;
      if (covered.has(resource.id)) settleFrom = earlier(settleFrom, metered.since);
      waiting.push(metered);
      resources++;
      rows += metered.rows.length;
      if (rows >= MOST_ROWS) await write();
    }
    after = page.at(-1)?.id ?? null;
    if (page.length < PAGE) break;
  }
  await write();
  await settleCommitments(ctx, zone, anewFrom ?? settleFrom);
  await settleCharges(allocation, zone);
  await spreadShared(zone);
  return resources;
}

/** The earlier of two days; null is the beginning of time, undefined is none at all. */
function earlier(a: string | null | undefined, b: string | null): string | null {
  if (a === undefined) return b;
  return a === null || b === null ? null : a < b ? a : b;
}

async function meterOne(given: MeteredResource, run: Run): Promise<Metered | null> {
  let resource = given;
  if (resource.spans.length === 0) return null;
  const { now, zone } = run;
  const owners = await ownersOf(run.allocation, resource);
  const prices = pricesFor(resource, run);
  const [hash, until] = (resource.meteredFor ?? "").split("@");
  const isSame = until !== undefined && fingerprint(resource, prices, owners, run, Number(until)) === hash;
  // What was read of a file system is what came after it was metered last: when older days are worked out, all of it is needed.
  if (resource.kind === "filesystem" && !(isSame && run.anewFrom === null))
    resource = (await readMetered(resource.id)) ?? resource;
  const knownFrom = isSame ? dayOf(Number(until), zone) : null;
  const sinceDay = knownFrom && run.anewFrom && run.anewFrom < knownFrom ? run.anewFrom : knownFrom;
  const since = sinceDay === null ? undefined : dayRange(sinceDay, zone).from;
  const worked =
    resource.kind === "instance"
      ? usageRows(resource, prices, owners, run, since)
      : storageRows(resource, prices, owners, run, since);
  const { life, rows, openFrom } = worked;
  const { spans, isGone } = resource;
  const endedAt = spans.at(-1)?.validTo ?? spans.at(-1)?.validFrom ?? 0;
  // Next time only days that may still change are worked out, as long as nothing before them did.
  const next = openFrom === null ? null : dayRange(dayOf(openFrom, zone), zone).from;
  return {
    resourceId: resource.id,
    since: sinceDay,
    rows,
    meteredFor:
      next === null
        ? ""
        : isSame && next === Number(until)
          ? (resource.meteredFor ?? "")
          : `${fingerprint(resource, prices, owners, run, next)}@${next}`,
    isFinal: isGone && !life?.isRunning && now - endedAt > SETTLED_AFTER_MS,
    bill: life && { from: dates(life.from), to: dates(life.to) },
    evidence: life?.evidence ?? null,
  };
}

type Worked = {
  rows: LedgerRow[];
  life: ReturnType<typeof lifeOf>;
  /** From when on the mere passing of time may change rows; null: from the beginning. */
  openFrom: number | null;
};

function usageRows(
  { id: resourceId, spans, events, isGone, lastPollAt }: MeteredResource,
  prices: PriceInterval[],
  owners: OwnerInterval[],
  { now, zone }: Run,
  since: number | undefined,
): Worked {
  const life = lifeOf({ spans, events, isGone, lastPollAt, now });
  if (!life) return { rows: [], life, openFrom: null };
  const rows = boundedLines({
    life,
    isFlagged: life.isFlagged,
    isDoubtful: life.isDoubtful,
    prices,
    owners,
    zone,
    since,
  }).map(
    (line): LedgerRow => ({
      resourceId,
      charge: "usage",
      spanId: spanAt(spans, line.startsAt).id,
      byteHours: null,
      ...line,
    }),
  );
  // Who was never active may turn out to have been billed from the beginning. A day's last minute may end in the next one.
  return { rows, life, openFrom: life.wasActive ? Math.min(now - DAY_MS, life.to.low - MINUTE_MS) : null };
}

function storageRows(
  { id: resourceId, spans, isGone }: MeteredResource,
  prices: PriceInterval[],
  owners: OwnerInterval[],
  { now, zone }: Run,
  since: number | undefined,
): Worked {
  const from = spans[0]?.validFrom ?? now;
  const to = isGone ? (spans.at(-1)?.validTo ?? now) : now;
  const rows = filesystemLines({ from, to, used: usedBytes(spans), prices, owners, zone, since }).map(
    (line): LedgerRow => ({
      resourceId,
      charge: "storage",
      spanId: spanAt(spans, line.startsAt).id,
      minutes: 0,
      lowMicros: line.micros,
      highMicros: line.micros,
      ...line,
    }),
  );
  return { rows, life: null, openFrom: Math.min(now - DAY_MS, to) };
}

/** The provider's words at an instant; before the first look, the first ones. */
function spanAt(spans: SpanFact[], at: number): SpanFact {
  const found = spans.findLast((span) => span.validFrom <= at) ?? spans[0];
  if (!found) throw new Error("a resource without spans");
  return found;
}

export const STORAGE_SKU = "filesystem";

function pricesFor({ id, kind, spans, events }: MeteredResource, { book, mode, covered }: Run): PriceInterval[] {
  const last = spans.at(-1);
  if (kind === "filesystem") return billedPrices(book, { sku: STORAGE_SKU, unit: "gib_month", region: last?.region });
  return billedPrices(
    book,
    { sku: last?.typeName, unit: "instance_hour", region: last?.region },
    { launch: mode === "launch" ? launchOf(spans, events) : null, covered: covered.get(id) ?? [] },
  );
}

/** What the rows of days before an instant follow from: as long as it is the same, so are they. */
function fingerprint(
  { kind, spans, events, labels }: MeteredResource,
  prices: PriceInterval[],
  owners: OwnerInterval[],
  { zone, allocation }: Run,
  until: number,
): string {
  const before = <T extends { validFrom: number; validTo: number | null; lastSeenAt: number | null }>(
    all: readonly T[],
  ) =>
    all
      .filter(({ validFrom }) => validFrom < until)
      .map((one) => (one.validTo !== null && one.validTo >= until ? { ...one, validTo: null, lastSeenAt: null } : one));
  const facts =
    kind === "instance"
      ? [before(spans), events.filter(({ at }) => at < until), clipped(owners, until)]
      : [spans[0]?.validFrom, clipped(labels, until), allocation.rules];
  const text = JSON.stringify([facts, clipped(prices, until), zone], (_key, value) =>
    typeof value === "bigint" ? value.toString() : value,
  );
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

function dates(edge: { low: number; best: number; high: number }) {
  return { low: new Date(edge.low), best: new Date(edge.best), high: new Date(edge.high) };
}
