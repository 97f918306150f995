import { pool, prisma } from "@/lib/db/client";
import { type ColumnRoom, readColumns } from "@/lib/db/telemetry/hours";
import { factsOf, type GpuFacts, type JudgedColumn } from "@/lib/domain/alerts/gpu-values";
import { type HistoryTrack, historyTrack } from "@/lib/domain/alerts/history";
import type { Workload } from "@/lib/domain/fleet/workloads";
import { modelOf } from "@/lib/domain/telemetry/models";

/** A GPU that was there within a stretch of the past, with what its machine is called and labelled now, or was last. */
export type PastGpu = {
  id: number;
  uuid: string;
  position: number;
  model: string;
  facts: GpuFacts;
  resourceId: string;
  machine: string;
  gpusOfMachine: number;
  typeName: string | null;
  region: string;
  team: string;
  project: string;
  environment: string;
  workload: Workload;
  tags: string[];
  seenFrom: number;
  goneAt: number | null;
  intervalMs: number;
  /** Of the whole machine. */
  priceMicros: bigint | null;
};

export async function listPastGpus(from: Date, to: Date): Promise<PastGpu[]> {
  type Raw = Omit<PastGpu, "facts" | "seenFrom" | "goneAt" | "priceMicros"> & {
    memoryMib: number | null;
    powerLimitW: number | null;
    slowdownTemperatureC: number | null;
    seenFrom: Date;
    goneAt: Date | null;
    priceMicros: string | null;
  };
  const { rows } = await pool().query<Raw>(
    `select g.id, g.uuid, g.position, g.model, g.memory_mib as "memoryMib", g.power_limit_w as "powerLimitW",
            g.attrs -> 'slowdownTemperatureC' as "slowdownTemperatureC", g.resource_id as "resourceId",
            coalesce(s.name, r.external_id) as machine, (count(*) over (partition by g.resource_id))::int as "gpusOfMachine",
            s.type_name as "typeName", s.region, coalesce(l.team, '') as team, coalesce(l.project, '') as project,
            coalesce(l.environment, '') as environment, coalesce(l.workload::text, 'unknown') as workload,
            array(select k || '=' || v from jsonb_each_text(s.tags) e (k, v)) as tags,
            greatest(g.first_seen_at, r.first_seen_at) as "seenFrom", r.gone_at as "goneAt",
            coalesce((select max(t.interval_ms) from telemetry_source t where t.resource_id = r.id), 10000) as "intervalMs",
            coalesce(rate_now(r.id, s.provider, s.type_name, s.region, 'instance_hour'), s.price_micros)::text as "priceMicros"
     from gpu g join resource r on r.id = g.resource_id
     join lateral (select * from resource_span s where s.resource_id = r.id order by s.valid_from desc limit 1) s on true
     left join lateral (select * from resource_label l where l.resource_id = r.id order by l.valid_from desc limit 1) l on true
     where r.kind = 'instance' and r.first_seen_at < $2 and (r.gone_at is null or r.gone_at > $1)
     order by g.resource_id, g.position, g.id`,
    [from, to],
  );
  return rows.map(({ memoryMib, powerLimitW, slowdownTemperatureC, seenFrom, goneAt, priceMicros, ...gpu }) => ({
    ...gpu,
    facts: factsOf({
      memoryMib,
      powerLimitW,
      slowdownTemperatureC: slowdownTemperatureC ?? modelOf(gpu.model)?.slowdownTemperatureC,
      remappedRows: null,
    }),
    seenFrom: seenFrom.getTime(),
    goneAt: goneAt?.getTime() ?? null,
    priceMicros: priceMicros === null ? null : BigInt(priceMicros),
  }));
}

/** A metric of some GPUs over [from, to) as it may be judged, good until the room is cleared; GPUs without samples are left out. */
export async function readHistory(
  gpus: readonly PastGpu[],
  columns: readonly JudgedColumn[],
  { metric, fallbackC }: { metric: string; fallbackC: number },
  from: number,
  to: number,
  room: ColumnRoom,
): Promise<Map<number, HistoryTrack>> {
  const found = await readColumns(
    gpus.map(({ id }) => id),
    [...columns, "quality"],
    from,
    to,
    room,
  );
  const take = (size: number) => room.take(size);
  return new Map(
    gpus.flatMap((gpu) => {
      const own = found.get(gpu.id);
      if (!own) return [];
      const named = Object.fromEntries([...columns, "quality" as const].map((column, i) => [column, own.columns[i]]));
      return [[gpu.id, historyTrack(metric, fallbackC, gpu.facts, own.at, withoutUndefined(named), take)] as const];
    }),
  );
}

function withoutUndefined(columns: Record<string, Float64Array | undefined>): Record<string, Float64Array> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([name, values]) => (values === undefined ? [] : [[name, values]])),
  );
}

export type PastAlert = {
  id: string;
  ruleName: string;
  targetName: string;
  resourceId: string;
  gpuId: number | null;
  activeAt: Date;
  firedAt: Date;
  resolvedAt: Date | null;
};

const PAST_ALERTS = `select a.id, r.name as "ruleName", a.target_name as "targetName", a.resource_id as "resourceId", a.gpu_id as "gpuId",
    a.active_at as "activeAt", a.fired_at as "firedAt", a.resolved_at as "resolvedAt"
  from alert a join alert_rule r on r.id = a.rule_id where a.fired_at is not null and a.resource_id is not null`;

/** Alerts about machines that fired since an instant, the newest first. */
export async function listPastAlerts(since: Date, limit: number): Promise<PastAlert[]> {
  const { rows } = await pool().query<PastAlert>(
    `${PAST_ALERTS} and a.fired_at >= $1 order by a.fired_at desc limit $2`,
    [since, limit],
  );
  return rows;
}

export async function findPastAlert(id: string): Promise<PastAlert | null> {
  const { rows } = await pool().query<PastAlert>(`${PAST_ALERTS} and a.id = $1::uuid`, [id]);
  return rows[0] ?? null;
}

export type FiringSpan = { ruleId: string; firedAt: number; resolvedAt: number | null };

/** When episodes fired that were not over at an instant; of one rule, or of all. */
export async function listFiringSpans(since: Date, ruleId?: string): Promise<FiringSpan[]> {
  const rows = await prisma.alert.findMany({
    where: {
      ...(ruleId !== undefined && { ruleId }),
      firedAt: { not: null },
      OR: [{ resolvedAt: null }, { resolvedAt: { gt: since } }],
    },
    select: { ruleId: true, firedAt: true, resolvedAt: true },
    orderBy: { firedAt: "desc" },
    take: 20_000,
  });
  return rows.flatMap(({ ruleId: id, firedAt, resolvedAt }) =>
    firedAt === null ? [] : [{ ruleId: id, firedAt: firedAt.getTime(), resolvedAt: resolvedAt?.getTime() ?? null }],
  );
}
