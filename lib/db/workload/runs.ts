import { type Client, pool, prisma } from "@/lib/db/client";
import type { Workload } from "@/lib/domain/fleet/workloads";
import type { PaidMinutes } from "@/lib/domain/workload/cost";

export type RunFacts = {
  id: string;
  externalId: string;
  name: string;
  workload: Workload;
  resourceId: string | null;
  gpuIds: number[];
  gpuPositions: number[];
  startedAt: Date;
  endedAt: Date | null;
  expectedMs: number | null;
  note: string | null;
  createdAt: Date;
  isPushed: boolean;
  by: string | null;
  instanceName: string | null;
  typeName: string | null;
  region: string | null;
  gpusOfInstance: number;
  machineGoneAt: Date | null;
  /** From when its instance has been paid for at the earliest, as far as the ledger knows; null: not at all yet. */
  billedFrom: Date | null;
  /** The price of its instance now; null: unknown. */
  priceMicros: bigint | null;
};

/** A run without what its instance costs now, which is asked of each machine by itself. */
export type PastRun = Omit<RunFacts, "priceMicros">;

type RawPast = Omit<PastRun, "expectedMs"> & { expectedMs: string | null };
type Raw = RawPast & { priceMicros: string | null };

const COLUMNS = `u.id, u.external_id as "externalId", u.name, u.workload::text as workload, u.resource_id as "resourceId", coalesce(u.gpu_ids, '{}') as "gpuIds",
    coalesce((select array_agg(g.position order by g.position) from gpu g where g.id = any (u.gpu_ids)), '{}') as "gpuPositions",
    u.started_at as "startedAt", u.ended_at as "endedAt", u.expected_ms::text as "expectedMs", u.note, u.created_at as "createdAt",
    u.token_id is not null as "isPushed", coalesce(k.name, a.name) as by, coalesce(s.name, left(r.external_id, 12)) as "instanceName", s.type_name as "typeName", s.region,
    greatest(1, coalesce(t.gpus, 0), (select count(*) from gpu g where g.resource_id = r.id))::int as "gpusOfInstance", r.gone_at as "machineGoneAt", r.bill_from_high as "billedFrom"`;

const TABLES = `run u left join token k on k.id = u.token_id left join app_user a on a.id = u.created_by_id left join resource r on r.id = u.resource_id
  left join lateral (select * from resource_span s where s.resource_id = r.id order by s.valid_from desc limit 1) s on true
  left join instance_type t on t.provider = s.provider and t.name = s.type_name`;

const SELECT = `select ${COLUMNS}, coalesce(p.micros, s.price_micros)::text as "priceMicros" from ${TABLES}
  left join lateral (select rate_now(r.id, s.provider, s.type_name, s.region, 'instance_hour') as micros) p on true`;

function toPast<T extends RawPast>(row: T): Omit<T, "expectedMs"> & Pick<PastRun, "expectedMs"> {
  return { ...row, expectedMs: row.expectedMs === null ? null : Number(row.expectedMs) };
}

function toFacts(row: Raw): RunFacts {
  return { ...toPast(row), priceMicros: row.priceMicros === null ? null : BigInt(row.priceMicros) };
}

const RUNNING = "u.ended_at is null and r.gone_at is null";

/** Those that go on first, then the newest; of one instance, or with all the words in name, id or instance. */
export async function listRuns(
  which: { words: readonly string[]; workload: Workload | null; instanceId: string | null },
  limit: number,
): Promise<RunFacts[]> {
  const { rows } = await pool().query<Raw>(
    `${SELECT} where ($1::uuid is null or u.resource_id = $1) and ($2::text is null or u.workload::text = $2)
       and not exists (select 1 from unnest($3::text[]) w where strpos(lower(concat_ws(' ', u.name, u.external_id, s.name, r.external_id)), w) = 0)
     order by (${RUNNING}) desc, u.started_at desc, u.id limit $4`,
    [which.instanceId, which.workload, which.words.map((word) => word.toLowerCase()), limit],
  );
  return rows.map(toFacts);
}

export async function findRun(id: string): Promise<RunFacts | null> {
  const { rows } = await pool().query<Raw>(`${SELECT} where u.id = $1`, [id]);
  return rows[0] ? toFacts(rows[0]) : null;
}

/** Runs that went on at some time of [from, to), the newest first. */
export async function listRunsWithin(from: Date, to: Date, limit: number): Promise<PastRun[]> {
  const { rows } = await pool().query<RawPast>(
    `select ${COLUMNS} from ${TABLES} where u.started_at < $2 and coalesce(least(u.ended_at, r.gone_at), $2) > $1 order by u.started_at desc, u.id limit $3`,
    [from, to, limit],
  );
  return rows.map(toPast);
}

