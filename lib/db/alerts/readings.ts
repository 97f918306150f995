import { pool } from "@/lib/db/client";
import { columnOf, WIDE_COLUMNS } from "@/lib/db/telemetry/columns";
import type { Status } from "@/lib/domain/fleet/observe";
import type { Workload } from "@/lib/domain/fleet/workloads";
import { WIDE_METRICS, type WideMetric } from "@/lib/domain/telemetry/catalogue";

export type Machine = {
  id: string;
  name: string;
  status: Status;
  typeName: string | null;
  region: string;
  team: string;
  workload: Workload;
  isGone: boolean;
  /** Since when it has been active without a break in what was said of it; null: never active. */
  activeSince: Date | null;
  bootingSince: Date | null;
  priceMicros: bigint | null;
  /** The newest sample of any of its GPUs up to the slot, and how often its sender sends. */
  newestSampleAt: Date | null;
  intervalMs: number;
};

/** Machines that may be judged at a slot: those that are there, and gone ones that an open alert still names. */
export async function listMachines(slot: Date): Promise<Machine[]> {
  const { rows } = await pool().query<Omit<Machine, "priceMicros"> & { priceMicros: string | null }>(
    `select r.id, coalesce(s.name, r.external_id) as name, s.status::text as status, s.type_name as "typeName", s.region,
            coalesce(l.team, '') as team, coalesce(l.workload::text, 'unknown') as workload, r.gone_at is not null as "isGone",
            (select min(a.valid_from) from resource_span a where a.resource_id = r.id and a.status = 'active') as "activeSince",
            (select min(b.valid_from) from resource_span b where b.resource_id = r.id and b.status = 'booting') as "bootingSince",
            coalesce(p.micros, s.price_micros)::text as "priceMicros",
            (select max(x.at) from telemetry_source t join source_latest x on x.source_id = t.id where t.resource_id = r.id) as "newestSampleAt",
            coalesce((select max(t.interval_ms) from telemetry_source t where t.resource_id = r.id), 10000) as "intervalMs"
     from resource r
     join lateral (select * from resource_span s where s.resource_id = r.id order by s.valid_from desc limit 1) s on true
     left join resource_label l on l.resource_id = r.id and l.valid_to is null
     left join price p on p.provider = s.provider and p.sku = s.type_name and p.unit = 'instance_hour' and p.valid_to is null
     where r.kind = 'instance' and r.first_seen_at <= $1
       and (r.gone_at is null or exists (select 1 from alert a where a.resource_id = r.id and a.resolved_at is null))`,
    [slot],
  );
  return rows.map((row) => ({ ...row, priceMicros: row.priceMicros === null ? null : BigInt(row.priceMicros) }));
}

export type RecentSample = { at: number; isLate: boolean; values: Record<WideMetric, number | null> };
export type JudgedGpu = {
  id: number;
  resourceId: string;
  position: number;
  memoryMib: number | null;
  samples: RecentSample[];
};

/** The GPUs of machines with their samples of (from, slot], oldest first. */
export async function listRecentSamples(resourceIds: string[], from: Date, slot: Date): Promise<JudgedGpu[]> {
  const { rows: gpus } = await pool().query<Omit<JudgedGpu, "samples">>(
    `select id, resource_id as "resourceId", position, memory_mib as "memoryMib" from gpu where resource_id = any ($1::uuid[]) order by resource_id, position`,
    [resourceIds],
  );
  const { rows } = await pool().query<Record<string, unknown> & { gpuId: number; at: Date; quality: number | null }>(
    `select gpu_id as "gpuId", at, quality, ${WIDE_COLUMNS.join(", ")} from gpu_sample where gpu_id = any ($1) and at > $2 and at <= $3 order by at`,
    [gpus.map((gpu) => gpu.id), from, slot],
  );
  const samples = new Map<number, RecentSample[]>();
  for (const row of rows) {
    // The columns are the catalogue's own, selected above.
    const values = Object.fromEntries(WIDE_METRICS.map((m) => [m, row[columnOf(m)] as number | null])) as Record<
      WideMetric,
      number | null
    >;
    const list = samples.get(row.gpuId) ?? [];
    list.push({ at: row.at.getTime(), isLate: ((row.quality ?? 0) & 1) !== 0, values });
    samples.set(row.gpuId, list);
  }
  return gpus.map((gpu) => ({ ...gpu, samples: samples.get(gpu.id) ?? [] }));
}

/** What was spent on a day so far, by the ledger's best figures; unknown prices are left out and counted. */
export async function spentOn(day: string): Promise<{ micros: bigint; unknownRows: number }> {
  const { rows } = await pool().query<{ micros: string; unknown: number }>(
    `select coalesce(sum(micros), 0)::text as micros, count(*) filter (where micros is null)::int as unknown from ledger_row where day = $1::date`,
    [day],
  );
  return { micros: BigInt(rows[0]?.micros ?? "0"), unknownRows: rows[0]?.unknown ?? 0 };
}
