import { isDeepStrictEqual } from "node:util";
import { type Client, prisma, transact } from "@/lib/db/client";
import { assertListed } from "@/lib/db/cost/prices";
import type { Prisma } from "@/lib/db/generated/client";
import { EVERY_REGION } from "@/lib/domain/cost/price-book";

export type TypeRow = {
  name: string;
  description: string;
  gpuModel: string | null;
  gpus: number;
  gpuMemoryGb: number | null;
  vcpus: number;
  memoryGib: number;
  storageGib: number;
  architecture: string | null;
  /** Per hour, whole instance. */
  priceMicros: bigint;
  regionsWithCapacity: string[];
};

/** Prices are listed per type for all regions alike. */
export { EVERY_REGION } from "@/lib/domain/cost/price-book";

export type PriceChange = { sku: string; from: bigint | null; to: bigint };

/** Writes down a read of the type list: types, where they can be had, and prices; each price change opens a new interval. */
export async function applyTypes(
  connectionId: string,
  provider: string,
  types: TypeRow[],
  at: Date,
): Promise<PriceChange[]> {
  return transact(async (tx) => {
    const [connection] = await tx.$queryRaw<{ typesReadAt: Date | null; createdAt: Date }[]>`
      SELECT types_read_at AS "typesReadAt", created_at AS "createdAt" FROM connection WHERE id = ${connectionId}::uuid FOR NO KEY UPDATE`;
    if (!connection || (connection.typesReadAt && connection.typesReadAt >= at)) return [];
    const prevSeenAt = connection.typesReadAt;
    await writeTypes(tx, provider, types, at);

    const offers = types.flatMap((type) => type.regionsWithCapacity.map((region) => ({ typeName: type.name, region })));
    const open = await tx.capacitySpan.findMany({ where: { provider, to: null } });
    const isOffered = new Set(offers.map(({ typeName, region }) => `${typeName} ${region}`));
    const isOpen = new Set(open.map(({ typeName, region }) => `${typeName} ${region}`));
    for (const span of open) {
      if (isOffered.has(`${span.typeName} ${span.region}`)) continue;
      await tx.capacitySpan.update({
        where: {
          provider_typeName_region_from: { provider, typeName: span.typeName, region: span.region, from: span.from },
        },
        data: { to: at },
      });
    }
    const fresh = offers.filter(({ typeName, region }) => !isOpen.has(`${typeName} ${region}`));
    await tx.capacitySpan.createMany({
      data: fresh.map((offer) => ({ provider, ...offer, from: at })),
      skipDuplicates: true,
    });

    const prices = await tx.price.findMany({
      where: {
        provider,
        region: EVERY_REGION,
        unit: "instance_hour",
        tier: "on_demand",
        supersededAt: null,
        validTo: null,
      },
    });
    const bySku = new Map(prices.map((price) => [price.sku, price]));
    const changes: PriceChange[] = [];
    for (const { name: sku, priceMicros } of types) {
      const open = bySku.get(sku);
      if (open?.micros === priceMicros && open.validFrom <= at) continue;
      // A first price holds from the last read without it; without any read before, from the connection's beginning.
      const listed = { provider, sku, region: EVERY_REGION, micros: priceMicros };
      const changed = await assertListed(tx, listed, at, prevSeenAt ?? connection.createdAt, prevSeenAt);
      if (changed?.before != null) changes.push({ sku, from: changed.before, to: priceMicros });
    }
    await tx.connection.update({ where: { id: connectionId }, data: { typesReadAt: at } });
    return changes;
  });
}

async function writeTypes(tx: Client, provider: string, types: TypeRow[], at: Date): Promise<void> {
  const rows = types.map(({ priceMicros: _, regionsWithCapacity: __, ...type }) => type);
  await tx.instanceType.createMany({
    data: rows.map((type) => ({ provider, ...type, firstSeenAt: at, lastSeenAt: at })),
    skipDuplicates: true,
  });
  const known = new Map((await tx.instanceType.findMany({ where: { provider } })).map((type) => [type.name, type]));
  for (const type of rows) {
    const {
      provider: _,
      firstSeenAt: __,
      lastSeenAt: ___,
      ...before
    } = known.get(type.name) ?? { provider, firstSeenAt: at, lastSeenAt: at };
    if (isDeepStrictEqual(before, type)) continue;
    await tx.instanceType.update({ where: { provider_name: { provider, name: type.name } }, data: type });
  }
  await tx.instanceType.updateMany({
    where: { provider, name: { in: rows.map((type) => type.name) } },
    data: { lastSeenAt: at },
  });
}

export type CatalogKind = "region" | "image" | "ssh_key";
export type CatalogRow = {
  kind: CatalogKind;
  externalId: string;
  name: string;
  region: string | null;
  attrs: Record<string, unknown>;
};

/** Replaces what the provider lists of these kinds; what is no longer listed is marked gone. */
export async function applyCatalog(
  connectionId: string,
  rows: CatalogRow[],
  kinds: CatalogKind[],
  at: Date,
): Promise<void> {
  await transact(async (tx) => {
    for (const { attrs, ...row } of rows) {
      const said = {
        name: row.name,
        region: row.region,
        attrs: attrs as Prisma.InputJsonObject,
        lastSeenAt: at,
        goneAt: null,
      };
      await tx.catalogItem.upsert({
        where: { connectionId_kind_externalId: { connectionId, kind: row.kind, externalId: row.externalId } },
        create: { connectionId, kind: row.kind, externalId: row.externalId, firstSeenAt: at, ...said },
        update: said,
      });
    }
    await tx.catalogItem.updateMany({
      where: { connectionId, kind: { in: kinds }, goneAt: null, lastSeenAt: { lt: at } },
      data: { goneAt: at },
    });
    await tx.connection.update({ where: { id: connectionId }, data: { catalogReadAt: at } });
  });
}

export async function listCatalog(kinds: CatalogKind[]) {
  return prisma.catalogItem.findMany({
    where: { kind: { in: kinds }, goneAt: null },
    orderBy: [{ kind: "asc" }, { name: "asc" }],
  });
}

/** Types as they are offered now: price, and where there is or was capacity. */
export async function listOffers(provider: string, since: Date) {
  const [types, prices, capacity] = await Promise.all([
    prisma.instanceType.findMany({ where: { provider }, orderBy: { name: "asc" } }),
    prisma.price.findMany({
      where: { provider, unit: "instance_hour", tier: "on_demand", validTo: null, supersededAt: null },
    }),
    prisma.capacitySpan.findMany({
      where: { provider, OR: [{ to: null }, { to: { gt: since } }] },
      orderBy: { from: "asc" },
    }),
  ]);
  return { types, prices, capacity };
}
