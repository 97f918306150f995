import { randomUUID } from "node:crypto";
import { type Client, pool, prisma, transact } from "@/lib/db/client";
import { assignEvents } from "@/lib/db/events";
import type { Prisma } from "@/lib/db/generated/client";
import type { GpuProcess } from "@/lib/domain/telemetry/sample";

export type Source = { id: string; resourceId: string | null; intervalMs: number };

export type SourceFacts = {
  /** Of a page that is fetched; null for a sender with a token, which is known by token and host name. */
  id: string | null;
  kind: "agent" | "scrape" | "remote_write" | "push";
  tokenId: string | null;
  hostname: string;
  /** The machine that the token speaks for, when it speaks for one. */
  resourceId: string | null;
  intervalMs: number;
  agentVersion: string | null;
  /** What is added to what is known of the machine. */
  host: Record<string, unknown>;
  clockSkewMs: number | null;
  lastError: string | null;
  at: Date;
};

/** The sending machines, in the order given; a token of one machine ties its sender to it. */
export async function touchSources(given: readonly SourceFacts[]): Promise<Source[]> {
  const keyOf = (one: { id: string | null; tokenId: string | null; hostname: string }) =>
    one.id ?? `${one.tokenId} ${one.hostname}`;
  const found = new Map<string, Source>();
  const senders = unique(given.filter((one) => one.id === null));
  if (senders.length > 0) {
    const { rows } = await pool().query<Source & { tokenId: string; hostname: string }>({
      name: "touch-sources",
      text: `insert into telemetry_source as t (id, kind, token_id, hostname, resource_id, interval_ms, agent_version, host, first_seen_at, last_received_at, clock_skew_ms, last_error)
       select id, kind::source_kind, token_id, hostname, resource_id, interval_ms, agent_version, host, at, at, clock_skew_ms, last_error
       from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::uuid[], $6::int[], $7::text[], $8::jsonb[], $9::timestamptz[], $10::int[], $11::text[])
         as given (id, kind, token_id, hostname, resource_id, interval_ms, agent_version, host, at, clock_skew_ms, last_error)
       order by token_id, hostname
       on conflict (token_id, hostname) do update set interval_ms = excluded.interval_ms, agent_version = coalesce(excluded.agent_version, t.agent_version),
         host = t.host || excluded.host, last_received_at = greatest(t.last_received_at, excluded.last_received_at), clock_skew_ms = excluded.clock_skew_ms, last_error = excluded.last_error
       returning id, resource_id as "resourceId", interval_ms as "intervalMs", token_id as "tokenId", hostname`,
      values: [
        senders.map(() => randomUUID()),
        senders.map((one) => one.kind),
        senders.map((one) => one.tokenId),
        senders.map((one) => one.hostname),
        senders.map((one) => one.resourceId),
        senders.map((one) => one.intervalMs),
        senders.map((one) => one.agentVersion),
        senders.map((one) => JSON.stringify(one.host)),
        senders.map((one) => one.at),
        senders.map((one) => int4OrNull(one.clockSkewMs)),
        senders.map((one) => one.lastError),
      ],
    });
    for (const { tokenId, hostname, ...source } of rows) found.set(keyOf({ id: null, tokenId, hostname }), source);
  }
  for (const one of given) {
    if (one.id === null || found.has(one.id)) continue;
    found.set(
      one.id,
      await prisma.telemetrySource.update({
        where: { id: one.id },
        data: { lastReceivedAt: one.at, lastError: one.lastError },
        select: { id: true, resourceId: true, intervalMs: true },
      }),
    );
  }
  const sources: Source[] = [];
  for (const one of given) {
    const source = found.get(keyOf(one));
    if (!source) throw new Error(`sender ${one.hostname} was not written down`);
    sources.push(await tied(source, one.resourceId));
  }
  return sources;
}

function unique(given: readonly SourceFacts[]): SourceFacts[] {
  return [...new Map(given.map((one) => [`${one.tokenId} ${one.hostname}`, one])).values()];
}

/** A clock that is off by more than 24 days is off by that. */
function int4OrNull(value: number | null): number | null {
  return value === null ? null : Math.min(2_147_483_647, Math.max(-2_147_483_648, Math.round(value)));
}

async function tied(source: Source, resourceId: string | null): Promise<Source> {
  if (resourceId === null || source.resourceId === resourceId || !(await isFree(source))) return source;
  await transact((tx) => assignSource(tx, source.id, resourceId));
  return { ...source, resourceId };
}

/** A sender that belongs to nobody, or to a machine that is gone: its address was rented again. */
async function isFree({ resourceId }: Source): Promise<boolean> {
  return resourceId === null || (await prisma.resource.count({ where: { id: resourceId, goneAt: null } })) === 0;
}

