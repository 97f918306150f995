import { createHash } from "node:crypto";
import { pool, prisma } from "@/lib/db/client";

export type LedgerRow = {
  resourceId: string;
  charge: "usage" | "storage";
  day: string;
  spanId: bigint;
  priceId: number | null;
  ownerId: number;
  startsAt: number;
  endsAt: number;
  minutes: number;
  byteHours: bigint | null;
  micros: bigint | null;
  lowMicros: bigint | null;
  highMicros: bigint | null;
  isFlagged: boolean;
};

/** The natural key of a row: the same observations, in any order, give the same rows. */
export function ledgerKey(
  row: Pick<LedgerRow, "resourceId" | "day" | "startsAt" | "charge" | "priceId" | "ownerId">,
): string {
  const text = [row.resourceId, row.day, row.startsAt, row.charge, row.priceId ?? "", row.ownerId].join("|");
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

const COLUMNS = [
  "key",
  "period",
  "day",
  "charge",
  "resource_id",
  "span_id",
  "price_id",
  "owner_id",
  "starts_at",
  "ends_at",
  "minutes",
  "byte_hours",
  "micros",
  "low_micros",
  "high_micros",
  "is_flagged",
];
const TYPES = [
  "uuid",
  "date",
  "date",
  "charge_kind",
  "uuid",
  "bigint",
  "int",
  "int",
  "timestamptz",
  "timestamptz",
  "int",
  "numeric",
  "bigint",
  "bigint",
  "bigint",
  "boolean",
];
const CHANGING = ["span_id", "ends_at", "minutes", "byte_hours", "micros", "low_micros", "high_micros", "is_flagged"];

const UPSERT = `insert into ledger_row as l (${COLUMNS.join(", ")})
  select * from unnest(${TYPES.map((type, i) => `$${i + 1}::${type}[]`).join(", ")})
  on conflict (key) do update set ${CHANGING.map((c) => `${c} = excluded.${c}`).join(", ")}
  where (${CHANGING.map((c) => `l.${c}`).join(", ")}) is distinct from (${CHANGING.map((c) => `excluded.${c}`).join(", ")})`;

export type Metered = {
  resourceId: string;
  /** Rows of days before this are left as they are. */
  since: string | null;
  rows: LedgerRow[];
  meteredFor: string;
  isFinal: boolean;
  bill: { from: { low: Date; best: Date; high: Date }; to: { low: Date; best: Date; high: Date } } | null;
  evidence: { from: string; to: string } | null;
};

/** Replaces a resource's rows, as far as they differ, and what is derived of its life: one transaction, safe to repeat. */
export async function replaceRows({
  resourceId,
  since,
  rows,
  meteredFor,
  isFinal,
  bill,
  evidence,
}: Metered): Promise<void> {
  const keyed = rows.map((row) => ({ key: ledgerKey(row), ...row }));
  const client = await pool().connect();
  try {
    await client.query("begin");
    await client.query(
      `delete from ledger_row where resource_id = $1 and ($2::date is null or day >= $2::date) and not key = any ($3::uuid[])`,
      [resourceId, since, keyed.map((row) => row.key)],
    );
    if (keyed.length > 0) {
      await client.query(UPSERT, [
        keyed.map((row) => row.key),
        keyed.map((row) => `${row.day.slice(0, 7)}-01`),
        keyed.map((row) => row.day),
        keyed.map((row) => row.charge),
        keyed.map((row) => row.resourceId),
        keyed.map((row) => row.spanId.toString()),
        keyed.map((row) => row.priceId),
        keyed.map((row) => row.ownerId),
        keyed.map((row) => new Date(row.startsAt)),
        keyed.map((row) => new Date(row.endsAt)),
        keyed.map((row) => row.minutes),
        keyed.map((row) => row.byteHours?.toString() ?? null),
        keyed.map((row) => row.micros?.toString() ?? null),
        keyed.map((row) => row.lowMicros?.toString() ?? null),
        keyed.map((row) => row.highMicros?.toString() ?? null),
        keyed.map((row) => row.isFlagged),
      ]);
    }
    await client.query(
      `update resource set metered_for = $2, metered_final = $3, bill_from_low = $4, bill_from_best = $5, bill_from_high = $6, bill_to_low = $7, bill_to_best = $8, bill_to_high = $9, bill_evidence = $10
       where id = $1`,
      [
        resourceId,
        meteredFor,
        isFinal,
        bill?.from.low ?? null,
        bill?.from.best ?? null,
        bill?.from.high ?? null,
        bill?.to.low ?? null,
        bill?.to.best ?? null,
        bill?.to.high ?? null,
        evidence,
      ],
    );
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

/** SHA-256 over all rows ordered by key: the same ledger, the same hash, in any database. */
export async function ledgerHash(): Promise<{ rows: number; hash: string; micros: bigint }> {
  const { rows } = await pool().query<{ n: number; hash: string; micros: string }>(
    `select count(*)::int as n, coalesce(sum(micros), 0)::text as micros, encode(sha256(convert_to(coalesce(string_agg(concat_ws('|', key, day, charge, resource_id, price_id, owner_id, minutes, byte_hours,
       coalesce(micros::text, 'unknown'), low_micros, high_micros, is_flagged), e'\\n' order by key), ''), 'UTF8')), 'hex') as hash from ledger_row`,
  );
  return { rows: rows[0]?.n ?? 0, hash: rows[0]?.hash ?? "", micros: BigInt(rows[0]?.micros ?? "0") };
}

export async function ledgerOf(resourceId: string) {
  return prisma.ledgerRow.findMany({
    where: { resourceId },
    include: {
      price: { select: { micros: true } },
      owner: true,
      span: { select: { name: true, typeName: true, region: true } },
    },
    orderBy: { startsAt: "asc" },
  });
}
