import { pool } from "@/lib/db/client";
import { SCOPE_KEYS, type Selector } from "@/lib/domain/cost/scope";

/** Rows of the ledger with what a selector may ask for; a charge that no resource makes has no type and no region. */
const ROWS = `ledger_row l join cost_owner o on o.id = l.owner_id left join resource_span s on s.id = l.span_id
  left join resource r on r.id = l.resource_id left join connection c on c.id = r.connection_id`;

const OWNED =
  "($1::text is null or o.team = $1) and ($2::text is null or o.project = $2) and ($3::text is null or o.environment = $3) and ($4::text is null or o.cost_center = $4)";
const WHERE = `${OWNED} and ($5::text is null or s.type_name = $5) and ($6::text is null or s.region = $6) and ($7::text is null or c.name = $7)`;
/** Common costs belong to whoever bears them; by type, region or connection nobody asks who that is. */
const SHARED = "$5::text is null and $6::text is null and $7::text is null";

function asked(selector: Selector): (string | null)[] {
  return SCOPE_KEYS.map((key) => selector[key] ?? null);
}

export type Spent = { micros: bigint; unknownRows: number };

/** What a scope spent: in accounting months (by the month in which a row counts) or on days (by the day on which it was used). */
export async function spentIn(
  selector: Selector,
  by: "period" | "day",
  fromDay: string,
  toDay: string,
): Promise<Spent> {
  const { rows } = await pool().query<{ micros: string; unknown: number }>(
    `select coalesce(sum(x.micros), 0)::text as micros, coalesce(sum(x.unknown), 0)::int as unknown from (
       select coalesce(sum(d.micros), 0) as micros, sum(d.unknown_rows) as unknown
       from cost_day d join cost_owner o on o.id = d.owner_id left join connection c on c.id::text = d.connection_id
       where ${OWNED} and ($5::text is null or d.type_name = $5) and ($6::text is null or d.region = $6) and ($7::text is null or c.name = $7)
         and d.${by} between $8::date and $9::date
       union all
       select sum(h.micros), 0 from shared_cost h join cost_owner o on o.id = h.owner_id where ${SHARED} and ${OWNED} and h.${by} between $8::date and $9::date
       union all
       select -sum(h.micros), 0 from shared_cost h join cost_owner o on o.id = h.pot_id where ${SHARED} and ${OWNED} and h.${by} between $8::date and $9::date) x`,
    [...asked(selector), fromDay, toDay],
  );
  return { micros: BigInt(rows[0]?.micros ?? "0"), unknownRows: rows[0]?.unknown ?? 0 };
}

export type DayFacts = { day: string; team: string; actualMicros: bigint; stateMicros: bigint; otherMicros: bigint };
export type DaySpan = { day: string; from: number; to: number };

/** The first minute of a life that goes on over midnight begins within a minute of it, an hour of storage within an hour. */
const AT_ITS_START = `l.corrects_key is null and l.charge in ('usage', 'storage')
  and l.starts_at < d."from" + case when l.charge = 'usage' then interval '1 minute' else interval '1 hour' end`;
/** What a row of the ledger costs in an hour: machines by their paid minutes, storage by its time. */
const PER_HOUR = `case when l.charge = 'usage' then l.micros * 60.0 / nullif(l.minutes, 0)
  else l.micros * 3600.0 / nullif(extract(epoch from l.ends_at - l.starts_at), 0) end`;

/** Of each day and team: what was spent, what the state at the beginning of the day costs in a whole one, and what no resource made. */
export async function dayFacts(selector: Selector, days: readonly DaySpan[]): Promise<DayFacts[]> {
  if (days.length === 0) return [];
  const { rows } = await pool().query<{ day: string; team: string; actual: string; state: string; other: string }>(
    `with d as (select * from unnest($8::date[], $9::timestamptz[], $10::timestamptz[]) as d(day, "from", "to"))
     select d.day::text as day, o.team, coalesce(sum(l.micros), 0)::text as actual,
       round(coalesce(sum(${PER_HOUR} * extract(epoch from d."to" - d."from") / 3600) filter (where ${AT_ITS_START}), 0))::text as state,
       coalesce(sum(l.micros) filter (where l.charge not in ('usage', 'storage')), 0)::text as other
     from d join ledger_row l on l.day = d.day join cost_owner o on o.id = l.owner_id left join resource_span s on s.id = l.span_id
       left join resource r on r.id = l.resource_id left join connection c on c.id = r.connection_id
     where ${WHERE} group by 1, 2 order by 1, 2`,
    [
      ...asked(selector),
      days.map(({ day }) => day),
      days.map(({ from }) => new Date(from)),
      days.map(({ to }) => new Date(to)),
    ],
  );
  return rows.map((row) => ({
    day: row.day,
    team: row.team,
    actualMicros: BigInt(row.actual),
    stateMicros: BigInt(row.state),
    otherMicros: BigInt(row.other),
  }));
}

