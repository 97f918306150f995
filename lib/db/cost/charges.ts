import { type Client, pool, prisma } from "@/lib/db/client";
import type { ChargeKind } from "@/lib/db/generated/enums";
import type { OwnerWords } from "@/lib/domain/cost/allocation";
import type { CoveredRow, LifeSpan } from "@/lib/domain/cost/commitments";

export type LooseKind = Exclude<ChargeKind, "usage" | "storage">;

export type StoredCharge = {
  id: string;
  kind: LooseKind;
  /** First and last accounting day. */
  fromDay: string;
  toDay: string;
  micros: bigint;
  description: string;
  ownerId: number;
  owner: OwnerWords;
  invoiceId: string | null;
  invoice: string | null;
  by: string | null;
  createdAt: Date;
  deletedAt: Date | null;
};

const day = (date: Date) => date.toISOString().slice(0, 10);

/** Charges that somebody entered or an invoice brought, the newest first; also those that were taken back, where asked for. */
export async function listCharges(withDeleted: boolean, client: Client = prisma): Promise<StoredCharge[]> {
  const rows = await client.charge.findMany({
    where: withDeleted ? {} : { deletedAt: null },
    include: { owner: true, createdBy: { select: { name: true } }, invoice: { select: { number: true } } },
    orderBy: [{ fromDay: "desc" }, { id: "desc" }],
  });
  return rows.flatMap((row): StoredCharge[] => {
    const { kind } = row;
    if (kind === "usage" || kind === "storage") return [];
    const { team, project, environment, costCenter } = row.owner;
    return [
      {
        id: row.id,
        kind,
        fromDay: day(row.fromDay),
        toDay: day(row.toDay),
        micros: row.micros,
        description: row.description,
        ownerId: row.ownerId,
        owner: { team, project, environment, costCenter },
        invoiceId: row.invoiceId,
        invoice: row.invoice?.number ?? null,
        by: row.createdBy?.name ?? null,
        createdAt: row.createdAt,
        deletedAt: row.deletedAt,
      },
    ];
  });
}

export type NewCharge = Pick<StoredCharge, "kind" | "fromDay" | "toDay" | "micros" | "description" | "ownerId"> & {
  invoiceId?: string | null;
  byId: string | null;
};

export async function insertCharge(tx: Client, charge: NewCharge, at: Date): Promise<string> {
  const { fromDay, toDay, byId, ...rest } = charge;
  const { id } = await tx.charge.create({
    data: { ...rest, fromDay: new Date(fromDay), toDay: new Date(toDay), createdById: byId, createdAt: at },
    select: { id: true },
  });
  return id;
}

/** The amount of a charge that counts; null: there is none. */
export async function findAmount(id: string, client: Client): Promise<bigint | null> {
  const row = await client.charge.findFirst({ where: { id, deletedAt: null }, select: { micros: true } });
  return row?.micros ?? null;
}

/** Corrections that were made of an invoice's differences and count. */
export async function listInvoiceCorrections(invoiceId: string, client: Client): Promise<string[]> {
  const where = { invoiceId, kind: "adjustment" as const, deletedAt: null };
  const rows = await client.charge.findMany({ where, select: { id: true }, orderBy: { id: "asc" } });
  return rows.map(({ id }) => id);
}

