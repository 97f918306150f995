import { createHash } from "node:crypto";
import type pg from "pg";
import { pool, prisma } from "@/lib/db/client";
import type { ChargeKind } from "@/lib/db/generated/enums";
import { differences } from "@/lib/domain/cost/corrections";
import { closedMonths, countingMonth } from "./periods";

export type { ChargeKind } from "@/lib/db/generated/enums";

export type LedgerRow = {
  /** Null: a charge that no machine and no file system makes. */
  resourceId: string | null;
  charge: ChargeKind;
  day: string;
  spanId: bigint | null;
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
  chargeId?: string | null;
  commitmentId?: string | null;
  /** At list price; null: as billed. */
  listMicros?: bigint | null;
  /** Amortised; null: as billed. */
  effectiveMicros?: bigint | null;
  /** The row of a closed month that it corrects. */
  correctsKey?: string | null;
  note?: string | null;
};

type Keyed = LedgerRow & { key: string; period: string };

/** The natural key of a row: the same observations, in any order, give the same rows. */
export function ledgerKey(
  row: Pick<
    LedgerRow,
    "resourceId" | "day" | "startsAt" | "charge" | "priceId" | "ownerId" | "chargeId" | "commitmentId" | "note"
  >,
): string {
  const { resourceId, day, startsAt, charge, priceId, ownerId } = row;
  // What no resource makes is told apart by what does, and by its words.
  const maker = resourceId ?? `${row.chargeId ?? row.commitmentId ?? ""}/${row.note ?? ""}`;
  return hashed([maker, day, startsAt, charge, priceId ?? "", ownerId]);
}

