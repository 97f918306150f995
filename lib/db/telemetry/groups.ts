import { pool } from "@/lib/db/client";
import type { ScopeKind } from "@/lib/domain/telemetry/scope";

export type MachineGpu = { id: number; position: number; mig: string };

/** The GPUs that were ever seen in a machine, in their order. */
export async function machineGpus(resourceId: string): Promise<MachineGpu[]> {
  const { rows } = await pool().query<MachineGpu>(
    "select id, position, mig from gpu where resource_id = $1 order by position, mig",
    [resourceId],
  );
  return rows;
}

/** A label or a fact of a machine as SQL, with its label row as `l`, its span as `s` and its GPU as `g`. */
const VALUES: Record<ScopeKind, string> = {
  type: "s.type_name",
  model: "g.model",
  workload: "l.workload::text",
  team: "l.team",
  project: "l.project",
  environment: "l.environment",
};

/** The GPUs of the machines that belong to a group at an instant; of the whole fleet, all that belong to a machine. */
export async function groupGpuIds(
  scope: { kind: "fleet" } | { kind: ScopeKind; value: string },
  at: Date,
): Promise<number[]> {
  const isFleet = scope.kind === "fleet";
  const { rows } = await pool().query<{ id: number }>(
    `select g.id from gpu g join resource r on r.id = g.resource_id
     left join resource_label l on l.resource_id = r.id and l.valid_from <= $1 and (l.valid_to is null or l.valid_to > $1)
     left join resource_span s on s.resource_id = r.id and s.valid_from <= $1 and (s.valid_to is null or s.valid_to > $1)
     where ${isFleet ? "$1::timestamptz is not null" : `${VALUES[scope.kind]} = $2`} order by 1`,
    isFleet ? [at] : [at, scope.value],
  );
  return rows.map((row) => row.id);
}

/** How many hours of a window are read from sealed columns. */
export async function sealedHours(from: Date, to: Date): Promise<number> {
  const { rows } = await pool().query<{ n: number }>(
    "select count(*)::int as n from telemetry_hour where hour >= date_trunc('hour', $1::timestamptz, 'UTC') and hour < $2",
    [from, to],
  );
  return rows[0]?.n ?? 0;
}

/** When the newest sealed hour of a window ends; what is later is read from samples. */
export async function sealedUntil(from: Date, to: Date): Promise<Date> {
  const { rows } = await pool().query<{ at: Date | null }>(
    "select max(hour) + interval '1 hour' as at from telemetry_hour where hour >= $1 and hour < $2",
    [from, to],
  );
  return rows[0]?.at ?? from;
}