/** Who bore most of what resources cost in days [from, to], else ever; 0: nobody. */
export async function mainOwner(tx: Client, resourceIds: readonly string[], from: string, to: string): Promise<number> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    select l.owner_id as id from ledger_row l where l.resource_id = any (${[...resourceIds]}::uuid[]) and l.micros is not null
    group by 1 order by coalesce(sum(l.micros) filter (where l.day between ${from}::date and ${to}::date), 0) desc, sum(l.micros) desc, 1 limit 1`;
  return rows[0]?.id ?? 0;
}

/** Takes a charge back. False: there is none, or it is taken back already. */
export async function deleteCharge(tx: Client, id: string, at: Date): Promise<boolean> {
  const { count } = await tx.charge.updateMany({ where: { id, deletedAt: null }, data: { deletedAt: at } });
  return count === 1;
}

export type StoredCommitment = {
  id: string;
  name: string;
  provider: string;
  sku: string;
  /** Empty: every one. */
  region: string;
  count: number;
  from: number;
  to: number;
  upfrontMicros: bigint;
  weeklyMicros: bigint;
  rateMicros: bigint;
  ownerId: number;
  owner: OwnerWords;
  note: string;
  deletedAt: Date | null;
};

export async function listCommitments(client: Client = prisma): Promise<StoredCommitment[]> {
  const rows = await client.commitment.findMany({
    include: { owner: true },
    orderBy: [{ from: "desc" }, { id: "asc" }],
  });
  return rows.map(({ owner: { team, project, environment, costCenter }, ...row }) => ({
    id: row.id,
    name: row.name,
    provider: row.provider,
    sku: row.sku,
    region: row.region,
    count: row.count,
    from: row.from.getTime(),
    to: row.to.getTime(),
    upfrontMicros: row.upfrontMicros,
    weeklyMicros: row.weeklyMicros,
    rateMicros: row.rateMicros,
    ownerId: row.ownerId,
    owner: { team, project, environment, costCenter },
    note: row.note,
    deletedAt: row.deletedAt,
  }));
}

export type NewCommitment = Omit<StoredCommitment, "id" | "owner" | "deletedAt" | "from" | "to"> & {
  from: Date;
  to: Date;
};

export async function insertCommitment(tx: Client, commitment: NewCommitment, at: Date): Promise<string> {
  const { id } = await tx.commitment.create({
    data: { ...commitment, createdAt: at, updatedAt: at },
    select: { id: true },
  });
  return id;
}

export async function deleteCommitment(tx: Client, id: string, at: Date): Promise<boolean> {
  const found = await tx.commitment.findUnique({ where: { id }, select: { version: true, deletedAt: true } });
  if (!found || found.deletedAt) return false;
  await tx.commitment.update({
    where: { id, version: found.version },
    data: { deletedAt: at, updatedAt: at, version: { increment: 1 } },
  });
  return true;
}

/** Lives of a type's machines that were billed within [from, to), by their best edges; those that run have no end. */
export async function listLives(sku: string, region: string, from: Date, to: Date): Promise<LifeSpan[]> {
  const { rows } = await pool().query<{ id: string; from: Date; to: Date | null }>(
    `select r.id, r.bill_from_best as "from", case when r.gone_at is not null then r.bill_to_best end as "to"
     from resource r join lateral (select type_name, region from resource_span s where s.resource_id = r.id order by valid_from desc limit 1) s on true
     where r.kind = 'instance' and s.type_name = $1 and ($2 = '' or s.region = $2) and r.bill_from_best < $4 and (r.gone_at is null or r.bill_to_best > $3)`,
    [sku, region, from, to],
  );
  return rows.map((row) => ({ id: row.id, from: row.from.getTime(), to: row.to?.getTime() ?? null }));
}

/** Usage rows that a commitment covers, with what was corrected of them, from a day on. */
export async function listCoveredRows(id: string, since: string | null): Promise<(CoveredRow & { day: string })[]> {
  const { rows } = await pool().query<
    Omit<CoveredRow, "micros" | "effectiveMicros"> & { day: string; micros: string; effective: string | null }
  >(
    `select l.key, l.day::text as day, l.resource_id || '/' || l.owner_id as slot, l.minutes, coalesce(l.micros, 0)::text as micros,
       l.effective_micros::text as effective, coalesce(p.status = 'closed', false) as "isClosed"
     from ledger_row l left join period p on p.month = l.period
     where l.commitment_id = $1 and l.charge = 'usage' and ($2::date is null or l.day >= $2::date) order by l.day, l.key`,
    [id, since],
  );
  return rows.map(({ effective, micros, ...row }) => ({
    ...row,
    micros: BigInt(micros),
    effectiveMicros: effective === null ? null : BigInt(effective),
  }));
}

/** The last day of which something was written for each commitment. */
export async function lastDays(): Promise<Map<string, string>> {
  const { rows } = await pool().query<{ id: string; day: string }>(
    "select commitment_id as id, max(day)::text as day from ledger_row where commitment_id is not null and resource_id is null group by 1",
  );
  return new Map(rows.map(({ id, day: last }) => [id, last]));
}

export type CommitmentSums = { paidMicros: bigint; usedMicros: bigint; unusedMicros: bigint; coveredMinutes: number };

/** What was paid for each commitment so far, and what became of it. */
export async function sumCommitments(): Promise<Map<string, CommitmentSums>> {
  const { rows } = await pool().query<{ id: string; paid: string; used: string; unused: string; minutes: string }>(
    `select commitment_id as id, coalesce(sum(micros) filter (where charge = 'commitment'), 0)::text as paid,
       coalesce(sum(effective_micros - micros) filter (where charge = 'usage'), 0)::text as used,
       coalesce(sum(effective_micros) filter (where charge = 'commitment'), 0)::text as unused,
       coalesce(sum(minutes) filter (where charge = 'usage'), 0)::text as minutes
     from ledger_row where commitment_id is not null group by 1`,
  );
  return new Map(
    rows.map(({ id, paid, used, unused, minutes }) => [
      id,
      {
        paidMicros: BigInt(paid),
        usedMicros: BigInt(used),
        unusedMicros: BigInt(unused),
        coveredMinutes: Number(minutes),
      },
    ]),
  );
}