function hashed(parts: readonly (string | number)[]): string {
  const hex = createHash("sha256").update(parts.join("|")).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

const text = (value: bigint | null | undefined) => value?.toString() ?? null;

const COLUMNS: readonly (readonly [name: string, type: string, value: (row: Keyed) => unknown])[] = [
  ["key", "uuid", (row) => row.key],
  ["period", "date", (row) => row.period],
  ["day", "date", (row) => row.day],
  ["charge", "charge_kind", (row) => row.charge],
  ["resource_id", "uuid", (row) => row.resourceId],
  ["span_id", "bigint", (row) => text(row.spanId)],
  ["price_id", "int", (row) => row.priceId],
  ["charge_id", "uuid", (row) => row.chargeId ?? null],
  ["commitment_id", "uuid", (row) => row.commitmentId ?? null],
  ["owner_id", "int", (row) => row.ownerId],
  ["starts_at", "timestamptz", (row) => new Date(row.startsAt)],
  ["ends_at", "timestamptz", (row) => new Date(row.endsAt)],
  ["minutes", "int", (row) => row.minutes],
  ["byte_hours", "numeric", (row) => text(row.byteHours)],
  ["micros", "bigint", (row) => text(row.micros)],
  ["low_micros", "bigint", (row) => text(row.lowMicros)],
  ["high_micros", "bigint", (row) => text(row.highMicros)],
  ["list_micros", "bigint", (row) => text(row.listMicros)],
  ["effective_micros", "bigint", (row) => text(row.effectiveMicros)],
  ["is_flagged", "boolean", (row) => row.isFlagged],
  ["corrects_key", "uuid", (row) => row.correctsKey ?? null],
  ["note", "text", (row) => row.note ?? null],
];
const FIXED = ["key", "period", "day", "charge", "resource_id", "charge_id", "owner_id", "starts_at"];
const CHANGING = COLUMNS.map(([name]) => name).filter((name) => !FIXED.includes(name));

// What a commitment's covered minutes cost in effect is settled per day, after the rows are there; until they change it stays.
const EFFECTIVE = `case when excluded.charge = 'usage' and excluded.commitment_id = l.commitment_id and excluded.minutes = l.minutes and excluded.effective_micros is null
  then l.effective_micros else excluded.effective_micros end`;
const given = (column: string) => (column === "effective_micros" ? EFFECTIVE : `excluded.${column}`);

const UPSERT = `insert into ledger_row as l (${COLUMNS.map(([name]) => name).join(", ")})
  select * from unnest(${COLUMNS.map(([, type], i) => `$${i + 1}::${type}[]`).join(", ")})
  on conflict (key) do update set ${CHANGING.map((c) => `${c} = ${given(c)}`).join(", ")}
  where (${CHANGING.map((c) => `l.${c}`).join(", ")}) is distinct from (${CHANGING.map(given).join(", ")})`;

/** Whose rows are replaced: those of a resource, of a charge, or what is paid and left unused of a commitment. */
type Maker = "resource" | "charge" | "commitment";

const MADE_BY: Record<Maker, string> = {
  resource: "l.resource_id = s.id",
  charge: "l.charge_id = s.id",
  commitment: "l.commitment_id = s.id and l.resource_id is null",
};

export type Made = {
  id: string;
  /** Rows of days before this are left as they are; null: all are replaced. */
  since: string | null;
  rows: readonly LedgerRow[];
};

/**
 * Replaces rows as far as they differ, safe to repeat. Rows of closed months stay: what is different of them is added in the first
 * month that is open. Call it in a transaction that holds the makers' rows.
 */
export async function replaceMade(client: pg.ClientBase, maker: Maker, made: readonly Made[]): Promise<void> {
  const closed = await closedMonths(client);
  const keyed = made.flatMap(({ rows }) =>
    rows.map((row): Keyed => ({ ...row, key: ledgerKey(row), period: `${row.day.slice(0, 7)}-01` })),
  );
  const isClosed = ({ day }: LedgerRow) => closed.has(day.slice(0, 7));
  const rows = [
    ...keyed.filter((row) => !isClosed(row)),
    ...(await corrections(client, maker, made, keyed.filter(isClosed), closed)),
  ];
  await client.query(
    `delete from ledger_row l using unnest($1::uuid[], $2::date[]) as s(id, since)
     where ${MADE_BY[maker]} and (s.since is null or l.day >= s.since) and l.period <> all ($3::date[])
       and not exists (select from unnest($4::uuid[]) as k(key) where k.key = l.key)`,
    [made.map(({ id }) => id), made.map(({ since }) => since), firstDays(closed), rows.map(({ key }) => key)],
  );
  if (rows.length > 0)
    await client.query(
      UPSERT,
      COLUMNS.map(([, , value]) => rows.map(value)),
    );
}

const firstDays = (months: ReadonlySet<string>) => [...months].map((month) => `${month}-01`);

/** Rows of the open month that make closed ones say what they should. */
async function corrections(
  client: pg.ClientBase,
  maker: Maker,
  made: readonly Made[],
  right: readonly Keyed[],
  closed: ReadonlySet<string>,
): Promise<Keyed[]> {
  const newest = [...closed].sort().at(-1);
  const concerned = made.filter(({ since }) => newest !== undefined && (since === null || since.slice(0, 7) <= newest));
  if (concerned.length === 0) return [];
  const booked = await bookedRows(client, maker, concerned, closed);
  return concerned.flatMap(({ id }) => {
    const mine = (row: Keyed) => makerOf(maker, row) === id;
    return differences(right.filter(mine), booked.filter(mine)).flatMap((found): Keyed[] => {
      const { right: wanted, booked: corrected, ...amounts } = found;
      const like = wanted ?? corrected;
      if (!like) return [];
      const month = like.day.slice(0, 7);
      const period = `${countingMonth(month, closed)}-01`;
      const row = { ...like, ...amounts, period, correctsKey: corrected?.key ?? null };
      const words = like.resourceId === null && like.note ? `${like.note}: ${found.note.toLowerCase()}` : found.note;
      const note = `${words} (${month})`;
      const slot = [like.day, like.charge, like.ownerId, ...(like.resourceId ? (like.commitmentId ?? []) : [])];
      return [{ ...row, note, key: hashed(["correction", period, id, ...slot]) }];
    });
  });
}

function makerOf(maker: Maker, row: LedgerRow): string | null | undefined {
  if (maker === "resource") return row.resourceId;
  return maker === "charge" ? row.chargeId : row.commitmentId;
}

type RawRow = Record<string, string | number | boolean | Date | null>;

/** Rows of closed months, and what was corrected of them in months that are closed by now. */
async function bookedRows(
  client: pg.ClientBase,
  maker: Maker,
  made: readonly Made[],
  closed: ReadonlySet<string>,
): Promise<Keyed[]> {
  const { rows } = await client.query<RawRow>(
    `select l.key, l.period::text as period, l.day::text as day, l.charge::text as charge, l.resource_id as "resourceId", l.span_id::text as "spanId", l.price_id as "priceId",
       l.charge_id as "chargeId", l.commitment_id as "commitmentId", l.owner_id as "ownerId", l.starts_at as "startsAt", l.ends_at as "endsAt", l.minutes,
       l.byte_hours::text as "byteHours", l.micros::text as micros, l.low_micros::text as "lowMicros", l.high_micros::text as "highMicros", l.list_micros::text as "listMicros",
       l.effective_micros::text as "effectiveMicros", l.is_flagged as "isFlagged", l.corrects_key as "correctsKey", l.note
     from ledger_row l, unnest($1::uuid[], $2::date[]) as s(id, since)
     where ${MADE_BY[maker]} and (s.since is null or l.day >= s.since) and l.period = any ($3::date[])`,
    [made.map(({ id }) => id), made.map(({ since }) => since), firstDays(closed)],
  );
  return rows.map(toKeyed);
}

const AMOUNTS = ["spanId", "byteHours", "micros", "lowMicros", "highMicros", "listMicros", "effectiveMicros"];

function toKeyed(row: RawRow): Keyed {
  const parsed = Object.entries(row).map(([name, value]) => {
    if (value instanceof Date) return [name, value.getTime()];
    return [name, AMOUNTS.includes(name) && value !== null ? BigInt(String(value)) : value];
  });
  return Object.fromEntries(parsed) as Keyed;
}

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

const LIFE = `update resource r set metered_for = x.metered_for, metered_final = x.is_final, bill_from_low = x.from_low, bill_from_best = x.from_best, bill_from_high = x.from_high,
   bill_to_low = x.to_low, bill_to_best = x.to_best, bill_to_high = x.to_high, bill_evidence = x.evidence
 from unnest($1::uuid[], $2::text[], $3::boolean[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[], $8::timestamptz[], $9::timestamptz[], $10::jsonb[])
   as x(id, metered_for, is_final, from_low, from_best, from_high, to_low, to_best, to_high, evidence)
 where r.id = x.id and (r.metered_for, r.metered_final, r.bill_from_low, r.bill_from_best, r.bill_from_high, r.bill_to_low, r.bill_to_best, r.bill_to_high, r.bill_evidence)
   is distinct from (x.metered_for, x.is_final, x.from_low, x.from_best, x.from_high, x.to_low, x.to_best, x.to_high, x.evidence)`;

/** Replaces the rows of resources, and what is derived of their lives: one transaction. */
export async function replaceRows(metered: readonly Metered[]): Promise<void> {
  if (metered.length === 0) return;
  await inTransaction(async (client) => {
    await client.query("select id from resource where id = any ($1::uuid[]) order by id for no key update", [
      metered.map((one) => one.resourceId),
    ]);
    await replaceMade(
      client,
      "resource",
      metered.map(({ resourceId: id, since, rows }) => ({ id, since, rows })),
    );
    const of = <T>(value: (one: Metered) => T) => metered.map(value);
    await client.query(LIFE, [
      of((one) => one.resourceId),
      of((one) => one.meteredFor),
      of((one) => one.isFinal),
      of((one) => one.bill?.from.low ?? null),
      of((one) => one.bill?.from.best ?? null),
      of((one) => one.bill?.from.high ?? null),
      of((one) => one.bill?.to.low ?? null),
      of((one) => one.bill?.to.best ?? null),
      of((one) => one.bill?.to.high ?? null),
      of((one) => one.evidence && JSON.stringify(one.evidence)),
    ]);
  });
}

/** A transaction on a connection of its own, for statements over thousands of rows. */
export async function inTransaction<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await pool().connect();
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
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
    `select count(*)::int as n, coalesce(sum(micros), 0)::text as micros, encode(sha256(convert_to(coalesce(string_agg(concat_ws('|', key, period, day, charge, resource_id, charge_id, commitment_id, price_id, owner_id, extract(epoch from starts_at), extract(epoch from ends_at), minutes, byte_hours,
       coalesce(micros::text, 'unknown'), low_micros, high_micros, list_micros, effective_micros, is_flagged, corrects_key, note), e'\\n' order by key), ''), 'UTF8')), 'hex') as hash from ledger_row`,
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
