import { type Client, pool, prisma, transact } from "@/lib/db/client";
import type { BookPrice, PriceSource, PriceTier, PriceUnit } from "@/lib/domain/cost/price-book";

export type { BookPrice, PriceSource, PriceTier, PriceUnit } from "@/lib/domain/cost/price-book";

/** What is believed of all prices: a row per change, so they are few. */
export async function listPrices(client: Client = prisma): Promise<BookPrice[]> {
  const rows = await client.price.findMany({ where: { supersededAt: null }, orderBy: { validFrom: "asc" } });
  return rows.map((row) => ({
    priceId: row.id,
    sku: row.sku,
    region: row.region,
    unit: row.unit,
    tier: row.tier,
    source: row.source,
    micros: row.micros,
    from: row.validFrom.getTime(),
    to: row.validTo?.getTime() ?? null,
    prevSeenAt: row.prevSeenAt?.getTime() ?? null,
  }));
}

export type PriceKey = { provider: string; sku: string; region: string; unit: PriceUnit; tier?: PriceTier };

export type NewPrice = PriceKey & {
  micros: bigint;
  from: Date;
  /** Null: until somebody says otherwise. */
  to: Date | null;
  source: PriceSource;
  prevSeenAt?: Date | null;
  note?: string;
  byId?: string | null;
};

/** What was believed for an interval and is no longer, or was ended by a new price. */
export type Replaced = { micros: bigint; from: Date; to: Date | null }[];

/**
 * Says that a price holds in [from, to). What was believed of that time is superseded and stays as it was written; what is left
 * of it before and after stands as rows of its own. News, and what is yet to come, only ends the interval that was open.
 */
