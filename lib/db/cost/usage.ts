import { pool } from "@/lib/db/client";
import type { DayConditions, UsageDay } from "@/lib/domain/cost/usage";

export type Billed = { resourceId: string; from: number; until: number; typeName: string | null; region: string };

/** Machines that were billed at some time of [from, to), by the best edges of their lives. */
export async function listBilled(from: Date, to: Date): Promise<Billed[]> {
  const { rows } = await pool().query<{
    resourceId: string;
    from: Date;
    until: Date;
    typeName: string | null;
    region: string;
  }>(
    `select r.id as "resourceId", r.bill_from_best as "from", r.bill_to_best as until, s.type_name as "typeName", s.region
     from resource r join lateral (select type_name, region from resource_span s where s.resource_id = r.id order by valid_from desc limit 1) s on true
     where r.kind = 'instance' and r.bill_from_best < $2 and r.bill_to_best > $1`,
    [from, to],
  );
  return rows.map((row) => ({ ...row, from: row.from.getTime(), until: row.until.getTime() }));
}

export type UnhealthySpan = { resourceId: string; from: number; to: number };

/** When machines were unhealthy within [from, to). */
export async function listUnhealthy(from: Date, to: Date): Promise<UnhealthySpan[]> {
  const { rows } = await pool().query<{ resourceId: string; from: Date; to: Date | null }>(
    `select resource_id as "resourceId", valid_from as "from", valid_to as "to" from resource_span
     where status = 'unhealthy' and valid_from < $2 and (valid_to is null or valid_to > $1)`,
    [from, to],
  );
  return rows.map((row) => ({ ...row, from: row.from.getTime(), to: row.to?.getTime() ?? to.getTime() }));
}

export type UsageOf = { resourceId: string } & Omit<UsageDay, "unpricedIdleMinutes"> & DayConditions;

const COLUMNS: readonly (readonly [name: string, type: string, value: (row: UsageOf) => unknown])[] = [
  ["billed_minutes", "int", (row) => row.billedMinutes],
  ["reported_minutes", "int", (row) => row.reportedMinutes],
  ["busy_minutes", "int", (row) => row.busyMinutes],
  ["idle_empty_minutes", "int", (row) => row.idleEmptyMinutes],
  ["idle_held_minutes", "int", (row) => row.idleHeldMinutes],
  ["idle_empty_micros", "bigint", (row) => row.idleEmptyMicros.toString()],
  ["idle_held_micros", "bigint", (row) => row.idleHeldMicros.toString()],
  ["throttled_minutes", "int", (row) => row.throttledMinutes],
  ["unhealthy_minutes", "int", (row) => row.unhealthyMinutes],
  ["silent_minutes", "int", (row) => row.silentMinutes],
  ["utilised_minutes", "float8", (row) => row.utilisedMinutes],
];
const NAMES = COLUMNS.map(([name]) => name);
const REPLACE = `insert into usage_day as u (day, resource_id, ${NAMES.join(", ")})
  select $1::date, x.* from unnest($2::uuid[], ${COLUMNS.map(([, type], i) => `$${i + 3}::${type}[]`).join(", ")}) as x
  on conflict (resource_id, day) do update set ${NAMES.map((name) => `${name} = excluded.${name}`).join(", ")}
  where (${NAMES.map((name) => `u.${name}`).join(", ")}) is distinct from (${NAMES.map((name) => `excluded.${name}`).join(", ")})`;

/** A day's usage of several machines, as far as it is another. */
export async function replaceUsages(day: string, rows: readonly UsageOf[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = COLUMNS.map(([, , value]) => rows.map(value));
  await pool().query(REPLACE, [day, rows.map(({ resourceId }) => resourceId), ...columns]);
}

export type IdleRun = { resourceId: string; since: number | null; kind: "empty" | "held" | null; mayBeOlder: boolean };

/** Remembers which machines are idle now, and since when; a run older than what was read keeps its beginning. */
export async function saveIdleRuns(runs: IdleRun[]): Promise<void> {
  for (const { resourceId, since, kind, mayBeOlder } of runs) {
    await pool().query(
      `update resource set idle_kind = $3::idle_kind, idle_since = case when $4 then least(idle_since, $2::timestamptz) else $2::timestamptz end
       where id = $1 and (idle_kind, idle_since) is distinct from ($3::idle_kind, case when $4 then least(idle_since, $2::timestamptz) else $2::timestamptz end)`,
      [resourceId, since === null ? null : new Date(since), kind, mayBeOlder],
    );
  }
}

export type IdleRow = {
  resourceId: string;
  name: string;
  emptyMinutes: number;
  heldMinutes: number;
  emptyMicros: bigint;
  heldMicros: bigint;
};

/** Idle money of a day, most first. */
export async function listIdle(day: string): Promise<IdleRow[]> {
  const { rows } = await pool().query<{
    resourceId: string;
    name: string;
    emptyMinutes: number;
    heldMinutes: number;
    emptyMicros: string;
    heldMicros: string;
  }>(
    `select u.resource_id as "resourceId", coalesce(s.name, r.external_id) as name, u.idle_empty_minutes as "emptyMinutes", u.idle_held_minutes as "heldMinutes",
            u.idle_empty_micros::text as "emptyMicros", u.idle_held_micros::text as "heldMicros"
     from usage_day u join resource r on r.id = u.resource_id
     join lateral (select name from resource_span s where s.resource_id = r.id order by valid_from desc limit 1) s on true
     where u.day = $1::date and u.idle_empty_minutes + u.idle_held_minutes > 0 order by u.idle_empty_micros + u.idle_held_micros desc`,
    [day],
  );
  return rows.map((row) => ({ ...row, emptyMicros: BigInt(row.emptyMicros), heldMicros: BigInt(row.heldMicros) }));
}
