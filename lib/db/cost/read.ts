import { pool } from "@/lib/db/client";

export type Dimension = "team" | "project" | "type" | "region" | "instance" | "charge";

// Closed list: what a cost may be stacked by, as SQL over ledger_row l, span s, owner o, resource r.
const DIMENSIONS: Record<Dimension, string> = {
  team: "o.team",
  project: "o.project",
  type: "coalesce(s.type_name, 'storage')",
  region: "s.region",
  instance: "coalesce(s.name, r.external_id)",
  charge: "l.charge::text",
};

const FROM =
  "from ledger_row l join resource_span s on s.id = l.span_id join cost_owner o on o.id = l.owner_id join resource r on r.id = l.resource_id";

export type Sums = {
  micros: bigint;
  lowMicros: bigint;
  highMicros: bigint;
  unknownRows: number;
  flaggedRows: number;
  minutes: number;
};

type RawSums = { micros: string; low: string; high: string; unknown: number; flagged: number; minutes: string };

const SUMS = `coalesce(sum(l.micros), 0)::text as micros, coalesce(sum(l.low_micros), 0)::text as low, coalesce(sum(l.high_micros), 0)::text as high,
  count(*) filter (where l.micros is null)::int as unknown, count(*) filter (where l.is_flagged)::int as flagged, coalesce(sum(l.minutes), 0)::text as minutes`;

const toSums = (row: RawSums): Sums => ({
  micros: BigInt(row.micros),
  lowMicros: BigInt(row.low),
  highMicros: BigInt(row.high),
  unknownRows: row.unknown,
  flaggedRows: row.flagged,
  minutes: Number(row.minutes),
});

/** Sum of the ledger over accounting days [from, to], both ends in. */
export async function sumDays(from: string, to: string): Promise<Sums> {
  const { rows } = await pool().query<RawSums>(
    `select ${SUMS} from ledger_row l where l.day between $1::date and $2::date`,
    [from, to],
  );
  const [row] = rows;
  if (!row) throw new Error("no sum");
  return toSums(row);
}

export type DayPart = { day: string; key: string; micros: bigint; unknownRows: number };

/** Spend per accounting day, split by a dimension. */
export async function spendByDay(from: string, to: string, dimension: Dimension): Promise<DayPart[]> {
  const { rows } = await pool().query<{ day: string; key: string; micros: string; unknown: number }>(
    `select l.day::text as day, ${DIMENSIONS[dimension]} as key, coalesce(sum(l.micros), 0)::text as micros, count(*) filter (where l.micros is null)::int as unknown
     ${FROM} where l.day between $1::date and $2::date group by 1, 2 order by 1, 2`,
    [from, to],
  );
  return rows.map((row) => ({ day: row.day, key: row.key, micros: BigInt(row.micros), unknownRows: row.unknown }));
}

export type ResourceCost = Sums & {
  resourceId: string;
  kind: "instance" | "filesystem";
  name: string;
  typeName: string | null;
  region: string;
  team: string;
  isGone: boolean;
  idleMicros: bigint;
  firstAt: Date;
  lastAt: Date;
};

/** What each resource cost over accounting days [from, to], most first, by the names it had last. */
export async function costByResource(from: string, to: string): Promise<ResourceCost[]> {
  const { rows } = await pool().query<
    RawSums & {
      resourceId: string;
      kind: "instance" | "filesystem";
      name: string;
      typeName: string | null;
      region: string;
      team: string;
      isGone: boolean;
      idle: string;
      firstAt: Date;
      lastAt: Date;
    }
  >(
    `select l.resource_id as "resourceId", r.kind::text as kind, (array_agg(coalesce(s.name, r.external_id) order by l.starts_at desc))[1] as name,
       (array_agg(s.type_name order by l.starts_at desc))[1] as "typeName", (array_agg(s.region order by l.starts_at desc))[1] as region,
       (array_agg(o.team order by l.starts_at desc))[1] as team, r.gone_at is not null as "isGone", min(l.starts_at) as "firstAt", max(l.ends_at) as "lastAt",
       coalesce((select sum(u.idle_empty_micros + u.idle_held_micros) from usage_day u where u.resource_id = l.resource_id and u.day between $1::date and $2::date), 0)::text as idle,
       ${SUMS} ${FROM} where l.day between $1::date and $2::date group by l.resource_id, r.kind, r.external_id, r.gone_at
     order by sum(l.micros) desc nulls last`,
    [from, to],
  );
  return rows.map((row) => ({
    ...toSums(row),
    resourceId: row.resourceId,
    kind: row.kind,
    name: row.name,
    typeName: row.typeName,
    region: row.region,
    team: row.team,
    isGone: row.isGone,
    idleMicros: BigInt(row.idle),
    firstAt: row.firstAt,
    lastAt: row.lastAt,
  }));
}

