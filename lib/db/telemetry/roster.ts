import { pool } from "@/lib/db/client";
import type { RosterGpu } from "@/lib/domain/telemetry/live";

/** The GPUs of the machines that are there, machine by machine, with what they belong to now and how often they are heard. */
export async function listRoster(): Promise<(RosterGpu & { intervalMs: number })[]> {
  const { rows } = await pool().query<RosterGpu & { intervalMs: number }>(
    `select g.id as "gpuId", r.id as "resourceId", coalesce(s.name, left(r.external_id, 12)) as name, g.position, g.mig, g.model, g.memory_mib as "memoryMib",
            coalesce(s.type_name, '') as type, coalesce(s.region, '') as region, coalesce(l.team, '') as team, coalesce(l.project, '') as project,
            coalesce(l.environment, '') as environment, coalesce(l.workload::text, 'unknown') as workload,
            coalesce(t.interval_ms, 10000) as "intervalMs"
     from resource r join gpu g on g.resource_id = r.id
     left join telemetry_source t on t.id = g.source_id
     left join resource_span s on s.resource_id = r.id and s.valid_to is null
     left join resource_label l on l.resource_id = r.id and l.valid_to is null
     where r.kind = 'instance' and r.gone_at is null order by name, r.id, g.position, g.mig`,
  );
  return rows;
}
