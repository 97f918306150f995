import { createHash } from "node:crypto";
import { type Client, pool } from "@/lib/db/client";
import type { Tx } from "@/lib/db/mutate";
import {
  CANONICAL_HEAD,
  type CanonicalRow,
  canonicalJson,
  canonicalLine,
  type Json,
} from "@/lib/domain/cost/canonical";
import { Checklist } from "@/lib/domain/cost/close";
import { type Asked, asking, findPeriod, type Month, type Period } from "./periods";

const first = (month: Month) => `${month}-01`;

type RawCanonical = Omit<
  CanonicalRow,
  "priceMicros" | "micros" | "lowMicros" | "highMicros" | "listMicros" | "effectiveMicros"
> &
  Record<"price" | "micros" | "low" | "high" | "list" | "effective", string | null>;

const CANONICAL = `select l.key::text as key, l.period::text as period, l.day::text as day, l.charge::text as charge, l.resource_id::text as "resourceId",
   l.charge_id::text as "chargeId", l.commitment_id::text as "commitmentId", l.starts_at as "startsAt", l.ends_at as "endsAt", l.minutes, l.byte_hours::text as "byteHours", p.micros::text as price,
   l.micros::text as micros, l.low_micros::text as low, l.high_micros::text as high, l.list_micros::text as list, l.effective_micros::text as effective,
   l.is_flagged as "isFlagged", o.team, o.project, o.environment, o.cost_center as "costCenter", l.corrects_key::text as "correctsKey", l.note
 from ledger_row l join cost_owner o on o.id = l.owner_id left join price p on p.id = l.price_id
 where l.period = $1::date and ($2::uuid is null or l.key > $2::uuid) order by l.key limit $3::int`;

const big = (text: string | null) => (text === null ? null : BigInt(text));

const toCanonical = ({ price, low, high, list, effective, ...row }: RawCanonical): CanonicalRow => ({
  ...row,
  priceMicros: big(price),
  micros: big(row.micros),
  lowMicros: big(low),
  highMicros: big(high),
  listMicros: big(list),
  effectiveMicros: big(effective),
});

const BATCH = 5_000;

/** A month's rows in order of key, some at a time; of one state only where nobody can write meanwhile. */
export async function* canonicalRows(month: Month, client: Asked = pool()): AsyncGenerator<CanonicalRow[]> {
  let last: string | null = null;
  for (;;) {
    const { rows }: { rows: RawCanonical[] } = await client.query<RawCanonical>(CANONICAL, [first(month), last, BATCH]);
    if (rows.length > 0) yield rows.map(toCanonical);
    last = rows.at(-1)?.key ?? null;
    if (rows.length < BATCH) return;
  }
}

export type Content = { hash: string; rows: number; micros: bigint };

/** SHA-256 over the canonical CSV of a month, with what it counts. */
export async function contentOf(month: Month, client: Asked = pool()): Promise<Content> {
  const hash = createHash("sha256").update(CANONICAL_HEAD);
  let rows = 0;
  let micros = 0n;
  for await (const batch of canonicalRows(month, client)) {
    for (const row of batch) {
      hash.update(canonicalLine(row));
      micros += row.micros ?? 0n;
    }
    rows += batch.length;
  }
  return { hash: hash.digest("hex"), rows, micros };
}

/** Holds the month's row until the end of the transaction, and says how it stands now. */
async function hold(tx: Client, month: Month, now: Date): Promise<Period> {
  await tx.$executeRaw`insert into period (month, updated_at) values (${first(month)}::date, ${now}) on conflict do nothing`;
  await tx.$queryRaw`select 1 from period where month = ${first(month)}::date for update`;
  return findPeriod(month, asking(tx));
}

/** What was said of the month's points; what cannot be read any more was not said. */
export function readChecklist(period: Period): Checklist {
  return Checklist.catch({ signed: {}, reviewed: {}, points: [], closedBy: null }).parse(period.checklist);
}