export async function assertPrice(tx: Client, price: NewPrice, now: Date): Promise<Replaced> {
  const { provider, sku, region, unit, tier = "on_demand", micros, from, to, source, prevSeenAt = null } = price;
  const key = { provider, sku, region, unit, tier };
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('price'), hashtext(${Object.values(key).join("|")}))`;
  const believed = await tx.price.findMany({
    where: {
      ...key,
      supersededAt: null,
      OR: [{ validTo: null }, { validTo: { gt: from } }],
      ...(to && { validFrom: { lt: to } }),
    },
    orderBy: { validFrom: "asc" },
  });
  const [only] = believed;
  const isCovered = only && only.validFrom <= from && (only.validTo === null || (to !== null && to <= only.validTo));
  if (isCovered && only.micros === micros) return [];
  const isNews = source === "api" || source === "instance_row" || from >= now;
  const rests: { old: (typeof believed)[number]; from: Date; to: Date | null }[] = [];
  for (const old of believed) {
    const isBefore = old.validFrom < from;
    if (isNews && isBefore && old.validTo === null && to === null) {
      await tx.price.update({ where: { id: old.id }, data: { validTo: from } });
      continue;
    }
    await tx.price.update({ where: { id: old.id }, data: { supersededAt: now } });
    if (isBefore) rests.push({ old, from: old.validFrom, to: from });
    if (to && (old.validTo === null || to < old.validTo)) rests.push({ old, from: to, to: old.validTo });
  }
  await tx.price.createMany({
    data: [
      ...rests.map(({ old: { id: _, ...old }, from: validFrom, to: validTo }) => ({
        ...old,
        validFrom,
        validTo,
        prevSeenAt: validFrom === old.validFrom ? old.prevSeenAt : null,
        recordedAt: now,
      })),
      {
        ...key,
        micros,
        validFrom: from,
        validTo: to,
        prevSeenAt,
        recordedAt: now,
        source,
        note: price.note ?? "",
        createdById: price.byId ?? null,
      },
    ],
  });
  return believed.map((old) => ({ micros: old.micros, from: old.validFrom, to: old.validTo }));
}

/** Sets a price by hand from an instant on; the first that anybody gives holds for what was metered before, too. */
export async function setPrice(
  tx: Client,
  price: PriceKey & { micros: bigint; byId?: string | null },
  at: Date,
): Promise<bigint | null> {
  const { micros, byId, ...key } = price;
  const current = await currentPrice(key, tx);
  if (current?.micros === micros) return current.micros;
  const from = current ? at : new Date(0);
  await assertPrice(tx, { ...key, micros, byId: byId ?? null, from, to: null, source: "manual" }, at);
  return current?.micros ?? null;
}

/** The price that is in force or to come last, or null. */
export async function currentPrice(
  { tier = "on_demand", ...thing }: PriceKey,
  client: Client = prisma,
): Promise<{ micros: bigint; validFrom: Date; recordedAt: Date } | null> {
  return client.price.findFirst({
    where: { ...thing, tier, validTo: null, supersededAt: null },
    select: { micros: true, validFrom: true, recordedAt: true },
  });
}

/** The price in force at an instant; null: none is known. */
export async function priceAt(
  { tier = "on_demand", ...thing }: PriceKey,
  at: Date,
  client: Client = prisma,
): Promise<{ micros: bigint; source: PriceSource } | null> {
  return client.price.findFirst({
    where: {
      ...thing,
      tier,
      supersededAt: null,
      validFrom: { lte: at },
      OR: [{ validTo: null }, { validTo: { gt: at } }],
    },
    select: { micros: true, source: true },
  });
}

/** What a listed price changes: what held until now, or nothing where the provider says what it said before. */
export async function assertListed(
  tx: Client,
  listed: { provider: string; sku: string; region: string; micros: bigint },
  at: Date,
  firstFrom: Date,
  prevSeenAt: Date | null,
): Promise<{ before: bigint | null } | null> {
  const { provider, sku, region } = listed;
  const unit = "instance_hour";
  const tier = "on_demand";
  const current = await priceAt({ provider, sku, region, unit, tier }, at, tx);
  if (current?.micros === listed.micros) return null;
  const said = await tx.price.findFirst({
    where: { provider, sku, region, unit, tier, source: "api" },
    orderBy: [{ recordedAt: "desc" }, { id: "desc" }],
    select: { micros: true },
  });
  // What somebody set by hand holds until the provider says something else than it did.
  if (current && current.source !== "api" && said?.micros === listed.micros) return null;
  const next = await tx.price.findFirst({
    where: { provider, sku, region, unit, tier, supersededAt: null, validFrom: { gt: at } },
    orderBy: { validFrom: "asc" },
    select: { validFrom: true },
  });
  const from = current ? at : firstFrom;
  await assertPrice(
    tx,
    {
      provider,
      sku,
      region,
      unit,
      tier,
      micros: listed.micros,
      from,
      to: next?.validFrom ?? null,
      source: "api",
      prevSeenAt,
    },
    at,
  );
  return { before: current?.micros ?? null };
}

export type RowPrice = {
  provider: string;
  sku: string;
  region: string;
  micros: bigint;
  from: Date;
  prevPollAt: Date | null;
};

/** Prices on the rows of machines whose type is in no list, in order of time; usually there are none. */
export async function listRowPrices(): Promise<RowPrice[]> {
  const { rows } = await pool().query<Omit<RowPrice, "micros"> & { micros: string }>(
    `with unlisted as (select t.provider, t.name from instance_type t where not exists (
       select from price p where p.provider = t.provider and p.sku = t.name and p.unit = 'instance_hour' and p.region = '*'))
     select s.provider, s.type_name as sku, s.region, s.price_micros::text as micros, s.valid_from as "from", s.prev_poll_at as "prevPollAt"
     from unlisted u join resource_span s on s.provider = u.provider and s.type_name = u.name join resource r on r.id = s.resource_id
     where not r.metered_final and r.kind = 'instance' and s.price_micros is not null order by s.valid_from, s.id`,
  );
  return rows.map((row) => ({ ...row, micros: BigInt(row.micros) }));
}

/** A type that is in no list is billed at the price on its own row, from the first time that was seen, and from each change on. */
export async function assertRowPrices(prices: readonly RowPrice[], at: Date): Promise<void> {
  for (const { provider, sku, region, micros, from, prevPollAt } of prices) {
    const key = { provider, sku, region, unit: "instance_hour" as const };
    await transact(async (tx) => {
      const isFirst = (await tx.price.count({ where: { ...key, tier: "on_demand", supersededAt: null } })) === 0;
      const since = isFirst ? (prevPollAt ?? from) : from;
      const current = await priceAt(key, since, tx);
      if (current?.micros === micros || (current && current.source !== "instance_row")) return;
      const next = await tx.price.findFirst({
        where: { ...key, tier: "on_demand", supersededAt: null, validFrom: { gt: since } },
        orderBy: { validFrom: "asc" },
        select: { validFrom: true },
      });
      const price = { ...key, micros, from: since, to: next?.validFrom ?? null, source: "instance_row" as const };
      await assertPrice(tx, { ...price, prevSeenAt: isFirst ? null : prevPollAt }, at);
    });
  }
}

export type StoredPrice = BookPrice & {
  provider: string;
  recordedAt: Date;
  supersededAt: Date | null;
  note: string;
  by: string | null;
};

/** Everything that was ever written down, the newest interval first, what is believed before what was. */
export async function listPriceHistory(limit: number): Promise<StoredPrice[]> {
  const rows = await prisma.price.findMany({
    include: { createdBy: { select: { name: true } } },
    orderBy: [{ validFrom: "desc" }, { supersededAt: { sort: "desc", nulls: "first" } }, { id: "desc" }],
    take: limit,
  });
  return rows.map((row) => ({
    priceId: row.id,
    provider: row.provider,
    sku: row.sku,
    region: row.region,
    unit: row.unit,
    tier: row.tier,
    source: row.source,
    micros: row.micros,
    from: row.validFrom.getTime(),
    to: row.validTo?.getTime() ?? null,
    prevSeenAt: row.prevSeenAt?.getTime() ?? null,
    recordedAt: row.recordedAt,
    supersededAt: row.supersededAt,
    note: row.note,
    by: row.createdBy?.name ?? null,
  }));
}

export type PriceEvent = {
  sku: string;
  region: string;
  tier: PriceTier;
  beforeMicros: bigint;
  micros: bigint;
  at: Date;
  source: PriceSource;
};

/** Price changes that took effect within [from, to), the newest first. */
export async function listPriceChanges(from: Date, to: Date): Promise<PriceEvent[]> {
  const { rows } = await pool().query<Omit<PriceEvent, "beforeMicros" | "micros"> & { micros: string; before: string }>(
    `select p.sku, p.region, p.tier::text as tier, p.source::text as source, p.micros::text as micros, q.micros::text as before, p.valid_from as at
     from price p join price q on q.provider = p.provider and q.sku = p.sku and q.region = p.region and q.unit = p.unit and q.tier = p.tier
       and q.valid_to = p.valid_from and q.superseded_at is null
     where p.superseded_at is null and p.valid_from >= $1 and p.valid_from < $2 and p.micros <> q.micros order by p.valid_from desc, p.sku limit 100`,
    [from, to],
  );
  return rows.map(({ before, micros, ...row }) => ({ ...row, beforeMicros: BigInt(before), micros: BigInt(micros) }));
}

export type Unpriced = { sku: string; region: string; machines: number };

/** Machines that are there and whose price nobody knows, by type and region. */
export async function listUnpriced(): Promise<Unpriced[]> {
  const { rows } = await pool().query<Unpriced>(
    `select coalesce(s.type_name, 'type unknown') as sku, s.region, count(*)::int as machines
     from resource r join resource_span s on s.resource_id = r.id and s.valid_to is null
     where r.kind = 'instance' and r.gone_at is null and rate_now(r.id, s.provider, s.type_name, s.region, 'instance_hour') is null
     group by 1, 2 order by 1, 2`,
  );
  return rows;
}

/** The types and regions that are known by name. */
export async function listSkus(): Promise<{ skus: string[]; regions: string[] }> {
  const [types, regions] = await Promise.all([
    prisma.instanceType.findMany({ select: { name: true }, distinct: ["name"], orderBy: { name: "asc" } }),
    prisma.catalogItem.findMany({
      where: { kind: "region", goneAt: null },
      select: { name: true },
      distinct: ["name"],
      orderBy: { name: "asc" },
    }),
  ]);
  return { skus: types.map(({ name }) => name), regions: regions.map(({ name }) => name) };
}
