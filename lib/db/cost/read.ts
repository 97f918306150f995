import { pool } from "@/lib/db/client";

export type Dimension = "team" | "project" | "type" | "region" | "instance" | "charge";

// Closed list: what a cost may be stacked by, as SQL over ledger_row l, span s, owner o, resource r.
export const DIMENSIONS: Record<Dimension, string> = {
  team: "o.team",
  project: "o.project",
  type: "coalesce(s.type_name, case when l.charge in ('usage', 'storage') then 'storage' else l.charge::text end)",
  region: "coalesce(s.region, '')",
  instance: "coalesce(s.name, r.external_id, l.note, l.charge::text)",
  charge: "l.charge::text",
};

export const FROM =
  "from ledger_row l left join resource_span s on s.id = l.span_id join cost_owner o on o.id = l.owner_id left join resource r on r.id = l.resource_id";

/** Rows of accounting days [from, to], both ends in; with a month: all that count in it up to the last of them, corrections too. */
export type CostDays = { from: string; to: string; month: string | null };

export const inDays =
  "($3::date is null and l.day between $1::date and $2::date or l.period = $3::date and l.day <= $2::date)";
export const daysValues = ({ from, to, month }: CostDays) => [from, to, month && `${month}-01`];

export type Sums = {
  micros: bigint;
  lowMicros: bigint;
  highMicros: bigint;
  unknownRows: number;
  minutes: number;
};

export type RawSums = { micros: string; low: string; high: string; unknown: number; minutes: string };

export const SUMS = `coalesce(sum(l.micros), 0)::text as micros, coalesce(sum(l.low_micros), 0)::text as low, coalesce(sum(l.high_micros), 0)::text as high,
  (count(*) filter (where l.micros is null))::int as unknown, coalesce(sum(l.minutes) filter (where l.charge = 'usage'), 0)::text as minutes`;
const DAY_SUMS = `coalesce(sum(l.micros), 0)::text as micros, coalesce(sum(l.low_micros), 0)::text as low, coalesce(sum(l.high_micros), 0)::text as high,
  coalesce(sum(l.unknown_rows), 0)::int as unknown, coalesce(sum(l.minutes) filter (where l.charge = 'usage'), 0)::text as minutes`;

export const toSums = (row: RawSums): Sums => ({
  micros: BigInt(row.micros),
  lowMicros: BigInt(row.low),
  highMicros: BigInt(row.high),
  unknownRows: row.unknown,
  minutes: Number(row.minutes),
});

/** Sum of the ledger. */
export async function sumDays(days: CostDays): Promise<Sums> {
  const { rows } = await pool().query<RawSums>(`select ${DAY_SUMS} from cost_day l where ${inDays}`, daysValues(days));
  const [row] = rows;
  if (!row) throw new Error("no sum");
  return toSums(row);
}

/** Of a month's rows those for days before it. */
export async function sumCorrections({ from, month }: CostDays): Promise<{ micros: bigint; rows: number }> {
  const { rows } = await pool().query<{ micros: string; rows: number }>(
    "select coalesce(sum(micros), 0)::text as micros, coalesce(sum(rows), 0)::int as rows from cost_day where period = $2::date and day < $1::date",
    [from, month && `${month}-01`],
  );
  return { micros: BigInt(rows[0]?.micros ?? "0"), rows: rows[0]?.rows ?? 0 };
}

export type DayPart = { day: string; key: string; micros: bigint; unknownRows: number };

// The same dimensions over the sums of days; a machine is not told from another there.
const OF_DAYS: Record<Exclude<Dimension, "instance">, string> = {
  team: "o.team",
  project: "o.project",
  type: "l.type_name",
  region: "l.region",
  charge: "l.charge::text",
};

/** Spend per accounting day, split by a dimension. */
export async function spendByDay(days: CostDays, dimension: Dimension): Promise<DayPart[]> {
  const question =
    dimension === "instance"
      ? `select l.day::text as day, ${DIMENSIONS.instance} as key, coalesce(sum(l.micros), 0)::text as micros, (count(*) filter (where l.micros is null))::int as unknown ${FROM}`
      : `select l.day::text as day, ${OF_DAYS[dimension]} as key, coalesce(sum(l.micros), 0)::text as micros, coalesce(sum(l.unknown_rows), 0)::int as unknown
         from cost_day l join cost_owner o on o.id = l.owner_id`;
  const { rows } = await pool().query<{ day: string; key: string; micros: string; unknown: number }>(
    `${question} where ${inDays} group by 1, 2 order by 1, 2`,
    daysValues(days),
  );
  return rows.map((row) => ({ day: row.day, key: row.key, micros: BigInt(row.micros), unknownRows: row.unknown }));
}

