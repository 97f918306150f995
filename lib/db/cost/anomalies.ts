import { pool } from "@/lib/db/client";
import type { Cause, CausePart, Judgement } from "@/lib/domain/cost/anomaly";
import type { DaySpan } from "./outlook";

export type AnomalyRow = Judgement & { scope: string; causes: Cause[]; foundAt: Date };

/** Replaces what was found on days [from, to]: what does not stand out any more, after a late fact, is gone. */
export async function replaceAnomalies(
  from: string,
  to: string,
  found: readonly Omit<AnomalyRow, "foundAt">[],
  at: Date,
): Promise<void> {
  const client = await pool().connect();
  try {
    await client.query("begin");
    await client.query(
      "delete from cost_anomaly a where a.day between $1::date and $2::date and not (a.scope || ' ' || a.day::text) = any ($3::text[])",
      [from, to, found.map(({ scope, day }) => `${scope} ${day}`)],
    );
    for (const { scope, day, expectedMicros, actualMicros, score, causes } of found)
      await client.query(
        `insert into cost_anomaly (scope, day, expected_micros, actual_micros, score, causes, found_at) values ($1, $2::date, $3, $4, $5, $6::jsonb, $7)
         on conflict (scope, day) do update set expected_micros = excluded.expected_micros, actual_micros = excluded.actual_micros, score = excluded.score, causes = excluded.causes`,
        [scope, day, expectedMicros, actualMicros, score, JSON.stringify(causes, bigText), at],
      );
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

function bigText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

type Raw = {
  scope: string;
  day: string;
  expected: string;
  actual: string;
  score: number;
  causes: (Omit<Cause, "deltaMicros"> & { deltaMicros: string })[];
  foundAt: Date;
};

/** What stood out on days [from, to], the newest and largest first. */
export async function listAnomalies(from: string, to: string): Promise<AnomalyRow[]> {
  const { rows } = await pool().query<Raw>(
    `select scope, day::text as day, expected_micros::text as expected, actual_micros::text as actual, score, causes, found_at as "foundAt"
     from cost_anomaly where day between $1::date and $2::date order by day desc, actual_micros - expected_micros desc, scope`,
    [from, to],
  );
  return rows.map(({ expected, actual, causes, ...row }) => ({
    ...row,
    expectedMicros: BigInt(expected),
    actualMicros: BigInt(actual),
    surplusMicros: BigInt(actual) - BigInt(expected),
    causes: causes.map((cause) => ({ ...cause, deltaMicros: BigInt(cause.deltaMicros) })),
  }));
}

/** The rows of a day, each beside what its resource's rate at the beginning of the day explains of the whole day; of one team, or of all. */
export async function causeParts(team: string | null, { day, from, to }: DaySpan): Promise<CausePart[]> {
  const { rows } = await pool().query<{
    resourceId: string | null;
    instance: string;
    type: string;
    region: string;
    owner: string;
    actual: string;
    expected: string;
    sku: string | null;
    before: string | null;
    rate: string | null;
    priceDelta: string | null;
  }>(
    `with rows as (
       select l.*, o.team, concat_ws(', ', nullif(o.team, ''), nullif(o.project, '')) as owner, coalesce(s.name, left(r.external_id, 12), l.note, l.charge::text) as instance,
         coalesce(s.type_name, l.charge::text) as type, coalesce(s.region, '') as region, p.micros as price, p.unit as unit,
         l.charge in ('usage', 'storage') and l.corrects_key is null and l.starts_at < $2::timestamptz + case when l.charge = 'usage' then interval '1 minute' else interval '1 hour' end as at_start
       from ledger_row l join cost_owner o on o.id = l.owner_id left join resource_span s on s.id = l.span_id left join resource r on r.id = l.resource_id left join price p on p.id = l.price_id
       where l.day = $1::date and ($4::text is null or o.team = $4)),
     starts as (select resource_id, max(price) as price from rows where at_start and unit = 'instance_hour' group by 1)
     select x.resource_id as "resourceId", x.instance, x.type, x.region, x.owner, coalesce(x.micros, 0)::text as actual,
       round(case when not x.at_start then 0
         when x.charge = 'usage' then coalesce(x.micros * extract(epoch from $3::timestamptz - $2::timestamptz) / 60 / nullif(x.minutes, 0), 0)
         else coalesce(x.micros * extract(epoch from $3::timestamptz - $2::timestamptz) / nullif(extract(epoch from x.ends_at - x.starts_at), 0), 0) end)::text as expected,
       case when x.unit = 'instance_hour' and x.price <> b.price then x.type end as sku, b.price::text as before, x.price::text as rate,
       case when x.unit = 'instance_hour' and x.price <> b.price then round(x.minutes * (x.price - b.price) / 60.0)::text end as "priceDelta"
     from rows x left join starts b on b.resource_id = x.resource_id`,
    [day, new Date(from), new Date(to), team],
  );
  return rows.map((row) => ({
    resourceId: row.resourceId,
    instance: row.instance,
    type: row.type,
    region: row.region,
    owner: row.owner,
    actualMicros: BigInt(row.actual),
    expectedMicros: BigInt(row.expected),
    price:
      row.priceDelta === null || row.before === null || row.rate === null
        ? null
        : {
            sku: row.sku ?? row.type,
            beforeMicros: BigInt(row.before),
            micros: BigInt(row.rate),
            deltaMicros: BigInt(row.priceDelta),
          },
  }));
}