export async function countRuns(now: Date): Promise<{ runs: number; running: number; overdue: number }> {
  const { rows } = await pool().query<{ runs: number; running: number; overdue: number }>(
    `select count(*)::int as runs, count(*) filter (where ${RUNNING})::int as running,
            count(*) filter (where ${RUNNING} and u.expected_ms is not null and u.started_at + u.expected_ms * interval '1 millisecond' < $1)::int as overdue
     from run u left join resource r on r.id = u.resource_id`,
    [now],
  );
  return rows[0] ?? { runs: 0, running: 0, overdue: 0 };
}

/** The ledger's rows of some machines that may hold minutes of [from, to), by machine. */
export async function paidMinutes(
  resourceIds: readonly string[],
  from: Date,
  to: Date,
): Promise<Map<string, PaidMinutes[]>> {
  return paidWithin(resourceIds.map((resourceId) => ({ resourceId, from, to })));
}

const MARGIN_MS = 2 * 86_400_000;

export type PaidWindow = { resourceId: string; from: Date; to: Date };

/** The same with a window for each machine. */
export async function paidWithin(windows: readonly PaidWindow[]): Promise<Map<string, PaidMinutes[]>> {
  if (windows.length === 0) return new Map();
  const { rows } = await pool().query<{
    resourceId: string;
    startsAt: Date;
    minutes: number;
    micros: string | null;
    low: string | null;
    high: string | null;
  }>(
    // The index is by machine and day; two days more on both sides are enough for whatever accounting zone.
    `select l.resource_id as "resourceId", l.starts_at as "startsAt", l.minutes, l.micros::text as micros, l.low_micros::text as low, l.high_micros::text as high
     from ledger_row l join unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) w (id, a, b) on w.id = l.resource_id
     where l.resource_id = any ($1) and l.day between $4::date and $5::date and l.charge = 'usage' and l.starts_at < w.b and l.ends_at >= w.a
     order by l.starts_at`,
    [
      windows.map(({ resourceId }) => resourceId),
      windows.map(({ from }) => from),
      windows.map(({ to }) => to),
      new Date(Math.min(...windows.map(({ from }) => from.getTime())) - MARGIN_MS),
      new Date(Math.max(...windows.map(({ to }) => to.getTime())) + MARGIN_MS),
    ],
  );
  const big = (text: string | null) => (text === null ? null : BigInt(text));
  const found = new Map<string, PaidMinutes[]>();
  for (const { resourceId, startsAt, minutes, micros, low, high } of rows) {
    const row = {
      startsAt: startsAt.getTime(),
      minutes,
      micros: big(micros),
      lowMicros: big(low),
      highMicros: big(high),
    };
    const known = found.get(resourceId);
    if (known) known.push(row);
    else found.set(resourceId, [row]);
  }
  return found;
}

export type StoredRun = {
  id: string;
  externalId: string;
  name: string;
  workload: Workload;
  resourceId: string | null;
  gpuIds: number[];
  startedAt: Date;
  endedAt: Date | null;
  expectedMs: bigint | null;
  note: string | null;
  createdById: string | null;
  tokenId: string | null;
};

const stored = {
  id: true,
  externalId: true,
  name: true,
  workload: true,
  resourceId: true,
  gpuIds: true,
  startedAt: true,
  endedAt: true,
  expectedMs: true,
  note: true,
  createdById: true,
  tokenId: true,
} as const;

/** Makes a run; null: its id is taken. Values that came before it and carry its id become its own. */
export async function insertRun(tx: Client, run: StoredRun & { createdAt: Date }): Promise<StoredRun | null> {
  const { count } = await tx.run.createMany({ data: [{ ...run, updatedAt: run.createdAt }], skipDuplicates: true });
  if (count === 0) return null;
  await tx.$executeRaw`
    UPDATE series s SET run_id = ${run.id}::uuid FROM telemetry_source t
    WHERE t.id = s.source_id AND s.run_id IS NULL
      AND ${run.externalId} = coalesce(s.labels ->> 'run', s.labels ->> 'run_id', s.labels ->> 'hopperdeck_run')
      AND (t.token_id = ${run.tokenId}::uuid OR coalesce(s.resource_id, t.resource_id) = ${run.resourceId}::uuid)`;
  return run;
}

/** A run, locked against another who changes it at the same moment. */
export async function lockRun(tx: Client, which: { id: string } | { externalId: string }): Promise<StoredRun | null> {
  const rows =
    "id" in which
      ? await tx.$queryRaw<{ id: string }[]>`SELECT id FROM run WHERE id = ${which.id}::uuid FOR UPDATE`
      : await tx.$queryRaw<{ id: string }[]>`SELECT id FROM run WHERE external_id = ${which.externalId} FOR UPDATE`;
  const [row] = rows;
  return row ? tx.run.findUnique({ where: { id: row.id }, select: stored }) : null;
}

export type RunEdit = Partial<Omit<StoredRun, "id" | "externalId" | "createdById" | "tokenId">>;

export async function updateRun(tx: Client, id: string, edit: RunEdit, at: Date): Promise<void> {
  await tx.run.update({ where: { id }, data: { ...edit, updatedAt: at } });
}