export type LedgerDetail = {
  key: string;
  day: string;
  charge: string;
  resourceId: string;
  name: string;
  typeName: string | null;
  region: string;
  team: string;
  project: string;
  environment: string;
  startsAt: Date;
  endsAt: Date;
  minutes: number;
  byteHours: string | null;
  priceMicros: bigint | null;
  micros: bigint | null;
  lowMicros: bigint | null;
  highMicros: bigint | null;
  isFlagged: boolean;
};

/** The rows behind a figure. */
export async function listLedger(
  from: string,
  to: string,
  resourceId: string | null,
  limit: number,
): Promise<LedgerDetail[]> {
  const { rows } = await pool().query<
    Omit<LedgerDetail, "priceMicros" | "micros" | "lowMicros" | "highMicros"> & {
      priceMicros: string | null;
      micros: string | null;
      low: string | null;
      high: string | null;
    }
  >(
    `select l.key, l.day::text as day, l.charge::text as charge, l.resource_id as "resourceId", coalesce(s.name, r.external_id) as name, s.type_name as "typeName", s.region,
       o.team, o.project, o.environment, l.starts_at as "startsAt", l.ends_at as "endsAt", l.minutes, l.byte_hours::text as "byteHours", p.micros::text as "priceMicros",
       l.micros::text as micros, l.low_micros::text as low, l.high_micros::text as high, l.is_flagged as "isFlagged"
     ${FROM} left join price p on p.id = l.price_id
     where l.day between $1::date and $2::date and ($3::uuid is null or l.resource_id = $3::uuid) order by l.day desc, l.starts_at desc, l.key limit $4`,
    [from, to, resourceId, limit],
  );
  const big = (text: string | null) => (text === null ? null : BigInt(text));
  return rows.map(({ low, high, ...row }) => ({
    ...row,
    priceMicros: big(row.priceMicros),
    micros: big(row.micros),
    lowMicros: big(low),
    highMicros: big(high),
  }));
}

/** The months of which there is anything, newest first. */
export async function listMonths(): Promise<{ month: string; micros: bigint; unknownRows: number }[]> {
  const { rows } = await pool().query<{ month: string; micros: string; unknown: number }>(
    "select to_char(period, 'YYYY-MM') as month, coalesce(sum(micros), 0)::text as micros, count(*) filter (where micros is null)::int as unknown from ledger_row group by 1 order by 1 desc",
  );
  return rows.map((row) => ({ month: row.month, micros: BigInt(row.micros), unknownRows: row.unknown }));
}

/** Idle money over accounting days [from, to]. */
export async function sumIdle(
  from: string,
  to: string,
): Promise<{ emptyMicros: bigint; heldMicros: bigint; minutes: number }> {
  const { rows } = await pool().query<{ empty: string; held: string; minutes: number }>(
    `select coalesce(sum(idle_empty_micros), 0)::text as empty, coalesce(sum(idle_held_micros), 0)::text as held, coalesce(sum(idle_empty_minutes + idle_held_minutes), 0)::int as minutes
     from usage_day where day between $1::date and $2::date`,
    [from, to],
  );
  return {
    emptyMicros: BigInt(rows[0]?.empty ?? "0"),
    heldMicros: BigInt(rows[0]?.held ?? "0"),
    minutes: rows[0]?.minutes ?? 0,
  };
}

/** What storage costs per hour as of the newest sizes and prices; null: a size or the price is not known. */
export async function storageRate(): Promise<{ microsPerHour: bigint | null; bytes: bigint }> {
  const { rows } = await pool().query<{ rate: string | null; bytes: string; unknown: number }>(
    `select round(sum(s.bytes_used * p.micros / (720.0 * 1073741824)))::text as rate, coalesce(sum(s.bytes_used), 0)::text as bytes,
       count(*) filter (where s.bytes_used is null or p.micros is null)::int as unknown
     from resource r join resource_span s on s.resource_id = r.id and s.valid_to is null
     left join price p on p.provider = s.provider and p.unit = 'gib_month' and p.valid_to is null
     where r.kind = 'filesystem' and r.gone_at is null`,
  );
  const [row] = rows;
  if (!row) return { microsPerHour: 0n, bytes: 0n };
  return { microsPerHour: row.unknown > 0 ? null : BigInt(row.rate ?? "0"), bytes: BigInt(row.bytes) };
}

/** Price changes that were seen, newest first. */
export async function listPriceChanges(limit: number) {
  const { rows } = await pool().query<{
    sku: string;
    region: string;
    unit: string;
    micros: string;
    before: string | null;
    at: Date;
    source: string;
    validTo: Date | null;
  }>(
    `select p.sku, p.region, p.unit::text as unit, p.micros::text as micros, p.valid_from as at, p.valid_to as "validTo", p.source::text as source,
       (select q.micros::text from price q where q.provider = p.provider and q.sku = p.sku and q.region = p.region and q.unit = p.unit and q.valid_to = p.valid_from) as before
     from price p order by p.valid_from desc, p.sku limit $1`,
    [limit],
  );
  return rows.map((row) => ({
    ...row,
    micros: BigInt(row.micros),
    before: row.before === null ? null : BigInt(row.before),
  }));
}