/** Changes an open month's standing under its lock; `change` sees it as it is now. */
export async function changePeriod<T>(
  tx: Tx,
  month: Month,
  now: Date,
  change: (period: Period, checklist: Checklist) => { status: "open" | "closing"; checklist: Checklist; result: T },
): Promise<T> {
  const period = await hold(tx, month, now);
  const { status, checklist, result } = change(period, readChecklist(period));
  await tx.$executeRaw`update period set status = ${status}::period_status, checklist = ${JSON.stringify(checklist)}::jsonb,
    version = version + 1, updated_at = ${now} where month = ${first(month)}::date`;
  return result;
}

export type StatementDraft = { scope: string; totalMicros: bigint; content: Json };

export type Closing = {
  month: Month;
  zone: string;
  now: Date;
  byUserId: string | null;
  /** Inside the lock, before anything is asked: what is derived of the month's rows is brought up to them. */
  settle: (tx: Tx) => Promise<unknown>;
  /** Asked inside the lock, when no row of the month can change any more: the list as it is kept, or a refusal by throwing. */
  checklist: (period: Period, asked: Asked) => Promise<Checklist>;
  statements: (asked: Asked) => Promise<StatementDraft[]>;
  /** What else is true from the close on, in the same commit. */
  also: (tx: Tx) => Promise<unknown>;
};

/**
 * Closes a month, whole or not at all. Everybody who writes one of its rows either did so before or is refused; whoever comes second
 * finds it closed. One month at a time: two closings and two writers could wait for each other in a ring.
 */
export async function closePeriod(
  tx: Tx,
  { month, zone, now, byUserId, settle, checklist, statements, also }: Closing,
): Promise<{ period: Period; wasClosed: boolean }> {
  await tx.$queryRaw`select pg_advisory_xact_lock(hashtext('period'), -1)::text`;
  const before = await hold(tx, month, now);
  if (before.status === "closed") return { period: before, wasClosed: true };
  await tx.$queryRaw`select pg_advisory_xact_lock(hashtext('period'), month_lock_key(${first(month)}::date))::text`;

  await settle(tx);
  const asked = asking(tx);
  const kept = await checklist(before, asked);
  const content = await contentOf(month, asked);
  for (const { scope, totalMicros, content: said } of await statements(asked)) {
    const text = canonicalJson(said);
    await tx.$executeRaw`insert into statement (month, scope, total_micros, content, hash, created_at)
      values (${first(month)}::date, ${scope}, ${totalMicros}, ${text}::jsonb, sha256(convert_to(${text}, 'UTF8')), ${now})`;
  }
  await tx.$executeRaw`update period set status = 'closed', checklist = ${JSON.stringify(kept)}::jsonb, zone = ${zone}, row_count = ${content.rows},
    total_micros = ${content.micros}, content_hash = decode(${content.hash}, 'hex'), closed_at = ${now}, closed_by_id = ${byUserId}::uuid,
    version = version + 1, updated_at = ${now} where month = ${first(month)}::date`;
  await also(tx);
  return { period: await findPeriod(month, asked), wasClosed: false };
}

/** The statements of a closed month, with what each says. */
export async function listStatements(month: Month): Promise<{ scope: string; totalMicros: bigint; hash: string }[]> {
  const { rows } = await pool().query<{ scope: string; total: string; hash: string }>(
    "select scope, total_micros::text as total, encode(hash, 'hex') as hash from statement where month = $1::date order by scope = 'all' desc, scope",
    [first(month)],
  );
  return rows.map(({ scope, total, hash }) => ({ scope, totalMicros: BigInt(total), hash }));
}

export async function findStatement(month: Month, scope: string): Promise<{ content: unknown; hash: string } | null> {
  const { rows } = await pool().query<{ content: unknown; hash: string }>(
    "select content, encode(hash, 'hex') as hash from statement where month = $1::date and scope = $2",
    [first(month), scope],
  );
  return rows[0] ?? null;
}
