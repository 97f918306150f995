import { pool, prisma } from "@/lib/db/client";
import type { Tx } from "@/lib/db/mutate";
import { QUOTE_TIERS, QUOTE_UNITS, type Quote } from "@/lib/domain/plan/quotes";

export type StoredQuote = Quote & { by: string | null };

const DAY_LENGTH = 10;

/** What people entered and nobody took back. A row of a kind that is not known any more is left out. */
export async function listQuotes(client: Pick<typeof prisma, "quote"> = prisma): Promise<StoredQuote[]> {
  const rows = await client.quote.findMany({
    where: { deletedAt: null },
    include: { createdBy: { select: { name: true } } },
    orderBy: [{ asOf: "desc" }, { provider: "asc" }],
  });
  return rows.flatMap(({ tier, unit, asOf, createdBy, createdAt: _, createdById: __, deletedAt: ___, ...row }) => {
    const [knownTier, knownUnit] = [QUOTE_TIERS.find((one) => one === tier), QUOTE_UNITS.find((one) => one === unit)];
    if (!knownTier || !knownUnit) return [];
    const day = asOf.toISOString().slice(0, DAY_LENGTH);
    return [
      { ...row, tier: knownTier, unit: knownUnit, asOf: day, origin: "entered" as const, by: createdBy?.name ?? null },
    ];
  });
}

export type QuoteToWrite = Omit<Quote, "id" | "origin" | "asOf"> & { asOf: string };

/** Writes prices; one of the same thing, day and source takes the place of what was there. */
export async function writeQuotes(
  tx: Tx,
  quotes: readonly QuoteToWrite[],
  byId: string | null,
  now: Date,
): Promise<void> {
  for (const { asOf, ...quote } of quotes) {
    const { provider, typeName, region, tier, unit, gpus, gpuMemoryGb, source } = quote;
    const day = new Date(asOf);
    const same = { provider, typeName, region, tier, unit, gpus, gpuMemoryGb, source, asOf: day };
    await tx.quote.updateMany({ where: { ...same, deletedAt: null }, data: { deletedAt: now } });
    await tx.quote.create({ data: { ...quote, asOf: day, createdById: byId, createdAt: now } });
  }
}

/** False: it is not there any more. */
export async function removeQuote(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { count } = await tx.quote.updateMany({ where: { id, deletedAt: null }, data: { deletedAt: now } });
  return count > 0;
}

export type ListedPrice = {
  priceId: number;
  typeName: string;
  description: string;
  gpuModel: string | null;
  gpus: number;
  gpuMemoryGb: number | null;
  vcpus: number;
  memoryGib: number;
  micros: bigint;
  source: string;
  /** When the list that has the type was last read. */
  seenAt: Date;
};

/** Lambda's prices per hour of a whole machine as they were believed and known at an instant, with what the types are. */
export async function listedPrices(at: Date): Promise<ListedPrice[]> {
  const { rows } = await pool().query<Omit<ListedPrice, "micros"> & { micros: string }>(
    `select p.id as "priceId", t.name as "typeName", t.description, t.gpu_model as "gpuModel", t.gpus, t.gpu_memory_gb as "gpuMemoryGb",
       t.vcpus, t.memory_gib as "memoryGib", p.micros::text as micros, p.source::text as source, t.last_seen_at as "seenAt"
     from instance_type t join lateral (
       select * from price p where p.provider = t.provider and p.sku = t.name and p.region = '*' and p.unit = 'instance_hour'
         and p.tier = 'on_demand' and p.valid_from <= $1 and (p.valid_to is null or p.valid_to > $1) and p.recorded_at <= $1
         and p.superseded_at is null
       order by p.valid_from desc limit 1) p on true
     where t.provider = 'lambda' and t.gpus > 0 order by t.name`,
    [at],
  );
  return rows.map((row) => ({ ...row, micros: BigInt(row.micros) }));
}

export type TypeUse = {
  typeName: string;
  description: string | null;
  gpuModel: string | null;
  gpus: number;
  memoryGb: number | null;
  minutes: number;
  /** Null: none of its rows has a price. */
  micros: bigint | null;
  unknownRows: number;
};

/** What machines of each type were billed in an accounting month, by the ledger's sums of days. */
export async function listTypeUse(month: string): Promise<TypeUse[]> {
  const { rows } = await pool().query<Omit<TypeUse, "micros"> & { micros: string | null }>(
    `select case when t.name is null and d.type_name = 'storage' then 'unknown type' else d.type_name end as "typeName", t.description,
       t.gpu_model as "gpuModel", coalesce(t.gpus, 0) as gpus, t.gpu_memory_gb as "memoryGb", d.minutes,
       case when d.rows > d.unknown then d.micros::text end as micros, d.unknown as "unknownRows"
     from (
       select type_name, sum(minutes)::int as minutes, sum(micros) as micros, sum(rows)::int as rows, sum(unknown_rows)::int as unknown
       from cost_day where period = $1::date and charge = 'usage' group by 1) d
     left join instance_type t on t.provider = 'lambda' and t.name = d.type_name
     where d.minutes > 0 order by d.micros desc`,
    [`${month}-01`],
  );
  return rows.map((row) => ({ ...row, micros: row.micros === null ? null : BigInt(row.micros) }));
}
