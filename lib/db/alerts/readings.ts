import { pool } from "@/lib/db/client";
import { factsOf, type GpuFacts } from "@/lib/domain/alerts/gpu-values";
import type { Status } from "@/lib/domain/fleet/observe";
import type { Workload } from "@/lib/domain/fleet/workloads";
import { modelOf } from "@/lib/domain/telemetry/models";

export type Machine = {
  id: string;
  name: string;
  status: Status;
  typeName: string | null;
  region: string;
  team: string;
  project: string;
  environment: string;
  workload: Workload;
  /** The provider's tags, as key=value. */
  tags: string[];
  isGone: boolean;
  /** Since when it has been active without a break in what was said of it; null: never active. */
  activeSince: Date | null;
  bootingSince: Date | null;
  priceMicros: bigint | null;
  /** The newest sample of any of its GPUs up to the slot, and how often its sender sends. */
  newestSampleAt: Date | null;
  intervalMs: number;
  /** GPUs that its type has; null: not known. */
  gpusOfType: number | null;
  /** How far the clock of the worst of its senders is off. */
  clockSkewMs: number | null;
  /** What nvidia-smi says instead of rows. */
  senderError: string | null;
  /** Since when it is idle, and how, as of the last measure. */
  idleSince: Date | null;
  idleKind: "empty" | "held" | null;
  /** Until when somebody said that it may run; null: nobody did. */
  leaseUntil: Date | null;
  /** How its checks after the boot stand; null: not ours, or not active yet. */
  verification: string | null;
  /** When it was listed again after it was gone; null: it never was. */
  returnedAt: Date | null;
};

/** Machines that may be judged at a slot: those that are there, and gone ones that an open alert still names. */
export async function listMachines(slot: Date): Promise<Machine[]> {
  const { rows } = await pool().query<Omit<Machine, "priceMicros"> & { priceMicros: string | null }>(
    `select r.id, coalesce(s.name, r.external_id) as name, s.status::text as status, s.type_name as "typeName", s.region,
            coalesce(l.team, '') as team, coalesce(l.project, '') as project, coalesce(l.environment, '') as environment,
            coalesce(l.workload::text, 'unknown') as workload, r.gone_at is not null as "isGone",
            array(select k || '=' || v from jsonb_each_text(s.tags) e (k, v)) as tags, ty.gpus as "gpusOfType",
            r.idle_since as "idleSince", r.idle_kind::text as "idleKind", r.lease_until as "leaseUntil",
            r.verification ->> 'state' as verification, r.returned_at as "returnedAt",
            (select t.clock_skew_ms from telemetry_source t where t.resource_id = r.id and t.dismissed_at is null order by abs(t.clock_skew_ms) desc nulls last limit 1) as "clockSkewMs",
            (select t.last_error from telemetry_source t where t.resource_id = r.id and t.dismissed_at is null and t.last_error is not null limit 1) as "senderError",
            (select min(a.valid_from) from resource_span a where a.resource_id = r.id and a.status = 'active') as "activeSince",
            (select min(b.valid_from) from resource_span b where b.resource_id = r.id and b.status = 'booting') as "bootingSince",
            coalesce(p.micros, s.price_micros)::text as "priceMicros",
            (select max(x.at) from telemetry_source t join source_latest x on x.source_id = t.id where t.resource_id = r.id) as "newestSampleAt",
            coalesce((select max(t.interval_ms) from telemetry_source t where t.resource_id = r.id), 10000) as "intervalMs"
     from resource r
     join lateral (select * from resource_span s where s.resource_id = r.id order by s.valid_from desc limit 1) s on true
     left join instance_type ty on ty.provider = s.provider and ty.name = s.type_name
     left join resource_label l on l.resource_id = r.id and l.valid_to is null
     left join lateral (select rate_now(r.id, s.provider, s.type_name, s.region, 'instance_hour') as micros) p on true
     where r.kind = 'instance' and r.first_seen_at <= $1
       and (r.gone_at is null or exists (select 1 from alert a where a.resource_id = r.id and a.resolved_at is null))`,
    [slot],
  );
  return rows.map((row) => ({ ...row, priceMicros: row.priceMicros === null ? null : BigInt(row.priceMicros) }));
}

export type JudgedGpu = {
  id: number;
  uuid: string;
  mig: string;
  resourceId: string;
  position: number;
  model: string;
  facts: GpuFacts;
};

/** The GPUs of the machines that are there, and of gone ones that an open alert still names. */
export async function listGpus(): Promise<JudgedGpu[]> {
  const { rows } = await pool().query<
    Omit<JudgedGpu, "facts"> & {
      memoryMib: number | null;
      powerLimitW: number | null;
      slowdownTemperatureC: number | null;
      remappedRows: unknown;
    }
  >(
    `select g.id, g.uuid, g.mig, g.resource_id as "resourceId", g.position, g.model, g.memory_mib as "memoryMib", g.power_limit_w as "powerLimitW",
            g.attrs -> 'slowdownTemperatureC' as "slowdownTemperatureC", nullif(g.attrs -> 'remappedRows', 'null') as "remappedRows"
     from gpu g join resource r on r.id = g.resource_id
     where r.gone_at is null or exists (select 1 from alert a where a.resource_id = r.id and a.resolved_at is null)
     order by g.resource_id, g.position, g.id`,
  );
  return rows.map(({ memoryMib, powerLimitW, slowdownTemperatureC, remappedRows, ...gpu }) => ({
    ...gpu,
    facts: factsOf({
      memoryMib,
      powerLimitW,
      slowdownTemperatureC: slowdownTemperatureC ?? modelOf(gpu.model)?.slowdownTemperatureC,
      remappedRows,
    }),
  }));
}

/** What was spent on a day so far, by the ledger's best figures; unknown prices are left out and counted. */
export async function spentOn(day: string): Promise<{ micros: bigint; unknownRows: number }> {
  const { rows } = await pool().query<{ micros: string; unknown: number }>(
    `select coalesce(sum(micros), 0)::text as micros, count(*) filter (where micros is null)::int as unknown from ledger_row where day = $1::date`,
    [day],
  );
  return { micros: BigInt(rows[0]?.micros ?? "0"), unknownRows: rows[0]?.unknown ?? 0 };
}

/** What idle minutes of a day have cost so far, by machine. */
export async function idleMicrosOn(day: string): Promise<Map<string, bigint>> {
  const { rows } = await pool().query<{ resourceId: string; micros: string }>(
    `select resource_id as "resourceId", (idle_empty_micros + idle_held_micros)::text as micros from usage_day where day = $1::date`,
    [day],
  );
  return new Map(rows.map(({ resourceId, micros }) => [resourceId, BigInt(micros)]));
}
