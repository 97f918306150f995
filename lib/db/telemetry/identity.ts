import { type Client, pool, prisma } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import type { GpuProcess } from "@/lib/domain/telemetry/sample";

export type Source = { id: string; resourceId: string | null; intervalMs: number };

export type SourceFacts = {
  tokenId: string;
  hostname: string;
  /** The machine that the token speaks for, when it speaks for one. */
  resourceId: string | null;
  intervalMs: number;
  agentVersion: string | null;
  host: Record<string, string>;
  clockSkewMs: number | null;
  lastError: string | null;
  at: Date;
};

/** The sending machine, by token and host name; a token of one machine ties its sender to it. */
export async function touchSource({ host, ...facts }: SourceFacts): Promise<Source> {
  const { at, tokenId, hostname, resourceId, ...said } = facts;
  const row = await prisma.telemetrySource.upsert({
    where: { tokenId_hostname: { tokenId, hostname } },
    create: {
      tokenId,
      hostname,
      resourceId,
      firstSeenAt: at,
      lastReceivedAt: at,
      host: host as Prisma.InputJsonObject,
      ...said,
    },
    update: { lastReceivedAt: at, host: host as Prisma.InputJsonObject, ...said },
    select: { id: true, resourceId: true, intervalMs: true },
  });
  if (resourceId === null || row.resourceId === resourceId || !(await isFree(row))) return row;
  await prisma.$transaction((tx) => assignSource(tx, row.id, resourceId));
  return { ...row, resourceId };
}

/** A sender that belongs to nobody, or to a machine that is gone: its address was rented again. */
async function isFree({ resourceId }: Source): Promise<boolean> {
  return resourceId === null || (await prisma.resource.count({ where: { id: resourceId, goneAt: null } })) === 0;
}

/** Ties a sender, and the GPUs that it found, to a machine; what they sent lately counts for the fleet from then on. */
export async function assignSource(tx: Client, sourceId: string, resourceId: string): Promise<void> {
  await tx.telemetrySource.update({ where: { id: sourceId }, data: { resourceId } });
  // A GPU that the machine already has keeps its row; samples of the nameless time stay with the sender's row.
  await tx.$executeRaw`
    WITH moved AS (
      UPDATE gpu g SET resource_id = ${resourceId}::uuid
      WHERE g.source_id = ${sourceId}::uuid AND g.resource_id IS NULL
        AND NOT EXISTS (SELECT 1 FROM gpu o WHERE o.resource_id = ${resourceId}::uuid AND o.uuid = g.uuid AND o.mig = g.mig)
      RETURNING g.id)
    INSERT INTO telemetry_dirty (gpu_id, bucket)
    SELECT DISTINCT s.gpu_id, date_bin('5 minutes', s.at, 'epoch')
    FROM moved JOIN gpu_latest l ON l.gpu_id = moved.id JOIN gpu_sample s ON s.gpu_id = moved.id AND s.at > l.at - interval '2 days'
    ORDER BY 1, 2
    ON CONFLICT (gpu_id, bucket) DO UPDATE SET gpu_id = excluded.gpu_id`;
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
    `select r.id from resource r join resource_span s on s.resource_id = r.id and s.valid_to is null
     where r.kind = 'instance' and r.gone_at is null and (s.hostname = $1 or ($2::text is not null and s.private_ip = $2))`,
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
  const known = await prisma.gpu.findMany({ where });
  const byKey = new Map(known.map((gpu) => [gpuKey(gpu), gpu]));
  const result = new Map<string, { id: number; memoryMib: number | null }>();
  for (const gpu of gpus) {
    const key = gpuKey(gpu);
    const row = byKey.get(key);
    const said = { ...gpu, attrs: gpu.attrs as Prisma.InputJsonObject };
    if (!row) {
      const made = await insertGpu(sourceId, resourceId, said, at);
      result.set(key, made);
      continue;
    }
    const isSame =
      row.position === gpu.position &&
      row.model === gpu.model &&
      row.driverVersion === gpu.driverVersion &&
      row.memoryMib === gpu.memoryMib &&
      row.powerLimitW === gpu.powerLimitW &&
      JSON.stringify(row.attrs) === JSON.stringify(gpu.attrs);
    if (!isSame) await prisma.gpu.update({ where: { id: row.id }, data: said });
    result.set(key, { id: row.id, memoryMib: gpu.memoryMib });
  }
  return result;
}

async function insertGpu(
  sourceId: string,
  resourceId: string | null,
  said: Omit<GpuIdentity, "attrs"> & { attrs: Prisma.InputJsonObject },
  at: Date,
) {
  try {
    return await prisma.gpu.create({
      data: { sourceId, resourceId, firstSeenAt: at, ...said },
      select: { id: true, memoryMib: true },
    });
  } catch (error) {
    if ((error as { code?: string }).code !== "P2002") throw error;
    // Two requests met over a new card; the other one was faster.
    const where = { uuid: said.uuid, mig: said.mig, ...(resourceId ? { resourceId } : { sourceId, resourceId: null }) };
    return prisma.gpu.findFirstOrThrow({ where, select: { id: true, memoryMib: true } });
  }
}

export function gpuKey({ uuid, mig }: { uuid: string; mig: string }): string {
  return `${uuid} ${mig}`;
}

/** Writes down which processes hold a GPU: the open span goes on while they are the same ones. */
export async function recordProcesses(gpuId: number, at: Date, processes: readonly GpuProcess[]): Promise<void> {
  const list = JSON.stringify(processes);
  const names = JSON.stringify(processes.map(({ pid, name }) => [pid, name]));
  await pool().query(
    `with newest as (select * from gpu_process_span where gpu_id = $1 order by valid_from desc limit 1),
          same as (update gpu_process_span s set last_seen_at = greatest(s.last_seen_at, $2), processes = $3::jsonb from newest n
                   where s.gpu_id = n.gpu_id and s.valid_from = n.valid_from and n.valid_from <= $2
                     and (select coalesce(jsonb_agg(jsonb_build_array(p -> 'pid', p -> 'name')), '[]') from jsonb_array_elements(n.processes) p) = $4::jsonb
                   returning 1)
     insert into gpu_process_span (gpu_id, valid_from, last_seen_at, processes)
     select $1, $2, $2, $3::jsonb where not exists (select 1 from same) and not exists (select 1 from newest where valid_from >= $2)
     on conflict do nothing`,
    [gpuId, at, list, names],
  );
}

export type RefusalReason = "conflict" | "too_old" | "future" | "malformed" | "wrong_scope" | "no_gpu";
export type Refusal = { gpuId: number; reason: RefusalReason; count: number; example: string | null };

/** Counts what was not stored, per sender, day, GPU and reason. */
export async function countRefusals(sourceId: string, at: Date, refusals: Refusal[]): Promise<void> {
  for (const { gpuId, reason, count, example } of refusals) {
    await pool().query(
      `insert into ingest_refusal as r (source_id, day, gpu_id, reason, count, last_at, example)
       values ($1, ($2::timestamptz at time zone 'UTC')::date, $3, $4::refusal_reason, $5, $2, $6)
       on conflict (source_id, day, gpu_id, reason) do update set count = r.count + excluded.count, last_at = excluded.last_at, example = excluded.example`,
      [sourceId, at, gpuId, reason, count, example?.slice(0, 200) ?? null],
    );
  }
}
