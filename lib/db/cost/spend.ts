import { pool } from "@/lib/db/client";
import { streamRows } from "@/lib/db/cursor";
import type { SpendDimension, SpendFilter } from "@/lib/domain/cost/dimensions";
import type { Bucket, CostType, Per, SpendRow } from "@/lib/domain/cost/explore";
import { FROM } from "./read";

/** Rows of accounting days [from, to], of those the ones that count in a month; `isMonth`: its corrections of earlier days, too. */
export type SpendScope = { from: string; to: string; month: string | null; isMonth: boolean; filter: SpendFilter };

// Closed lists: each dimension as SQL, over the rows and over the sums of days.
const LABELS =
  "left join lateral (select b.owner, b.workload::text as workload from resource_label b where b.resource_id = l.resource_id and b.valid_from <= l.starts_at and (b.valid_to is null or b.valid_to > l.starts_at) order by b.valid_from desc limit 1) b on true";
const OF_ROWS: Record<SpendDimension, string> = {
  team: "o.team",
  project: "o.project",
  environment: "o.environment",
  costCentre: "o.cost_center",
  owner: "coalesce(b.owner, '')",
  type: "cost_day_type(l.charge, s.type_name)",
  region: "coalesce(s.region, '')",
  instance: "coalesce(l.resource_id::text, '')",
  charge: "l.charge::text",
  workload: "coalesce(b.workload, '')",
  workspace: "coalesce(r.connection_id::text, '')",
};
const OF_DAYS: Partial<Record<SpendDimension, string>> = {
  team: "o.team",
  project: "o.project",
  environment: "o.environment",
  costCentre: "o.cost_center",
  type: "l.type_name",
  region: "l.region",
  charge: "l.charge::text",
  workspace: "l.connection_id",
};
const AMOUNT: Record<CostType, string> = {
  billed: "l.micros",
  effective: "coalesce(l.effective_micros, l.micros)",
  list: "coalesce(l.list_micros, l.micros)",
};
const BUCKET: Record<Exclude<Per, "hour">, string> = {
  day: "l.day::text",
  week: "date_trunc('week', l.day)::date::text",
  month: "date_trunc('month', l.day)::date::text",
};

type Source = { from: string; keys: Partial<Record<SpendDimension, string>>; amount: string; counts: string };

/** The sums of days say all that is asked where no resource has to be told from another. */
function sourceFor(cost: CostType, dimensions: readonly SpendDimension[], isByRow = false): Source {
  if (!isByRow && dimensions.every((dimension) => OF_DAYS[dimension] !== undefined))
    return {
      from: "from cost_day l join cost_owner o on o.id = l.owner_id",
      keys: OF_DAYS,
      amount: cost === "billed" ? "l.micros" : `l.${cost}_micros`,
      counts:
        "sum(l.rows)::int as rows, sum(l.unknown_rows)::int as unknown, coalesce(sum(l.minutes) filter (where l.charge = 'usage'), 0)::text as minutes",
    };
  const needsLabels = dimensions.includes("owner") || dimensions.includes("workload");
  return {
    from: needsLabels ? `${FROM} ${LABELS}` : FROM,
    keys: OF_ROWS,
    amount: AMOUNT[cost],
    counts:
      "count(*)::int as rows, (count(*) filter (where l.micros is null))::int as unknown, coalesce(sum(l.minutes) filter (where l.charge = 'usage'), 0)::text as minutes",
  };
}

const SUMS = (source: Source) =>
  `coalesce(sum(${source.amount}), 0)::text as micros, coalesce(sum(l.low_micros), 0)::text as low, coalesce(sum(l.high_micros), 0)::text as high, ${source.counts}`;

/** The words after `where`, and the values they need. */
export function within(scope: SpendScope, keys: Source["keys"]): { where: string; values: unknown[] } {
  const values: unknown[] = [];
  const value = (one: unknown) => `$${values.push(one)}`;
  const terms = scope.isMonth ? [] : [`l.day >= ${value(scope.from)}::date`];
  terms.push(`l.day <= ${value(scope.to)}::date`);
  if (scope.month !== null) terms.push(`l.period = ${value(`${scope.month}-01`)}::date`);
  for (const [dimension, wanted] of Object.entries(scope.filter)) {
    const key = keys[dimension as SpendDimension];
    if (key === undefined) throw new Error(`${dimension} is not a dimension of this source`);
    terms.push(`${key} = any (${value(wanted)}::text[])`);
  }
  return { where: terms.join(" and "), values };
}

