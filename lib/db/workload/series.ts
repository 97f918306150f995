import { createHash } from "node:crypto";
import type pg from "pg";
import { pool } from "@/lib/db/client";
import { SERIES_LIMITS } from "@/lib/domain/workload/labels";

/** A series as a sender names it: stored name and canonical labels. */
export type SeriesName = {
  metric: string;
  labels: Readonly<Record<string, string>>;
  isCounter: boolean;
  gpuId: number | null;
};

export type WantedSeries = SeriesName & { runId: string | null };

export type Sender = { id: string; resourceId: string | null };

/** The id of each series, by its place in what was asked; null: the sender has as many as it may, and `limit` says of which. */
export type OpenedSeries = { ids: (number | null)[]; limit: "active" | "kept" | null };

/** The same labels of the same sender on another machine are another series: addresses are rented again. */
function hashOf({ labels }: SeriesName, resourceId: string | null): Buffer {
  return createHash("sha256")
    .update(`${JSON.stringify(labels)}\n${resourceId ?? ""}`)
    .digest();
}

const FIND = `select w.i::int as i, s.id, s.run_id as "runId" from unnest($2::text[], $3::bytea[]) with ordinality as w (metric, hash, i)
  join series s on s.source_id = $1 and s.metric = w.metric and s.labels_hash = w.hash`;

/** Finds the series of a sender, and makes those that are new as far as it may have more. One sender at a time. */
export async function openSeries(sender: Sender, wanted: readonly WantedSeries[], at: Date): Promise<OpenedSeries> {
  const hashes = wanted.map((one) => hashOf(one, sender.resourceId));
  const asked = [sender.id, wanted.map((one) => one.metric), hashes];
  const ids: (number | null)[] = wanted.map(() => null);
  const find = async (client: pg.Pool | pg.PoolClient) => {
    const { rows } = await client.query<{ i: number; id: number; runId: string | null }>(FIND, asked);
    for (const { i, id } of rows) ids[i - 1] = id;
    return rows;
  };
  const found = await find(pool());
  const adopted = found.filter(({ i, runId }) => runId === null && wanted[i - 1]?.runId != null);
  if (adopted.length > 0)
    await pool().query(
      "update series s set run_id = a.run from unnest($1::int[], $2::uuid[]) as a (id, run) where s.id = a.id and s.run_id is null",
      [adopted.map(({ id }) => id), adopted.map(({ i }) => wanted[i - 1]?.runId)],
    );
  if (!ids.includes(null)) return { ids, limit: null };

  return inTransaction(async (client) => {
    await client.query("select pg_advisory_xact_lock(hashtextextended('series:' || $1::text, 0))", [sender.id]);
    await find(client);
    const { rows } = await client.query<{ active: number; kept: number }>(
      "select count(*) filter (where last_at > $2 or last_at = 'epoch')::int as active, count(*)::int as kept from series where source_id = $1",
      [sender.id, new Date(at.getTime() - SERIES_LIMITS.activeMs)],
    );
    const active = rows[0]?.active ?? 0;
    const kept = rows[0]?.kept ?? 0;
    const room = Math.max(0, Math.min(SERIES_LIMITS.active - active, SERIES_LIMITS.kept - kept));
    const missing = ids.flatMap((id, i) => (id === null ? [i] : []));
    const made = missing.slice(0, room);
    if (made.length > 0) {
      await client.query(
        `insert into series (source_id, metric, labels, labels_hash, is_counter, resource_id, gpu_id, run_id, first_at, last_at, last_value)
         select $1, n.metric, n.labels, n.hash, n.counter, $2, n.gpu, n.run, $3, $3, 0
         from unnest($4::text[], $5::jsonb[], $6::bytea[], $7::boolean[], $8::int[], $9::uuid[]) as n (metric, labels, hash, counter, gpu, run)
         on conflict (source_id, metric, labels_hash) do nothing`,
        [
          sender.id,
          sender.resourceId,
          // No value has come yet: the first one moves it, however late it is.
          new Date(0),
          made.map((i) => wanted[i]?.metric),
          made.map((i) => JSON.stringify(wanted[i]?.labels ?? {})),
          made.map((i) => hashes[i]),
          made.map((i) => wanted[i]?.isCounter),
          made.map((i) => wanted[i]?.gpuId ?? null),
          made.map((i) => wanted[i]?.runId ?? null),
        ],
      );
      await find(client);
    }
    const limit = made.length === missing.length ? null : SERIES_LIMITS.kept - kept <= room ? "kept" : "active";
    return { ids, limit };
  });
}

export type SeriesValue = { seriesId: number; at: number; value: number };

const HOUR_MS = 3_600_000;
export const ROLL_UP_JOB = "roll-up-workload";

/**
 * Stores values, each series and instant once; the first value of an instant stays. Hours that the roll-up has passed already are
 * derived anew in the same commit. Returns how many were new.
 */
