import { type Client, prisma } from "@/lib/db/client";
import type { LifeEvent, ObservedSpan } from "@/lib/domain/cost/lifecycle";
import type { OwnerInterval, PriceInterval } from "@/lib/domain/cost/rows";
import type { UsedBytes } from "@/lib/domain/cost/storage";

export type SpanFact = ObservedSpan & {
  id: bigint;
  typeName: string | null;
  region: string;
  provider: string;
  priceMicros: bigint | null;
  bytesUsed: bigint | null;
};

export type MeteredResource = {
  id: string;
  kind: "instance" | "filesystem";
  isGone: boolean;
  meteredFor: string | null;
  lastPollAt: number | null;
  spans: SpanFact[];
  events: LifeEvent[];
  labels: { from: number; to: number | null; team: string; project: string; environment: string }[];
};

/** Every resource whose rows may still change, with all that was observed of it. */
export async function listMetered(): Promise<MeteredResource[]> {
  const rows = await prisma.resource.findMany({
    where: { meteredFinal: false },
    include: {
      spans: { orderBy: { validFrom: "asc" } },
      labels: { orderBy: { validFrom: "asc" } },
      providerEvents: { select: { at: true, action: true } },
      targetOf: {
        where: { kind: "terminate", sentAt: { not: null }, state: { not: "refused" } },
        select: { sentAt: true },
      },
      connection: { select: { lastOkAt: true, filesystemsReadAt: true } },
    },
  });
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    isGone: row.goneAt !== null,
    meteredFor: row.meteredFor,
    lastPollAt:
      (row.kind === "instance" ? row.connection.lastOkAt : row.connection.filesystemsReadAt)?.getTime() ?? null,
    spans: row.spans.map((span) => ({
      id: span.id,
      status: span.status,
      validFrom: span.validFrom.getTime(),
      prevPollAt: span.prevPollAt?.getTime() ?? null,
      lastSeenAt: span.lastSeenAt?.getTime() ?? null,
      validTo: span.validTo?.getTime() ?? null,
      typeName: span.typeName,
      region: span.region,
      provider: span.provider,
      priceMicros: span.priceMicros,
      bytesUsed: span.bytesUsed,
    })),
    events: [
      ...row.providerEvents.flatMap(({ at, action }) => lifeEvent(at, action)),
      ...row.targetOf.flatMap(({ sentAt }) =>
        sentAt ? [{ at: sentAt.getTime(), means: "terminate" as const, by: "us" as const }] : [],
      ),
    ],
    labels: row.labels.map(({ validFrom, validTo, team, project, environment }) => ({
      from: validFrom.getTime(),
      to: validTo?.getTime() ?? null,
      team,
      project,
      environment,
    })),
  }));
}

/** The provider's action names are not documented; these words are all that is relied on. */
function lifeEvent(at: Date, action: string): LifeEvent[] {
  if (/terminat|delet|destroy/i.test(action)) return [{ at: at.getTime(), means: "terminate", by: "provider" }];
  if (/launch|creat/i.test(action)) return [{ at: at.getTime(), means: "launch", by: "provider" }];
  return [];
}

export function usedBytes(spans: SpanFact[]): UsedBytes[] {
  return spans.map((span) => ({ from: span.validFrom, to: span.validTo, bytes: span.bytesUsed }));
}

export type PriceUnit = "instance_hour" | "gib_month";
export type PriceRow = PriceInterval & { sku: string; region: string; unit: PriceUnit };

/** The whole price book: it has a row per change, so it is small. */
export async function listPrices(): Promise<PriceRow[]> {
  const rows = await prisma.price.findMany({ orderBy: { validFrom: "asc" } });
  return rows.map((row) => ({
    priceId: row.id,
    sku: row.sku,
    region: row.region,
    unit: row.unit,
    micros: row.micros,
    from: row.validFrom.getTime(),
    to: row.validTo?.getTime() ?? null,
    prevSeenAt: row.prevSeenAt?.getTime() ?? null,
  }));
}

/** A type that is not in the provider's list is billed at the price on its own row, from the first time that was seen. */
export async function insertRowPrice(price: {
  provider: string;
  sku: string;
  region: string;
  micros: bigint;
  from: number;
  at: Date;
}): Promise<void> {
  const { from, at, ...rest } = price;
  await prisma.price.createMany({
    data: [{ ...rest, unit: "instance_hour", validFrom: new Date(from), recordedAt: at, source: "instance_row" }],
    skipDuplicates: true,
  });
}

/** Sets a price by hand from an instant on; the one before ends there. */
export async function setPrice(
  tx: Client,
  price: { provider: string; sku: string; region: string; unit: PriceUnit; micros: bigint },
  at: Date,
): Promise<bigint | null> {
  const { provider, sku, region, unit } = price;
  const current = await tx.price.findFirst({ where: { provider, sku, region, unit, validTo: null } });
  if (current?.micros === price.micros) return current.micros;
  if (current) await tx.price.update({ where: { id: current.id }, data: { validTo: at } });
  // The first price that somebody gives holds for what was metered before, too: until then it was unknown.
  const validFrom = current ? at : new Date(0);
  await tx.price.create({ data: { ...price, validFrom, recordedAt: at, source: "manual" } });
  return current?.micros ?? null;
}

/** The price in force for a thing, or null. */
export async function currentPrice(
  thing: { provider: string; sku: string; region: string; unit: PriceUnit },
  client: Client = prisma,
): Promise<{ micros: bigint; validFrom: Date; recordedAt: Date } | null> {
  return client.price.findFirst({
    where: { ...thing, validTo: null },
    select: { micros: true, validFrom: true, recordedAt: true },
  });
}

/** The rows of these lives are worked out anew, also those that were final. */
export async function reopenLedger(tx: Client, kind?: "instance" | "filesystem"): Promise<void> {
  await tx.resource.updateMany({
    where: { meteredFinal: true, ...(kind && { kind }) },
    data: { meteredFinal: false },
  });
}

const owners = new Map<string, number>();

/** The row of the price-bearer with these words; 0 where nobody is named. Words never change, so they are remembered. */
export async function ownerId(words: { team: string; project: string; environment: string }): Promise<number> {
  const { team, project, environment } = words;
  if (!team && !project && !environment) return 0;
  const key = JSON.stringify([team, project, environment]);
  const known = owners.get(key);
  if (known !== undefined) return known;
  await prisma.costOwner.createMany({ data: [{ team, project, environment }], skipDuplicates: true });
  const { id } = await prisma.costOwner.findUniqueOrThrow({
    where: { team_project_environment: { team, project, environment } },
    select: { id: true },
  });
  owners.set(key, id);
  return id;
}

/** Forgets remembered owners: for tests, whose databases come and go. */
export function forgetOwners(): void {
  owners.clear();
}

export async function ownersOf(labels: MeteredResource["labels"]): Promise<OwnerInterval[]> {
  return Promise.all(labels.map(async ({ from, to, ...words }) => ({ from, to, ownerId: await ownerId(words) })));
}
