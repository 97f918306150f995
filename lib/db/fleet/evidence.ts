import { type Client, pool, prisma } from "@/lib/db/client";
import { HOUR_MS, hourOf } from "@/lib/db/telemetry/hours";
import { listMinutes, type MinuteRow } from "@/lib/db/telemetry/read";

/** What was last observed of machines, by machine. */
export async function findLastSpans(resourceIds: string[]) {
  const rows = await prisma.resourceSpan.findMany({
    where: { resourceId: { in: resourceIds } },
    orderBy: [{ resourceId: "asc" }, { validFrom: "desc" }],
    distinct: ["resourceId"],
  });
  return new Map(rows.map((row) => [row.resourceId, row]));
}

/** Which of these machines an alert names that fires now. */
export async function namedByFiring(resourceIds: string[]): Promise<Set<string>> {
  const rows = await prisma.alert.findMany({
    where: { resourceId: { in: resourceIds }, resolvedAt: null, firedAt: { not: null } },
    select: { resourceId: true },
  });
  return new Set(rows.flatMap(({ resourceId }) => resourceId ?? []));
}

/** An hour of a GPU as far as it is sealed: how busy it was by the fullest measure that it reports. */
type HourUse = {
  resourceId: string;
  gpuId: number;
  hour: Date;
  meanPct: number | null;
  peakPct: number | null;
  samples: number;
};

async function sealedUse(resourceIds: string[], from: Date): Promise<HourUse[]> {
  const { rows } = await pool().query<HourUse>(
    `select g.resource_id as "resourceId", g.id as "gpuId", h.hour, h.samples::int as samples,
            coalesce(greatest(h.sm_active_pct_sum / nullif(h.sm_active_pct_n, 0), h.tensor_active_pct_sum / nullif(h.tensor_active_pct_n, 0), h.dram_active_pct_sum / nullif(h.dram_active_pct_n, 0)),
                     h.utilization_pct_sum / nullif(h.utilization_pct_n, 0)) as "meanPct",
            coalesce(greatest(h.sm_active_pct_max, h.tensor_active_pct_max, h.dram_active_pct_max), h.utilization_pct_max)::float8 as "peakPct"
     from gpu g join gpu_hour h on h.gpu_id = g.id
     where g.resource_id = any ($1::uuid[]) and h.hour >= $2 and h.hour in (select hour from telemetry_hour where hour >= $2)`,
    [resourceIds, from],
  );
  return rows;
}

/** An hour, or a minute of one that is not sealed yet, of one GPU. */
export type UsePart = { at: number; lastsMs: number; meanPct: number | null; peakPct: number | null };
export type MachineUse = { minutes: MinuteRow[]; day: UsePart[]; gpus: number };

const MINUTE_MS = 60_000;

/** How busy machines were since `from`: minutes of the newest hours, and hours as far as they are sealed. */
export async function readUse(resourceIds: string[], from: Date, to: Date): Promise<Map<string, MachineUse>> {
  const sealed = await sealedUse(resourceIds, new Date(hourOf(from.getTime()) + HOUR_MS));
  const newest = Math.max(0, ...sealed.map(({ hour }) => hour.getTime() + HOUR_MS));
  // The last hour is always asked for by the minute, whatever is sealed of it.
  const openFrom = Math.max(from.getTime(), Math.min(newest || from.getTime(), to.getTime() - HOUR_MS));
  const minutes = await listMinutes(resourceIds, new Date(openFrom), to);
  const use = new Map<string, MachineUse>(resourceIds.map((id) => [id, { minutes: [], day: [], gpus: 0 }]));
  const gpus = new Map<string, Set<number>>();
  const saw = (resourceId: string, gpuId: number) => {
    const known = gpus.get(resourceId) ?? new Set();
    gpus.set(resourceId, known.add(gpuId));
  };
  for (const { resourceId, gpuId, hour, meanPct, peakPct } of sealed) {
    saw(resourceId, gpuId);
    if (hour.getTime() + HOUR_MS <= openFrom)
      use.get(resourceId)?.day.push({ at: hour.getTime(), lastsMs: HOUR_MS, meanPct, peakPct });
  }
  for (const minute of minutes) {
    saw(minute.resourceId, minute.gpuId);
    const own = use.get(minute.resourceId);
    own?.minutes.push(minute);
    own?.day.push({
      at: minute.at.getTime(),
      lastsMs: MINUTE_MS,
      meanPct: minute.meanPct,
      peakPct: minute.effectivePct,
    });
  }
  for (const [id, own] of use) own.gpus = gpus.get(id)?.size ?? 0;
  return use;
}

export type LastProcess = {
  resourceId: string;
  at: Date;
  processes: { name: string | null; usedMib: number | null; user?: string | null }[];
};

/** What was seen to run on machines last, however long ago. */
export async function lastProcesses(resourceIds: string[]): Promise<Map<string, LastProcess>> {
  const { rows } = await pool().query<LastProcess>(
    `select distinct on (g.resource_id) g.resource_id as "resourceId", p.last_seen_at as at, p.processes
     from gpu g join gpu_process_span p on p.gpu_id = g.id
     where g.resource_id = any ($1::uuid[]) and jsonb_array_length(p.processes) > 0
     order by g.resource_id, p.last_seen_at desc`,
    [resourceIds],
  );
  return new Map(rows.map((row) => [row.resourceId, row]));
}

/** Why and by whom machines were launched from here, by machine. */
export async function launchesOf(resourceIds: string[]) {
  const rows = await prisma.resource.findMany({
    where: { id: { in: resourceIds }, launchIntentId: { not: null } },
    select: { id: true, launchIntent: { select: { requestedBy: true, createdAt: true, reason: true } } },
  });
  return new Map(rows.flatMap(({ id, launchIntent }) => (launchIntent ? [[id, launchIntent] as const] : [])));
}

/** Whether a machine is protected, and what it is called. */
export async function findProtection(tx: Client, resourceId: string) {
  const row = await tx.resource.findFirst({
    where: { id: resourceId, kind: "instance" },
    select: {
      externalId: true,
      isProtected: true,
      protectReason: true,
      spans: { orderBy: { validFrom: "desc" }, take: 1, select: { name: true } },
    },
  });
  return row && { ...row, name: row.spans[0]?.name ?? row.externalId };
}

/** Writes whether automation may end a machine: a reason protects it, null lifts that; false: it was so already. */
export async function setProtection(tx: Client, resourceId: string, reason: string | null): Promise<boolean> {
  const { count } = await tx.resource.updateMany({
    where: { id: resourceId, kind: "instance", isProtected: reason === null },
    data: { isProtected: reason !== null, protectReason: reason ?? "" },
  });
  return count === 1;
}