export function dimensionsOf(filter: SpendFilter): SpendDimension[] {
  return Object.keys(filter) as SpendDimension[];
}

/** Rows as they stand, by whatever they are asked for. */
export function rowSource(cost: CostType, filter: SpendFilter): Source {
  return sourceFor(cost, dimensionsOf(filter), true);
}

export type Spend = {
  micros: bigint;
  lowMicros: bigint;
  highMicros: bigint;
  rows: number;
  unknownRows: number;
  minutes: number;
};
type RawSpend = { micros: string; low: string; high: string; rows: number; unknown: number; minutes: string };

const toSpend = (row: RawSpend): Spend => ({
  micros: BigInt(row.micros),
  lowMicros: BigInt(row.low),
  highMicros: BigInt(row.high),
  rows: row.rows,
  unknownRows: row.unknown,
  minutes: Number(row.minutes),
});

/** What each value of a dimension cost, the most expensive first. Bounds are those of what is billed. */
export async function spendGroups(
  scope: SpendScope,
  cost: CostType,
  by: SpendDimension,
): Promise<(Spend & { key: string })[]> {
  const source = sourceFor(cost, [by, ...dimensionsOf(scope.filter)]);
  const { where, values } = within(scope, source.keys);
  const { rows } = await pool().query<RawSpend & { key: string }>(
    `select ${source.keys[by]} as key, ${SUMS(source)} ${source.from} where ${where} group by 1 order by sum(${source.amount}) desc nulls last, 1`,
    values,
  );
  return rows.map((row) => ({ key: row.key, ...toSpend(row) }));
}

/** Of a month's rows those for days before it. */
export async function spendCorrections(scope: SpendScope, cost: CostType): Promise<{ micros: bigint; rows: number }> {
  if (!scope.isMonth) return { micros: 0n, rows: 0 };
  const source = sourceFor(cost, dimensionsOf(scope.filter));
  const { where, values } = within(scope, source.keys);
  const { rows } = await pool().query<RawSpend>(
    `select ${SUMS(source)} ${source.from} where ${where} and l.day < $${values.length + 1}::date`,
    [...values, scope.from],
  );
  return { micros: BigInt(rows[0]?.micros ?? "0"), rows: rows[0]?.rows ?? 0 };
}

export type BarAmount = { bucket: string; key: string | null; micros: bigint; unknownRows: number };
type RawBar = { bucket: string; key: string | null; micros: string; unknown: number };
const toBar = ({ unknown, micros, ...bar }: RawBar): BarAmount => ({
  ...bar,
  micros: BigInt(micros),
  unknownRows: unknown,
});

/** Bars of days, weeks or months; what is not among `drawn` is one part, null. Corrections of earlier months are on none. */
export async function spendBars(
  scope: SpendScope,
  cost: CostType,
  by: SpendDimension,
  per: Exclude<Per, "hour">,
  drawn: readonly string[],
): Promise<BarAmount[]> {
  const source = sourceFor(cost, [by, ...dimensionsOf(scope.filter)]);
  const { where, values } = within(scope, source.keys);
  const key = source.keys[by];
  const { rows } = await pool().query<RawBar>(
    `select ${BUCKET[per]} as bucket, case when ${key} = any ($${values.length + 1}::text[]) then ${key} end as key,
       coalesce(sum(${source.amount}), 0)::text as micros, ${source.counts}
     ${source.from} where ${where} and l.day >= $${values.length + 2}::date group by 1, 2`,
    [...values, drawn, scope.from],
  );
  return rows.map(toBar);
}

/**
 * Which part of a row's amount lies in an hour: what it had cost by the end of the hour, rounded, less what by its beginning. A
 * row that lasts no time is in the hour it begins in; the first and the last hour of a day have what its rows have outside.
 */
// A machine's row lasts as many minutes as are billed: a whole hour of it is an hour at its price.
const ENDS =
  "case when l.charge = 'usage' and l.minutes > 0 then l.starts_at + l.minutes * interval '1 minute' else l.ends_at end";
