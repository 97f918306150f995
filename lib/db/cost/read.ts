import { pool } from "@/lib/db/client";

export type Dimension = "team" | "project" | "type" | "region" | "instance" | "charge";

// Closed list: what a cost may be stacked by, as SQL over ledger_row l, span s, owner o, resource r.
export const DIMENSIONS: Record<Dimension, string> = {
  team: "o.team",
  project: "o.project",
  type: "coalesce(s.type_name, 'storage')",
  region: "s.region",
  instance: "coalesce(s.name, r.external_id)",
  charge: "l.charge::text",
};

export const FROM =
  "from ledger_row l join resource_span s on s.id = l.span_id join cost_owner o on o.id = l.owner_id join resource r on r.id = l.resource_id";

export type Sums = {
  micros: bigint;
  lowMicros: bigint;
  highMicros: bigint;
  unknownRows: number;
  flaggedRows: number;
  minutes: number;
};

export type RawSums = { micros: string; low: string; high: string; unknown: number; flagged: number; minutes: string };

export const SUMS = `coalesce(sum(l.micros), 0)::text as micros, coalesce(sum(l.low_micros), 0)::text as low, coalesce(sum(l.high_micros), 0)::text as high,
  count(*) filter (where l.micros is null)::int as unknown, count(*) filter (where l.is_flagged)::int as flagged, coalesce(sum(l.minutes), 0)::text as minutes`;

export const toSums = (row: RawSums): Sums => ({
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

/** What each value of a dimension cost over accounting days [from, to], and on how many resources. */
export async function spendByKey(
  from: string,
  to: string,
  dimension: Dimension,
): Promise<(Sums & { key: string; resources: number })[]> {
  const { rows } = await pool().query<RawSums & { key: string; resources: number }>(
    `select ${DIMENSIONS[dimension]} as key, count(distinct l.resource_id)::int as resources, ${SUMS}
     ${FROM} where l.day between $1::date and $2::date group by 1 order by ${DIMENSIONS[dimension]} = '', sum(l.micros) desc nulls last, 1`,
    [from, to],
  );
  return rows.map((row) => ({ ...toSums(row), key: row.key, resources: row.resources }));
}

/** Idle money of the same. A day on which a machine changed hands goes whole to whoever had it for longer. */
export async function idleByKey(from: string, to: string, dimension: Dimension): Promise<Map<string, bigint>> {
  const { rows } = await pool().query<{ key: string; micros: string }>(
    `select coalesce(k.key, '') as key, sum(u.idle_empty_micros + u.idle_held_micros)::text as micros
     from usage_day u left join lateral (
       select ${DIMENSIONS[dimension]} as key ${FROM} where l.resource_id = u.resource_id and l.day = u.day and l.charge = 'usage'
       order by l.minutes desc, l.key limit 1) k on true
     where u.day between $1::date and $2::date group by 1`,
    [from, to],
  );
  return new Map(rows.map((row) => [row.key, BigInt(row.micros)]));
}

// Closed list: in which order the values of a dimension were first met. Small tables only; the ledger is not read for it.
const BY_AGE: Record<Exclude<Dimension, "charge">, string> = {
  team: "select team as key from cost_owner where team <> '' group by 1 order by min(id)",
  project: "select project as key from cost_owner where project <> '' group by 1 order by min(id)",
  type: "select coalesce(type_name, 'storage') as key from resource_span group by 1 order by min(valid_from), 1",
  region: "select region as key from resource_span group by 1 order by min(valid_from), 1",
  instance: "select name as key from resource_span where name is not null group by 1 order by min(valid_from), 1",
};

/** The values of a dimension, the oldest first: a new one never comes before one that is known. */
export async function keysByAge(dimension: Exclude<Dimension, "charge">): Promise<string[]> {
  const { rows } = await pool().query<{ key: string }>(`${BY_AGE[dimension]} limit 1000`);
  return rows.map((row) => row.key);
}

export type ByCharge = { usage: ChargeSums; storage: ChargeSums };
export type ChargeSums = { resources: number; minutes: number; micros: bigint };

/** Machines and file systems apart. */
export async function sumByCharge(from: string, to: string): Promise<ByCharge> {
  const { rows } = await pool().query<{
    charge: "usage" | "storage";
    resources: number;
    minutes: string;
    micros: string;
  }>(
    `select charge::text as charge, count(distinct resource_id)::int as resources, coalesce(sum(minutes), 0)::text as minutes, coalesce(sum(micros), 0)::text as micros
     from ledger_row where day between $1::date and $2::date group by 1`,
    [from, to],
  );
  const of = (charge: "usage" | "storage"): ChargeSums => {
    const row = rows.find((one) => one.charge === charge);
    return { resources: row?.resources ?? 0, minutes: Number(row?.minutes ?? 0), micros: BigInt(row?.micros ?? "0") };
  };
  return { usage: of("usage"), storage: of("storage") };
}

/** Billed GPU-minutes and what they cost, of the types whose number of GPUs and whose price are known; null: of none. */
export async function sumGpus(from: string, to: string): Promise<{ minutes: number; micros: bigint } | null> {
  const { rows } = await pool().query<{ minutes: string | null; micros: string | null }>(
    `select sum(l.minutes * t.gpus)::text as minutes, sum(l.micros)::text as micros
     from ledger_row l join resource_span s on s.id = l.span_id join instance_type t on t.provider = s.provider and t.name = s.type_name and t.gpus > 0
     where l.day between $1::date and $2::date and l.charge = 'usage' and l.micros is not null`,
    [from, to],
  );
  const [row] = rows;
  return row?.minutes && row.micros ? { minutes: Number(row.minutes), micros: BigInt(row.micros) } : null;
}

/** What machines cost that came and went within accounting days [from, to]. */
export async function sumChurn(from: string, to: string, start: Date): Promise<bigint> {
  const { rows } = await pool().query<{ micros: string }>(
    `select coalesce(sum(l.micros), 0)::text as micros from ledger_row l join resource r on r.id = l.resource_id
     where r.kind = 'instance' and r.gone_at is not null and r.bill_from_best >= $3 and l.day between $1::date and $2::date`,
    [from, to, start],
  );
  return BigInt(rows[0]?.micros ?? "0");
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

export type PriceChange = { sku: string; beforeMicros: bigint; micros: bigint; at: Date };

/** Price changes that were seen within [from, to), the newest first. */
export async function listPriceChanges(from: Date, to: Date): Promise<PriceChange[]> {
  const { rows } = await pool().query<{ sku: string; micros: string; before: string; at: Date }>(
    `select p.sku, p.micros::text as micros, q.micros::text as before, p.valid_from as at
     from price p join price q on q.provider = p.provider and q.sku = p.sku and q.region = p.region and q.unit = p.unit and q.valid_to = p.valid_from
     where p.valid_from >= $1 and p.valid_from < $2 and p.micros <> q.micros order by p.valid_from desc, p.sku limit 100`,
    [from, to],
  );
  return rows.map(({ sku, micros, before, at }) => ({ sku, beforeMicros: BigInt(before), micros: BigInt(micros), at }));
}