/** Ties a sender, and the GPUs that it found, to a machine; what they sent lately counts for the fleet from then on. */
export async function assignSource(tx: Client, sourceId: string, resourceId: string): Promise<void> {
  await tx.telemetrySource.update({ where: { id: sourceId }, data: { resourceId } });
  await assignEvents(tx, sourceId, resourceId);
  // A GPU that the machine already has keeps its row; samples of the nameless time stay with the sender's row.
  await tx.$executeRaw`
    WITH moved AS (
      UPDATE gpu g SET resource_id = ${resourceId}::uuid
      WHERE g.source_id = ${sourceId}::uuid AND g.resource_id IS NULL
        AND NOT EXISTS (SELECT 1 FROM gpu o WHERE o.resource_id = ${resourceId}::uuid AND o.uuid = g.uuid AND o.mig = g.mig)
      RETURNING g.id)
    INSERT INTO telemetry_mark (bucket, gpu_ids)
    SELECT date_bin('5 minutes', s.at, 'epoch'), array_agg(DISTINCT s.gpu_id)
    FROM moved JOIN gpu_sample s ON s.gpu_id = moved.id GROUP BY 1`;
}

/** All senders that use the enrolment token of an intent speak for the machine that it launched. */
export async function assignSources(tx: Client, intentId: string, resourceId: string): Promise<void> {
  const sources = await tx.telemetrySource.findMany({
    where: { resourceId: null, token: { intentId } },
    select: { id: true },
  });
  for (const { id } of sources) await assignSource(tx, id, resourceId);
}

/** Machines whose addresses or host name are those that a sender gives; more than one is no answer. */
export async function matchResources(hostname: string, privateIp: string | null): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    // Two looks into an index each: asked by every sender again and again, also of a table that nobody has analysed yet.
    `select id from resource where kind = 'instance' and gone_at is null and id = any (array(
       select resource_id from resource_span where valid_to is null and hostname = $1
       union select resource_id from resource_span where valid_to is null and private_ip = $2))`,
    [hostname, privateIp],
  );
  return rows.map((row) => row.id);
}

export type GpuIdentity = {
  uuid: string;
  mig: string;
  position: number;
  model: string;
  driverVersion: string | null;
  memoryMib: number | null;
  powerLimitW: number | null;
  attrs: Record<string, unknown>;
};

/** The rows of these GPUs on this machine (or, unassigned, of this sender), made where new, refreshed where something differs. */
export async function touchGpus(
  source: Source,
  gpus: GpuIdentity[],
  at: Date,
): Promise<Map<string, { id: number; memoryMib: number | null }>> {
  const { id: sourceId, resourceId } = source;
  const where = resourceId ? { resourceId } : { sourceId, resourceId: null };
  let known = await prisma.gpu.findMany({ where });
  const keys = new Set(known.map(gpuKey));
  const fresh = gpus.filter((gpu) => !keys.has(gpuKey(gpu)));
  if (fresh.length > 0) {
    await insertGpus(source, fresh, at);
    known = await prisma.gpu.findMany({ where });
  }
  const byKey = new Map(known.map((gpu) => [gpuKey(gpu), gpu]));
  const result = new Map<string, { id: number; memoryMib: number | null }>();
  for (const gpu of gpus) {
    const key = gpuKey(gpu);
    const row = byKey.get(key);
    if (!row) throw new Error(`GPU ${key} was not written down`);
    const said = together(row, gpu);
    const isSame =
      row.position === said.position &&
      row.model === said.model &&
      row.driverVersion === said.driverVersion &&
      row.memoryMib === said.memoryMib &&
      row.powerLimitW === said.powerLimitW &&
      JSON.stringify(row.attrs) === JSON.stringify(said.attrs);
    if (!isSame)
      await prisma.gpu.update({
        where: { id: row.id },
        data: { ...said, attrs: said.attrs as Prisma.InputJsonObject },
      });
    result.set(key, { id: row.id, memoryMib: said.memoryMib });
  }
  return result;
}

/** The cards of a sender's machine, or of a nameless sender, as they were last known. */
export async function listCards(
  source: Pick<Source, "id" | "resourceId">,
): Promise<{ id: number; uuid: string; mig: string; busId: string | null; index: number }[]> {
  const { rows } = await pool().query<{ id: number; uuid: string; mig: string; busId: string | null; index: number }>(
    `select id, uuid, mig, attrs ->> 'busId' as "busId", position as index from gpu
     where ($1::uuid is not null and resource_id = $1) or ($1::uuid is null and resource_id is null and source_id = $2)`,
    [source.resourceId, source.id],
  );
  return rows;
}

export const UNKNOWN_MODEL = "unknown GPU";

/** What is said of a card, and what was known where that is silent: not every sender tells everything. */
function together(row: Omit<GpuIdentity, "attrs"> & { attrs: unknown }, said: GpuIdentity): GpuIdentity {
  const known = row.attrs as Record<string, unknown>;
  return {
    ...said,
    model: said.model === UNKNOWN_MODEL ? row.model : said.model,
    driverVersion: said.driverVersion ?? row.driverVersion,
    memoryMib: said.memoryMib ?? row.memoryMib,
    powerLimitW: said.powerLimitW ?? row.powerLimitW,
    attrs: Object.fromEntries(Object.entries(said.attrs).map(([key, value]) => [key, value ?? known[key] ?? null])),
  };
}