export type Rate = {
  resourceId: string;
  charge: "usage" | "storage";
  team: string;
  microsPerHour: bigint;
};

type RawRate = Omit<Rate, "microsPerHour"> & { micros: string | null };
const toRate = ({ micros, ...row }: RawRate): Rate[] =>
  micros === null ? [] : [{ ...row, microsPerHour: BigInt(micros) }];

/** What ran when a day began, each by its rate. */
export async function ratesAt(selector: Selector, { day, from }: DaySpan): Promise<Rate[]> {
  const { rows } = await pool().query<RawRate>(
    `select l.resource_id as "resourceId", l.charge::text as charge, o.team, round(coalesce(case when l.charge = 'usage' then p.micros end, ${PER_HOUR}))::text as micros
     from (select $8::date as day, $9::timestamptz as "from") d join ${ROWS} on l.day = d.day left join price p on p.id = l.price_id and p.unit = 'instance_hour'
     where ${WHERE} and ${AT_ITS_START}`,
    [...asked(selector), day, new Date(from)],
  );
  return rows.flatMap(toRate);
}

/** What runs now, each by the rate of its newest row; without those whose price nobody knows. */
export async function ratesNow(selector: Selector, sinceDay: string): Promise<Rate[]> {
  const { rows } = await pool().query<RawRate>(
    `select x."resourceId", x.charge, x.team, x.micros from (
       select distinct on (l.resource_id, l.charge) l.resource_id as "resourceId", l.charge::text as charge, o.team,
         round(coalesce(case when l.charge = 'usage' then p.micros end, ${PER_HOUR}))::text as micros,
         ${WHERE} as "isAsked"
       from ${ROWS} left join price p on p.id = l.price_id and p.unit = 'instance_hour'
       join lateral (select status from resource_span n where n.resource_id = l.resource_id order by n.valid_from desc limit 1) n on true
       where l.day >= $8::date and l.charge in ('usage', 'storage') and l.corrects_key is null and r.gone_at is null and n.status in ('active', 'unhealthy', 'unknown')
       order by l.resource_id, l.charge, l.starts_at desc) x
     where x."isAsked"`,
    [...asked(selector), sinceDay],
  );
  return rows.flatMap(toRate);
}

/** What machines cost in an hour of their newest row, gone or not. */
export async function lastRates(selector: Selector, resourceIds: readonly string[]): Promise<Rate[]> {
  if (resourceIds.length === 0) return [];
  const { rows } = await pool().query<RawRate>(
    `select x."resourceId", x.charge, x.team, x.micros from (
       select distinct on (l.resource_id) l.resource_id as "resourceId", l.charge::text as charge, o.team,
         round(coalesce(p.micros, ${PER_HOUR}))::text as micros, ${WHERE} as "isAsked"
       from ${ROWS} left join price p on p.id = l.price_id and p.unit = 'instance_hour'
       where l.resource_id = any ($8::uuid[]) and l.charge = 'usage' and l.corrects_key is null
       order by l.resource_id, l.starts_at desc) x
     where x."isAsked"`,
    [...asked(selector), resourceIds],
  );
  return rows.flatMap(toRate);
}

/** What machines cost on days [fromDay, toDay] that began at `start` or later and were over by `end`. */
export async function churnIn(
  selector: Selector,
  span: { fromDay: string; toDay: string; start: number; end: number },
): Promise<{ team: string; micros: bigint }[]> {
  const { rows } = await pool().query<{ team: string; micros: string }>(
    `select o.team, coalesce(sum(l.micros), 0)::text as micros from ${ROWS}
     where ${WHERE} and l.charge = 'usage' and l.day between $8::date and $9::date and r.bill_from_best >= $10 and r.bill_to_best <= $11
       and (r.gone_at is not null or exists (select 1 from resource_span n where n.resource_id = r.id and n.valid_to is null and n.status in ('terminating', 'terminated', 'preempted')))
     group by 1`,
    [...asked(selector), span.fromDay, span.toDay, new Date(span.start), new Date(span.end)],
  );
  return rows.map((row) => ({ team: row.team, micros: BigInt(row.micros) }));
}

/** Whether the ledger has been brought past the beginning of a day: it has rows of it, or there is nothing that could make one. */
export async function isMetered({ day }: DaySpan): Promise<boolean> {
  const { rows } = await pool().query<{ isMetered: boolean }>(
    `select exists (select from ledger_row where day = $1::date) or not exists (select from resource where gone_at is null) as "isMetered"`,
    [day],
  );
  return rows[0]?.isMetered ?? false;
}

/** The teams that spent anything on days [from, to]. */
export async function teamsIn(from: string, to: string): Promise<string[]> {
  const { rows } = await pool().query<{ team: string }>(
    "select distinct o.team from ledger_row l join cost_owner o on o.id = l.owner_id where l.day between $1::date and $2::date order by 1",
    [from, to],
  );
  return rows.map((row) => row.team);
}
