import { listLatest, listMinutes, readSeries } from "@/lib/db/telemetry/read";
import type { RunFacts } from "@/lib/db/workload/runs";
import { METRICS } from "@/lib/domain/telemetry/catalogue";
import { classifyMinutes, effectiveUtilization } from "@/lib/domain/telemetry/idle";
import { resolveRange } from "@/lib/domain/telemetry/series";
import type { RunUse } from "@/lib/domain/workload/view";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** So many GPU-days are looked at minute by minute for one answer. */
const MOST_GPU_DAYS = 40;
/** A run of 30 idle minutes may begin or end outside the window. */
const MARGIN_MS = 29 * MINUTE_MS;
const POINTS = 400;

/** The GPUs that a run holds: those that were named, or all of its instance. */
export async function gpuIdsOf(run: Pick<RunFacts, "gpuIds" | "resourceId">): Promise<number[]> {
  if (run.gpuIds.length > 0) return run.gpuIds;
  return run.resourceId === null ? [] : (await listLatest([run.resourceId])).map((gpu) => gpu.gpuId);
}

/** How a run used its GPUs: their mean utilisation, how busy they really were, and for how long they idled. */
export async function readUse(run: RunFacts, { from, to }: { from: number; to: number }): Promise<RunUse> {
  const gpuIds = await gpuIdsOf(run);
  const range = resolveRange(from, to, POINTS);
  const [utilization, activities] = await Promise.all([
    readSeries(gpuIds, "utilizationPct", range),
    Promise.all(
      (["smActivePct", "tensorActivePct", "dramActivePct"] as const).map(
        async (metric) => [metric, meanOf(await readSeries(gpuIds, metric, range))] as const,
      ),
    ),
  ]);
  const meanPct = meanOf(utilization);
  const effective = effectiveUtilization({ ...Object.fromEntries(activities), utilizationPct: meanPct });
  return {
    meanPct,
    effectivePct: effective?.pct ?? null,
    effectiveBy: effective && METRICS[effective.by].label,
    ...(await readIdle(run, gpuIds, from, to)),
  };
}

function meanOf({ mean, n }: { mean: (number | null)[]; n: number[] }): number | null {
  let sum = 0;
  let count = 0;
  for (const [i, value] of mean.entries()) {
    if (value === null) continue;
    sum += value * (n[i] ?? 0);
    count += n[i] ?? 0;
  }
  return count === 0 ? null : sum / count;
}

type Idle = Pick<RunUse, "idlePct" | "idleMinutes" | "reportedMinutes" | "idleWhy">;

/** GPU-minutes at 5 % or less in runs of half an hour, of those that were reported; what is missing is never idle. */
async function readIdle(run: RunFacts, gpuIds: readonly number[], from: number, to: number): Promise<Idle> {
  const unknown = (idleWhy: string): Idle => ({ idlePct: null, idleMinutes: null, reportedMinutes: null, idleWhy });
  if (run.resourceId === null || gpuIds.length === 0) return unknown("none of its GPUs has reported");
  if ((run.gpusOfInstance * (to - from)) / DAY_MS > MOST_GPU_DAYS)
    return unknown(`told for runs of up to ${MOST_GPU_DAYS} GPU-days`);
  const held = new Set(gpuIds);
  const minutes = await listMinutes([run.resourceId], new Date(from - MARGIN_MS), new Date(to + MARGIN_MS));
  const byGpu = new Map<
    number,
    { at: number; effectivePct: number | null; memoryUsedMib: number | null; hasProcess: boolean | null }[]
  >();
  for (const { gpuId, at, effectivePct, memoryUsedMib, hasProcess } of minutes) {
    if (!held.has(gpuId)) continue;
    const own = byGpu.get(gpuId) ?? [];
    own.push({ at: at.getTime(), effectivePct, memoryUsedMib, hasProcess });
    byGpu.set(gpuId, own);
  }
  let idleMinutes = 0;
  let reportedMinutes = 0;
  for (const own of byGpu.values())
    for (const [i, use] of classifyMinutes(own).entries()) {
      const at = own[i]?.at ?? 0;
      if (at < from - MINUTE_MS + 1 || at >= to || use === "missing") continue;
      reportedMinutes++;
      if (use !== "busy") idleMinutes++;
    }
  if (reportedMinutes === 0) return unknown("none of its GPUs has reported in that time");
  return { idlePct: (idleMinutes / reportedMinutes) * 100, idleMinutes, reportedMinutes, idleWhy: null };
}