export async function writeSeries(values: readonly SeriesValue[], settledBefore: Date): Promise<number> {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a.seriesId - b.seriesId || a.at - b.at);
  const late = sorted.filter(({ at }) => at < settledBefore.getTime());
  return inTransaction(async (client) => {
    if (late.length > 0) await lockRollUp(client);
    const given = [sorted.map((v) => v.seriesId), sorted.map((v) => new Date(v.at)), sorted.map((v) => v.value)];
    // In one order, so that two requests with the same series wait for each other and never in a ring.
    await client.query("select 1 from series where id = any ($1) order by id for update", [given[0]]);
    const { rowCount } = await client.query(
      "insert into series_sample (series_id, at, value) select * from unnest($1::int[], $2::timestamptz[], $3::float8[]) on conflict do nothing",
      given,
    );
    await client.query(
      `update series s set last_value = case when n.at > s.last_at then n.value else s.last_value end, last_at = greatest(s.last_at, n.at),
         first_at = case when s.first_at = 'epoch' then n.first else least(s.first_at, n.first) end
       from (select id, (array_agg(value order by at desc))[1] as value, max(at) as at, min(at) as first
             from unnest($1::int[], $2::timestamptz[], $3::float8[]) as g (id, at, value) group by id) n
       where s.id = n.id and (s.last_at < n.at or s.first_at > n.first)`,
      given,
    );
    if (late.length > 0) {
      const hours = new Map<string, { id: number; hour: number }>();
      for (const { seriesId, at } of late) {
        const hour = Math.floor(at / HOUR_MS) * HOUR_MS;
        // A late value also changes what the next one rose by.
        for (const each of [hour, hour + HOUR_MS]) hours.set(`${seriesId} ${each}`, { id: seriesId, hour: each });
      }
      await deriveHours(client, [...hours.values()]);
    }
    return rowCount ?? 0;
  });
}

/** One derivation at a time: an hour derived from what another has not committed yet would be wrong for good. */
async function lockRollUp(client: pg.PoolClient): Promise<void> {
  await client.query("select pg_advisory_xact_lock(hashtext('roll-up-workload'))");
}

/** As far back as the value before the first of an hour is looked for. */
const BEFORE = "interval '2 days'";

/** What an hour keeps of its values, each with the one before it; of a counter its rise, restarts taken out. */
const hourOf = (
  row: string,
) => `count(*)::int, sum(${row}.value), min(${row}.value), max(${row}.value), (array_agg(${row}.value order by ${row}.at desc))[1],
  case when bool_and(s.is_counter) then sum(case when ${row}.before is null then null when ${row}.value < ${row}.before then ${row}.value else ${row}.value - ${row}.before end) end`;

const REPLACE_HOUR = `on conflict (series_id, hour) do update set n = excluded.n, sum = excluded.sum, min = excluded.min,
  max = excluded.max, last = excluded.last, increase = excluded.increase`;

/** Whole hours replace whole hours. */
async function deriveHours(client: pg.PoolClient, hours: readonly { id: number; hour: number }[]): Promise<void> {
  await client.query(
    `insert into series_hour (series_id, hour, n, sum, min, max, last, increase)
     select h.id, h.hour, ${hourOf("x")}
     from unnest($1::int[], $2::timestamptz[]) as h (id, hour)
     join series s on s.id = h.id
     join lateral (
       select y.at, y.value, coalesce(lag(y.value) over (order by y.at),
         (select z.value from series_sample z where z.series_id = h.id and z.at < h.hour and z.at >= h.hour - ${BEFORE} order by z.at desc limit 1)) as before
       from series_sample y where y.series_id = h.id and y.at >= h.hour and y.at < h.hour + interval '1 hour') x on true
     group by h.id, h.hour ${REPLACE_HOUR}`,
    [hours.map((one) => one.id), hours.map((one) => new Date(one.hour))],
  );
}

const SERIES_AT_ONCE = 2_000;

/** Derives the hours of [from, to), from a full hour on, of every series that had a value since. Returns how many series that were. */
export async function rollUpSeries(from: Date, to: Date): Promise<number> {
  const { rows } = await pool().query<{ id: number }>("select id from series where last_at >= $1 order by id", [from]);
  for (let i = 0; i < rows.length; i += SERIES_AT_ONCE) {
    const ids = rows.slice(i, i + SERIES_AT_ONCE).map(({ id }) => id);
    await inTransaction(async (client) => {
      await lockRollUp(client);
      await client.query(
        `with p as (
           select series_id, at, value, lag(value) over (partition by series_id order by at) as before
           from series_sample where series_id = any ($1) and at >= $2 and at < $3),
         q as (
           select p.series_id, p.at, p.value, case when p.before is not null then p.before else
             (select z.value from series_sample z where z.series_id = p.series_id and z.at < p.at and z.at >= $2::timestamptz - ${BEFORE} order by z.at desc limit 1) end as before
           from p)
         insert into series_hour (series_id, hour, n, sum, min, max, last, increase)
         select q.series_id, date_trunc('hour', q.at, 'UTC'), ${hourOf("q")}
         from q join series s on s.id = q.series_id group by 1, 2 ${REPLACE_HOUR}`,
        [ids, from, to],
      );
    });
  }
  return rows.length;
}

/** Up to when hours were derived; null: never. */
export async function rolledUpTo(): Promise<Date | null> {
  const { rows } = await pool().query<{ to: string | null }>(
    "select cursor ->> 'to' as to from worker_job where name = $1",
    [ROLL_UP_JOB],
  );
  return rows[0]?.to == null ? null : new Date(rows[0].to);
}

export async function setRolledUpTo(to: Date): Promise<void> {
  await pool().query(
    "insert into worker_job (name, cursor) values ($1, $2) on conflict (name) do update set cursor = excluded.cursor",
    [ROLL_UP_JOB, { to: to.toISOString() }],
  );
}

/** Forgets series of which nothing is kept any more. */
export async function forgetSeries(before: Date): Promise<number> {
  const { rowCount } = await pool().query("delete from series where last_at < $1 and last_at > 'epoch'", [before]);
  return rowCount ?? 0;
}

async function inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
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
