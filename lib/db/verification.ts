import { type Client, pool } from "./client";
import type { Prisma } from "./generated/client";

export type VerifiedMachine = {
  id: string;
  name: string;
  typeName: string | null;
  activeAt: Date | null;
  gpus: number | null;
  gpuModel: string | null;
  gpuMemoryGb: number | null;
  fileSystemName: string | null;
  verification: unknown;
  agent: { firstSeenAt: Date; host: unknown; clockSkewMs: number | null } | null;
  cards: { uuid: string; model: string; memoryMib: number | null; driverVersion: string | null }[];
};

const COLUMNS = `
  r.id, coalesce(s.name, r.external_id) as name, s.type_name as "typeName", a.active_at as "activeAt",
  t.gpus, t.gpu_model as "gpuModel", t.gpu_memory_gb as "gpuMemoryGb", i.request ->> 'fileSystemName' as "fileSystemName", r.verification,
  (select jsonb_build_object('firstSeenAt', x.first_seen_at, 'host', x.host, 'clockSkewMs', x.clock_skew_ms) from telemetry_source x
   where x.resource_id = r.id and x.kind = 'agent' order by x.last_received_at desc limit 1) as agent,
  coalesce((select jsonb_agg(jsonb_build_object('uuid', g.uuid, 'model', g.model, 'memoryMib', g.memory_mib, 'driverVersion', g.driver_version) order by g.position)
            from gpu g where g.resource_id = r.id and g.mig = ''), '[]') as cards`;

const TABLES = `
  resource r
  join intent i on i.id = r.launch_intent_id
  join lateral (select * from resource_span s where s.resource_id = r.id order by s.valid_from desc limit 1) s on true
  left join lateral (select min(a.valid_from) as active_at from resource_span a where a.resource_id = r.id and a.status = 'active') a on true
  left join instance_type t on t.provider = s.provider and t.name = s.type_name`;

type Raw = Omit<VerifiedMachine, "agent"> & {
  agent: { firstSeenAt: string; host: unknown; clockSkewMs: number | null } | null;
};

const toMachine = ({ agent, ...row }: Raw): VerifiedMachine => ({
  ...row,
  agent: agent && { ...agent, firstSeenAt: new Date(agent.firstSeenAt) },
});

/** Machines of our launches that run and have not passed yet; one that failed is looked at again until it is as old as that. */
export async function listToVerify(failedSince: Date): Promise<VerifiedMachine[]> {
  const { rows } = await pool().query<Raw>(
    `select ${COLUMNS} from ${TABLES}
     where r.kind = 'instance' and r.gone_at is null and a.active_at is not null and s.status <> 'terminating'
       and (r.verification is null or r.verification ->> 'state' = 'checking'
            or (r.verification ->> 'state' = 'failed' and a.active_at > $1))`,
    [failedSince],
  );
  return rows.map(toMachine);
}

/** One machine of a launch of ours, running or not; null: it is none. */
export async function findVerified(id: string): Promise<VerifiedMachine | null> {
  const { rows } = await pool().query<Raw>(`select ${COLUMNS} from ${TABLES} where r.kind = 'instance' and r.id = $1`, [
    id,
  ]);
  const [row] = rows;
  return row ? toMachine(row) : null;
}

export async function saveVerification(tx: Client, id: string, verification: object, at: Date): Promise<void> {
  await tx.resource.update({
    where: { id },
    data: { verification: verification as Prisma.InputJsonObject, verifiedAt: at },
  });
}

/** Drivers that the GPUs of present machines run, the newest first. */
export async function driversInUse(): Promise<string[]> {
  const { rows } = await pool().query<{ version: string }>(
    `select distinct g.driver_version as version from gpu g join resource r on r.id = g.resource_id
     where r.gone_at is null and g.driver_version ~ '^[0-9.]+$'`,
  );
  return rows.map(({ version }) => version).sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
}

/** Names of the types that Lambda lists. */
export async function listTypeNames(): Promise<string[]> {
  const { rows } = await pool().query<{ name: string }>(
    `select name from instance_type where provider = 'lambda' order by name`,
  );
  return rows.map(({ name }) => name);
}