const TOTAL = `extract(epoch from ${ENDS} - l.starts_at)`;
const reached = (amount: string, at: string) =>
  `round(${amount} * extract(epoch from least(greatest(${at}, l.starts_at), ${ENDS}) - l.starts_at) / ${TOTAL})`;
const hourPart = (amount: string) =>
  `case when ${ENDS} > l.starts_at then ${reached(amount, "h.to_at")} - ${reached(amount, "h.from_at")}
   when h.from_at <= l.starts_at and l.starts_at < h.to_at then ${amount} else 0 end`;
const IN_HOUR = `l.day = h.day and l.starts_at < h.to_at and (${ENDS} > h.from_at or (${ENDS} = l.starts_at and l.starts_at >= h.from_at))`;

const hoursJoin = (after: number) =>
  `join unnest($${after + 1}::date[], $${after + 2}::timestamptz[], $${after + 3}::timestamptz[], $${after + 4}::text[]) h (day, from_at, to_at, key) on ${IN_HOUR}`;

/** The arrays that `hoursJoin` reads. */
function openEnded(hours: readonly Bucket[]): string[][] {
  const isEdge = (index: number, step: -1 | 1) => hours[index]?.fromDay !== hours[index + step]?.fromDay;
  return [
    hours.map(({ fromDay }) => fromDay),
    hours.map(({ from }, index) => (isEdge(index, -1) ? "-infinity" : new Date(from).toISOString())),
    hours.map(({ to }, index) => (isEdge(index, 1) ? "infinity" : new Date(to).toISOString())),
    hours.map(({ key }) => key),
  ];
}

/** The same by hours; those of a day add up to its rows. */
export async function spendHours(
  scope: SpendScope,
  cost: CostType,
  by: SpendDimension,
  hours: readonly Bucket[],
  drawn: readonly string[],
): Promise<BarAmount[]> {
  const source = sourceFor(cost, [by, ...dimensionsOf(scope.filter)], true);
  const { where, values } = within(scope, source.keys);
  const key = source.keys[by];
  const at = values.length;
  const { rows } = await pool().query<RawBar>(
    `select h.key as bucket, case when ${key} = any ($${at + 1}::text[]) then ${key} end as key,
       coalesce(sum(${hourPart(source.amount)}), 0)::bigint::text as micros, (count(*) filter (where l.micros is null))::int as unknown
     ${source.from} ${hoursJoin(at + 1)}
     where ${where} group by 1, 2`,
    [...values, drawn, ...openEnded(hours)],
  );
  return rows.map(toBar);
}

export type Part = { hours: readonly Bucket[]; hour: string };
type Only = { part: Part | null; corrections: boolean; unknown: boolean };
export type SpendRows = SpendScope & Only;

type RawRow = Omit<SpendRow, "startsAt" | "endsAt" | "lowMicros" | "highMicros"> & {
  startsAt: Date;
  endsAt: Date;
  low: string | null;
  high: string | null;
};

/** The rows behind a figure, as SQL: what they add up to, and each of them. */
function askRows(scope: SpendRows, cost: CostType): { sums: string; rows: string; values: unknown[] } {
  const source = rowSource(cost, scope.filter);
  const { where, values } = within(scope, source.keys);
  const terms = [where];
  const value = (one: unknown) => `$${values.push(one)}`;
  if (scope.corrections) terms.push(`l.day < ${value(scope.from)}::date`);
  if (scope.unknown) terms.push("l.micros is null");
  let from = source.from;
  let amount = source.amount;
  if (scope.part) {
    from = `${from} ${hoursJoin(values.length)}`;
    values.push(...openEnded(scope.part.hours));
    terms.push(`h.key = ${value(scope.part.hour)}`);
    amount = `(${hourPart(source.amount)})`;
  }
  const tail = `${from} left join price p on p.id = l.price_id where ${terms.join(" and ")}`;
  return {
    values,
    sums: `select ${SUMS({ ...source, amount })} ${tail}`,
    rows: `select l.key, l.day::text as day, to_char(l.period, 'YYYY-MM') as period, l.charge::text as charge, l.resource_id as "resourceId",
         coalesce(s.name, r.external_id, l.note, l.charge::text) as name, s.type_name as "typeName", s.region, o.team, o.project, o.environment, o.cost_center as "costCenter",
         l.starts_at as "startsAt", l.ends_at as "endsAt", l.minutes, l.byte_hours::text as "byteHours", p.micros::text as "priceMicros",
         ${amount}::bigint::text as micros, l.low_micros::text as low, l.high_micros::text as high, l.is_flagged as "isFlagged",
         l.corrects_key is not null as "isCorrection", l.note
       ${tail} order by l.day desc, l.starts_at desc, l.key`,
  };
}