/** Takes a run away; the values that hung on it stay with their instance. */
export async function deleteRun(tx: Client, id: string): Promise<void> {
  await tx.run.delete({ where: { id } });
}

/** How many runs a token has made since an instant. */
export async function countPushed(tx: Client, tokenId: string, since: Date): Promise<number> {
  return tx.run.count({ where: { tokenId, createdAt: { gte: since } } });
}

/** The runs that values may hang on by the id in their labels: of the same token, or of the sender's machine. */
export async function runsByLabel(
  externalIds: readonly string[],
  sender: { id: string; resourceId: string | null },
): Promise<Map<string, string>> {
  if (externalIds.length === 0) return new Map();
  const { rows } = await pool().query<{ id: string; externalId: string }>(
    `select u.id, u.external_id as "externalId" from run u join telemetry_source t on t.id = $2
     where u.external_id = any ($1) and (u.token_id = t.token_id or u.resource_id = $3)`,
    [externalIds, sender.id, sender.resourceId],
  );
  return new Map(rows.map(({ id, externalId }) => [externalId, id]));
}

export type PlaceFacts = {
  id: string;
  name: string;
  typeName: string | null;
  goneAt: Date | null;
  gpus: { id: number; position: number; uuid: string }[];
};

/** Instances that a name, an id or a host name means; of several of one name the ones that are there. */
export async function findPlaces(said: string): Promise<PlaceFacts[]> {
  const { rows } = await pool().query<PlaceFacts>(
    `select r.id, coalesce(s.name, left(r.external_id, 12)) as name, s.type_name as "typeName", r.gone_at as "goneAt",
            coalesce((select jsonb_agg(jsonb_build_object('id', g.id, 'position', g.position, 'uuid', g.uuid) order by g.position, g.id) from gpu g where g.resource_id = r.id), '[]') as gpus
     from resource r join lateral (select * from resource_span s where s.resource_id = r.id order by s.valid_from desc limit 1) s on true
     where r.kind = 'instance' and (r.id::text = $1 or r.external_id = $1 or s.name = $1 or s.hostname = $1 or s.ip = $1 or s.private_ip = $1)
     order by r.gone_at is not null, (r.id::text = $1 or r.external_id = $1) desc, r.gone_at desc limit 5`,
    [said],
  );
  const present = rows.filter(({ goneAt }) => goneAt === null);
  return present.length > 0 ? present : rows.slice(0, 1);
}

/** Present instances with their GPUs, for a form. */
export async function listPlaces(): Promise<(PlaceFacts & { workload: Workload })[]> {
  const { rows } = await pool().query<PlaceFacts & { workload: Workload }>(
    `select r.id, coalesce(s.name, left(r.external_id, 12)) as name, s.type_name as "typeName", r.gone_at as "goneAt", coalesce(l.workload::text, 'unknown') as workload,
            coalesce((select jsonb_agg(jsonb_build_object('id', g.id, 'position', g.position, 'uuid', g.uuid) order by g.position, g.id) from gpu g where g.resource_id = r.id), '[]') as gpus
     from resource r join lateral (select * from resource_span s where s.resource_id = r.id order by s.valid_from desc limit 1) s on true
     left join resource_label l on l.resource_id = r.id and l.valid_to is null
     where r.kind = 'instance' and r.gone_at is null order by 2 limit 2000`,
  );
  return rows;
}

/** Present instances that carry a team's label. */
export async function listPlacesOfTeam(team: string): Promise<{ id: string; name: string }[]> {
  const { rows } = await pool().query<{ id: string; name: string }>(
    `select r.id, coalesce(s.name, left(r.external_id, 12)) as name
     from resource r join lateral (select * from resource_span s where s.resource_id = r.id order by s.valid_from desc limit 1) s on true
     join resource_label l on l.resource_id = r.id and l.valid_to is null and l.team = $1
     where r.kind = 'instance' and r.gone_at is null order by 2 limit 2000`,
    [team],
  );
  return rows;
}

/** The sender of pushed values of a token and host; an agent's own row is used as it is, and its silence stays its own. */
export async function pushSender(
  tokenId: string,
  hostname: string,
  resourceId: string | null,
  at: Date,
): Promise<{ id: string; resourceId: string | null }> {
  // Several may be the first at once.
  await prisma.telemetrySource.createMany({
    data: [{ kind: "push", tokenId, hostname, resourceId, intervalMs: 60_000, firstSeenAt: at, lastReceivedAt: at }],
    skipDuplicates: true,
  });
  const row = await prisma.telemetrySource.findUniqueOrThrow({
    where: { tokenId_hostname: { tokenId, hostname } },
    select: { id: true, kind: true, resourceId: true },
  });
  if (row.kind === "push")
    await prisma.telemetrySource.update({
      where: { id: row.id },
      data: { lastReceivedAt: at, ...(resourceId !== null && { resourceId }) },
    });
  return { id: row.id, resourceId: resourceId ?? row.resourceId };
}