/** New cards in one statement; one that another request wrote down a moment ago is left as it is. */
async function insertGpus({ id: sourceId, resourceId }: Source, gpus: readonly GpuIdentity[], at: Date): Promise<void> {
  await pool().query(
    `insert into gpu (uuid, mig, resource_id, source_id, position, model, driver_version, memory_mib, power_limit_w, attrs, first_seen_at)
     select uuid, mig, $1::uuid, $2::uuid, position, model, driver_version, memory_mib, power_limit_w, attrs, $3
     from unnest($4::text[], $5::text[], $6::int[], $7::text[], $8::text[], $9::int[], $10::float8[], $11::jsonb[])
       as given (uuid, mig, position, model, driver_version, memory_mib, power_limit_w, attrs)
     order by given.uuid, given.mig on conflict do nothing`,
    [
      resourceId,
      sourceId,
      at,
      gpus.map((gpu) => gpu.uuid),
      gpus.map((gpu) => gpu.mig),
      gpus.map((gpu) => gpu.position),
      gpus.map((gpu) => gpu.model),
      gpus.map((gpu) => gpu.driverVersion),
      gpus.map((gpu) => gpu.memoryMib),
      gpus.map((gpu) => gpu.powerLimitW),
      gpus.map((gpu) => JSON.stringify(gpu.attrs)),
    ],
  );
}

export function gpuKey({ uuid, mig }: { uuid: string; mig: string }): string {
  return `${uuid} ${mig}`;
}

/** What was seen running on a GPU at an instant. */
export type ProcessLook = { gpuId: number; at: Date; processes: readonly GpuProcess[] };

/** Writes down which processes hold GPUs: an open span goes on while they are the same ones. */
export async function recordProcesses(looks: readonly ProcessLook[]): Promise<void> {
  // A backlog holds several looks at one GPU: one round for each.
  const rounds: ProcessLook[][] = [];
  const seen = new Map<number, number>();
  for (const look of [...looks].sort((a, b) => a.at.getTime() - b.at.getTime())) {
    const round = seen.get(look.gpuId) ?? 0;
    seen.set(look.gpuId, round + 1);
    rounds[round] = [...(rounds[round] ?? []), look];
  }
  for (const round of rounds) await recordRound(round);
}

async function recordRound(looks: readonly ProcessLook[]): Promise<void> {
  await pool().query({
    name: "record-processes",
    text: `with given as (select * from unnest($1::int[], $2::timestamptz[], $3::jsonb[], $4::jsonb[]) as g (gpu_id, at, processes, names)),
          newest as (select g.*, n.valid_from, n.processes as before from given g
                     left join lateral (select * from gpu_process_span s where s.gpu_id = g.gpu_id order by valid_from desc limit 1) n on true),
          same as (update gpu_process_span s set last_seen_at = greatest(s.last_seen_at, n.at), processes = n.processes from newest n
                   where s.gpu_id = n.gpu_id and s.valid_from = n.valid_from and n.valid_from <= n.at
                     and (select coalesce(jsonb_agg(jsonb_build_array(p -> 'pid', p -> 'name')), '[]') from jsonb_array_elements(n.before) p) = n.names
                   returning s.gpu_id)
     insert into gpu_process_span (gpu_id, valid_from, last_seen_at, processes)
     select gpu_id, at, at, processes from newest where gpu_id not in (select gpu_id from same) and (valid_from is null or valid_from < at)
     on conflict do nothing`,
    values: [
      looks.map((look) => look.gpuId),
      looks.map((look) => look.at),
      looks.map((look) => JSON.stringify(look.processes)),
      looks.map((look) => JSON.stringify(look.processes.map(({ pid, name }) => [pid, name]))),
    ],
  });
}

export type RefusalReason =
  | "conflict"
  | "too_old"
  | "future"
  | "malformed"
  | "wrong_scope"
  | "no_gpu"
  | "duplicate"
  | "out_of_range"
  | "series_limit";
export type Refusal = { gpuId: number; reason: RefusalReason; count: number; example: string | null };

/** Counts what was not stored, per sender, day, GPU and reason. */
export async function countRefusals(sourceId: string, at: Date, refusals: readonly Refusal[]): Promise<void> {
  if (refusals.length === 0) return;
  await pool().query(
    `insert into ingest_refusal as r (source_id, day, gpu_id, reason, count, last_at, example)
     select $1, ($2::timestamptz at time zone 'UTC')::date, gpu_id, reason::refusal_reason, count, $2, example
     from unnest($3::int[], $4::text[], $5::bigint[], $6::text[]) as given (gpu_id, reason, count, example)
     on conflict (source_id, day, gpu_id, reason) do update set count = r.count + excluded.count, last_at = excluded.last_at, example = excluded.example`,
    [
      sourceId,
      at,
      refusals.map((one) => one.gpuId),
      refusals.map((one) => one.reason),
      refusals.map((one) => one.count),
      refusals.map((one) => one.example?.slice(0, 200) ?? null),
    ],
  );
}
