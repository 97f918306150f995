import { pool } from "@/lib/db/client";
import type { OwnerWords } from "@/lib/domain/cost/allocation";
import { inTransaction } from "./ledger";
import type { Asked } from "./periods";

export type PotDay = { period: string; day: string; potId: number; micros: bigint };

const OPEN = "not exists (select from period p where p.month = d.period and p.status = 'closed')";
const IN_MONTH = "($1::date is null or d.period = $1::date)";

/** What lies in each pot, day by day, in one month or in all, as far as they are not closed. */
export async function listPotDays(month: string | null = null, client: Asked = pool()): Promise<PotDay[]> {
  const { rows } = await client.query<Omit<PotDay, "micros"> & { micros: string }>(
    `select d.period::text as period, d.day::text as day, d.owner_id as "potId", sum(d.micros)::text as micros
     from cost_day d where ${IN_MONTH} and d.owner_id in (select id from cost_owner where is_shared) and ${OPEN} group by 1, 2, 3 order by 1, 2, 3`,
    [month && `${month}-01`],
  );
  return rows.map((row) => ({ ...row, micros: BigInt(row.micros) }));
}

export type PayerDay = OwnerWords & { day: string; gpuMinutes: bigint };

/** Who had machines or cost on these days, and how many GPU-minutes: a type whose GPUs nobody knows counts as one. */
export async function listPayerDays(days: readonly string[], client: Asked = pool()): Promise<PayerDay[]> {
  const { rows } = await client.query<Omit<PayerDay, "gpuMinutes"> & { minutes: string }>(
    `select d.day::text as day, o.team, o.project, o.environment, o.cost_center as "costCenter",
       coalesce(sum(d.minutes * coalesce(nullif(t.gpus, 0), 1)) filter (where d.charge = 'usage'), 0)::text as minutes
     from cost_day d join cost_owner o on o.id = d.owner_id and not o.is_shared and o.id <> 0
     left join (select name, max(gpus) as gpus from instance_type group by 1) t on t.name = d.type_name
     where d.day = any ($1::date[]) group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
    [days],
  );
  return rows.map(({ minutes, ...row }) => ({ ...row, gpuMinutes: BigInt(minutes) }));
}

export type SharedRow = PotDay & { ownerId: number; roundingPpm: number };

/** What was spread, in one month or in all, as far as they are not closed. */
export async function listSharedRows(month: string | null = null, client: Asked = pool()): Promise<SharedRow[]> {
  const { rows } = await client.query<Omit<SharedRow, "micros"> & { micros: string }>(
    `select d.period::text as period, d.day::text as day, d.pot_id as "potId", d.owner_id as "ownerId", d.micros::text as micros,
       d.rounding_ppm as "roundingPpm" from shared_cost d where ${IN_MONTH} and ${OPEN}`,
    [month && `${month}-01`],
  );
  return rows.map((row) => ({ ...row, micros: BigInt(row.micros) }));
}

const COLUMNS =
  "(select unnest($1::date[]) as period, unnest($2::date[]) as day, unnest($3::int[]) as pot_id, unnest($4::int[]) as owner_id)";

/** Puts down what changed of the spread: in a transaction of its own, or in one that is going on. */
export async function writeShared(
  changed: readonly SharedRow[],
  gone: readonly SharedRow[],
  client?: Asked,
): Promise<void> {
  if (changed.length === 0 && gone.length === 0) return;
  if (!client)
    return inTransaction(async (own) => {
      // Before the first row is held: who closes a month spreads its pots, too, and neither may wait for the other in a ring.
      const months = [...new Set([...changed, ...gone].map(({ period }) => period))].sort();
      for (const month of months)
        await own.query("select pg_advisory_xact_lock_shared(hashtext('period'), month_lock_key($1::date))", [month]);
      await writeShared(changed, gone, own);
    });
  const keys = (rows: readonly SharedRow[]) => [
    rows.map(({ period }) => period),
    rows.map(({ day }) => day),
    rows.map(({ potId }) => potId),
    rows.map(({ ownerId }) => ownerId),
  ];
  if (gone.length > 0)
    await client.query(
      `delete from shared_cost s using ${COLUMNS} k
       where s.period = k.period and s.day = k.day and s.pot_id = k.pot_id and s.owner_id = k.owner_id`,
      keys(gone),
    );
  if (changed.length > 0)
    await client.query(
      `insert into shared_cost (period, day, pot_id, owner_id, micros, rounding_ppm)
       select * from unnest($1::date[], $2::date[], $3::int[], $4::int[], $5::bigint[], $6::int[])
       on conflict (period, day, pot_id, owner_id) do update set micros = excluded.micros, rounding_ppm = excluded.rounding_ppm`,
      [...keys(changed), changed.map(({ micros }) => micros.toString()), changed.map(({ roundingPpm }) => roundingPpm)],
    );
}

export type OwnerDimension = "team" | "project" | "environment" | "costCenter";
/** A month by its name, as its rows count; or accounting days, both ends in. */
export type SharedScope = { month: string } | { from: string; to: string };

// Closed list, as SQL over cost_owner o.
const WORDS: Record<OwnerDimension, string> = {
  team: "o.team",
  project: "o.project",
  environment: "o.environment",
  costCenter: "o.cost_center",
};

const within = (scope: SharedScope) =>
  "month" in scope
    ? { where: "s.period = $1::date and $2::date is null", values: [`${scope.month}-01`, null] }
    : { where: "s.day between $1::date and $2::date", values: [scope.from, scope.to] };

/**
 * What sharing moves between the values of a dimension: parts to payers, and out of the pots under their own words.
 * Sums to nothing: added to the ledger's sums by the same dimension it gives what each has after sharing.
 */
export async function sharedByKey(
  scope: SharedScope,
  dimension: OwnerDimension,
  client: Asked = pool(),
): Promise<Map<string, bigint>> {
  const { where, values } = within(scope);
  const { rows } = await client.query<{ key: string; micros: string }>(
    `select ${WORDS[dimension]} as key, sum(x.micros)::text as micros from (
       select s.owner_id as id, s.micros from shared_cost s where ${where}
       union all select s.pot_id, -s.micros from shared_cost s where ${where}
     ) x join cost_owner o on o.id = x.id group by 1 order by 1`,
    values,
  );
  return new Map(rows.map(({ key, micros }) => [key, BigInt(micros)]));
}

export type PotPart = OwnerWords & { potId: number; day: string; micros: bigint; roundingPpm: number };

/** Every part of every pot. */
export async function listParts(scope: SharedScope): Promise<PotPart[]> {
  const { where, values } = within(scope);
  const { rows } = await pool().query<Omit<PotPart, "micros"> & { micros: string }>(
    `select s.pot_id as "potId", s.day::text as day, o.team, o.project, o.environment, o.cost_center as "costCenter",
       s.micros::text as micros, s.rounding_ppm as "roundingPpm"
     from shared_cost s join cost_owner o on o.id = s.owner_id where ${where} order by s.pot_id, s.day, s.owner_id`,
    values,
  );
  return rows.map((row) => ({ ...row, micros: BigInt(row.micros) }));
}