const toRow = ({ low, high, startsAt, endsAt, ...row }: RawRow): SpendRow => ({
  ...row,
  startsAt: startsAt.getTime(),
  endsAt: endsAt.getTime(),
  lowMicros: low,
  highMicros: high,
});

/** The rows behind a figure: what they add up to, and so many of them, the newest first. */
export async function listSpend(
  scope: SpendRows,
  cost: CostType,
  page: { offset: number; limit: number },
): Promise<{ total: Spend; rows: SpendRow[] }> {
  const { sums, rows: list, values } = askRows(scope, cost);
  const n = values.length;
  const [totals, rows] = await Promise.all([
    pool().query<RawSpend>(sums, [...values]),
    pool().query<RawRow>(`${list} limit $${n + 1} offset $${n + 2}`, [...values, page.limit, page.offset]),
  ]);
  const [total] = totals.rows;
  if (!total) throw new Error("no sum");
  return { total: toSpend(total), rows: rows.rows.map(toRow) };
}

/** All of them as of one instant, some at a time; the state of the rows is told before the first. */
export async function* streamSpend(
  scope: SpendRows,
  cost: CostType,
  tell: (revision: string) => void,
): AsyncGenerator<SpendRow[]> {
  const { rows: list, values } = askRows(scope, cost);
  const rows = streamRows<RawRow>(list, values, async (client) => {
    const { rows: found } = await client.query<{ hash: string }>(
      `select encode(sha256(convert_to(coalesce(string_agg(md5(row::text), '' order by row.key), ''), 'UTF8')), 'hex') as hash from (${list}) row`,
      values,
    );
    tell(found[0]?.hash.slice(0, 16) ?? "");
  });
  for await (const batch of rows) yield batch.map(toRow);
}

// Closed list: in which order the values of a dimension were first met. Small tables only; the ledger is not read for it.
const BY_AGE: Record<SpendDimension, string> = {
  team: "select team as key from cost_owner where team <> '' group by 1 order by min(id)",
  project: "select project as key from cost_owner where project <> '' group by 1 order by min(id)",
  environment: "select environment as key from cost_owner where environment <> '' group by 1 order by min(id)",
  costCentre: "select cost_center as key from cost_owner where cost_center <> '' group by 1 order by min(id)",
  owner: "select owner as key from resource_label where owner <> '' group by 1 order by min(valid_from), 1",
  type: "select coalesce(type_name, 'storage') as key from resource_span group by 1 order by min(valid_from), 1",
  region: "select region as key from resource_span group by 1 order by min(valid_from), 1",
  instance: "select id::text as key from resource order by first_seen_at, id",
  charge: "select unnest(enum_range(null::charge_kind))::text as key",
  workload: "select unnest(enum_range(null::workload_kind))::text as key",
  workspace: "select id::text as key from connection order by created_at",
};

/** The values of a dimension, the oldest first: a new one never comes before one that is known. */
export async function spendKeysByAge(by: SpendDimension): Promise<string[]> {
  const { rows } = await pool().query<{ key: string }>(`${BY_AGE[by]} limit 2000`);
  return rows.map((row) => row.key);
}

/** What people call machines and workspaces that rows name by their id. */
export async function spendLabels(by: SpendDimension, keys: readonly string[]): Promise<Map<string, string>> {
  const ids = keys.filter((key) => key !== "");
  if ((by !== "instance" && by !== "workspace") || ids.length === 0) return new Map();
  const { rows } = await pool().query<{ key: string; label: string }>(
    by === "workspace"
      ? "select id::text as key, name as label from connection where id::text = any ($1::text[])"
      : `select r.id::text as key, coalesce(s.name, r.external_id) as label from unnest($1::uuid[]) k (id) join resource r on r.id = k.id
         left join lateral (select name from resource_span where resource_id = r.id order by valid_from desc limit 1) s on true`,
    [ids],
  );
  return new Map(rows.map((row) => [row.key, row.label]));
}
