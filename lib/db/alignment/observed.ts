import { pool } from "@/lib/db/client";
import type { Status } from "@/lib/domain/fleet/observe";

export type MachineRecord = {
  id: string;
  externalId: string;
  name: string | null;
  status: Status;
  firstSeenAt: Date;
  typeName: string | null;
  region: string;
  workload: string | null;
  tags: Record<string, string>;
  owner: string | null;
  team: string | null;
  project: string | null;
  environment: string | null;
  costCenter: string | null;
  priceMicros: string | null;
  gpuModel: string | null;
  typeGpus: number | null;
  gpuMemoryGb: number | null;
  architecture: string | null;
  image: string | null;
  launchedAt: Date | null;
};

/** Machines that the provider lists, as it described them last; the price is that of their own row, else of the price book. */
export async function listRecords(): Promise<MachineRecord[]> {
  const { rows } = await pool().query<MachineRecord>(
    `select r.id, r.external_id as "externalId", s.name, s.status::text as status, r.first_seen_at as "firstSeenAt",
            s.type_name as "typeName", s.region, s.tags, l.workload::text as workload, l.owner, l.team, l.project, l.environment,
            l.cost_center as "costCenter",
            coalesce(s.price_micros, rate_now(r.id, s.provider, s.type_name, s.region, 'instance_hour'))::text as "priceMicros",
            t.gpu_model as "gpuModel", t.gpus as "typeGpus", t.gpu_memory_gb as "gpuMemoryGb", t.architecture,
            i.request ->> 'imageFamily' as image, i.created_at as "launchedAt"
     from resource r
     join lateral (select * from resource_span s where s.resource_id = r.id order by s.valid_from desc limit 1) s on true
     left join instance_type t on t.provider = s.provider and t.name = s.type_name
     left join resource_label l on l.resource_id = r.id and l.valid_to is null
     left join intent i on i.id = r.launch_intent_id
     where r.kind = 'instance' and r.gone_at is null
     order by r.first_seen_at, r.id`,
  );
  return rows;
}

/** What the newest agent of each machine told of it. */
export async function listHosts(): Promise<Map<string, { host: unknown; at: Date }>> {
  const { rows } = await pool().query<{ id: string; host: unknown; at: Date }>(
    `select distinct on (t.resource_id) t.resource_id as id, t.host, t.last_received_at as at
     from telemetry_source t join resource r on r.id = t.resource_id
     where t.kind = 'agent' and r.gone_at is null order by t.resource_id, t.last_received_at desc`,
  );
  return new Map(rows.map(({ id, host, at }) => [id, { host, at }]));
}