/** What each value of a dimension cost, and on how many resources. */
export async function spendByKey(
  days: CostDays,
  dimension: Dimension,
): Promise<(Sums & { key: string; resources: number })[]> {
  const { rows } = await pool().query<RawSums & { key: string; resources: number }>(
    `select x.key, count(x.resource_id)::int as resources, sum(x.micros)::text as micros, sum(x.low)::text as low, sum(x.high)::text as high,
       sum(x.unknown)::int as unknown, sum(x.minutes)::text as minutes
     from (select ${DIMENSIONS[dimension]} as key, l.resource_id, coalesce(sum(l.micros), 0) as micros, coalesce(sum(l.low_micros), 0) as low, coalesce(sum(l.high_micros), 0) as high,
         count(*) filter (where l.micros is null) as unknown, coalesce(sum(l.minutes) filter (where l.charge = 'usage'), 0) as minutes ${FROM} where ${inDays} group by 1, 2) x
     group by 1 order by x.key = '', sum(x.micros) desc, 1`,
    daysValues(days),
  );
  return rows.map((row) => ({ ...toSums(row), key: row.key, resources: row.resources }));
}

/** What each value of a dimension cost, without what else is known of it. */
export async function sumByKey(days: CostDays, dimension: Dimension): Promise<(Sums & { key: string })[]> {
  const from =
    dimension === "instance"
      ? `select ${DIMENSIONS.instance} as key, ${SUMS} ${FROM}`
      : `select ${OF_DAYS[dimension]} as key, ${DAY_SUMS} from cost_day l join cost_owner o on o.id = l.owner_id`;
  const { rows } = await pool().query<RawSums & { key: string }>(
    `${from} where ${inDays} group by 1`,
    daysValues(days),
  );
  return rows.map((row) => ({ ...toSums(row), key: row.key }));
}

/** Idle money of the same. A day on which a machine changed hands goes whole to whoever had it for longer. */
export async function idleByKey(days: CostDays, dimension: Dimension): Promise<Map<string, bigint>> {
  const { rows } = await pool().query<{ key: string; micros: string }>(
    `select coalesce(k.key, '') as key, sum(k.micros)::text as micros from (
       select distinct on (u.resource_id, u.day) u.idle_empty_micros + u.idle_held_micros as micros, x.key
       from usage_day u left join (select l.resource_id as id, l.day, l.minutes, l.key as row_key, ${DIMENSIONS[dimension]} as key ${FROM}
         where l.charge = 'usage' and l.day between $1::date and $2::date) x on x.id = u.resource_id and x.day = u.day
       where u.day between $1::date and $2::date and u.idle_empty_micros + u.idle_held_micros > 0
       order by u.resource_id, u.day, x.minutes desc, x.row_key) k group by 1`,
    [days.from, days.to],
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

export type ByCharge = { usage: ChargeSums; storage: ChargeSums; other: ChargeSums };
export type ChargeSums = { resources: number; minutes: number; micros: bigint };

/** Machines, file systems, and charges that neither makes, apart. */
export async function sumByCharge(days: CostDays): Promise<ByCharge> {
  const { rows } = await pool().query<{ charge: keyof ByCharge; resources: number; minutes: string; micros: string }>(
    `select x.charge, count(x.resource_id)::int as resources, coalesce(sum(x.minutes), 0)::text as minutes, coalesce(sum(x.micros), 0)::text as micros
     from (select case when l.charge in ('usage', 'storage') then l.charge::text else 'other' end as charge, l.resource_id, sum(l.minutes) as minutes, sum(l.micros) as micros
       from ledger_row l where ${inDays} group by 1, 2) x group by 1`,
    daysValues(days),
  );
  const of = (charge: keyof ByCharge): ChargeSums => {
    const row = rows.find((one) => one.charge === charge);
    return { resources: row?.resources ?? 0, minutes: Number(row?.minutes ?? 0), micros: BigInt(row?.micros ?? "0") };
  };
  return { usage: of("usage"), storage: of("storage"), other: of("other") };
}

/** Billed GPU-minutes and what they cost, of the types whose number of GPUs and whose price are known; null: of none. */
export async function sumGpus(days: CostDays): Promise<{ minutes: number; micros: bigint } | null> {
  const { rows } = await pool().query<{ minutes: string | null; micros: string | null }>(
    `select sum(l.minutes * t.gpus)::text as minutes, sum(l.micros)::text as micros
     from (select l.span_id, sum(l.minutes) as minutes, sum(l.micros) as micros from ledger_row l
       where ${inDays} and l.charge = 'usage' and l.micros is not null group by 1) l
     join resource_span s on s.id = l.span_id join instance_type t on t.provider = s.provider and t.name = s.type_name and t.gpus > 0`,
    daysValues(days),
  );
  const [row] = rows;
  return row?.minutes && row.micros ? { minutes: Number(row.minutes), micros: BigInt(row.micros) } : null;
}

/** The months of which there is anything, newest first. */
export async function listMonths(): Promise<{ month: string; micros: bigint; unknownRows: number }[]> {
  const { rows } = await pool().query<{ month: string; micros: string; unknown: number }>(
    "select to_char(period, 'YYYY-MM') as month, sum(micros)::text as micros, sum(unknown_rows)::int as unknown from cost_day group by 1 order by 1 desc",
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
     left join lateral (select rate_now(r.id, s.provider, 'filesystem', s.region, 'gib_month') as micros) p on true
     where r.kind = 'filesystem' and r.gone_at is null`,
  );
  const [row] = rows;
  if (!row) return { microsPerHour: 0n, bytes: 0n };
  return { microsPerHour: row.unknown > 0 ? null : BigInt(row.rate ?? "0"), bytes: BigInt(row.bytes) };
}
