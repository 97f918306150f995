import { listAlerts } from "@/lib/db/alerts/episodes";
import { sumDays } from "@/lib/db/cost/read";
import { listIdle } from "@/lib/db/cost/usage";
import { readSetting } from "@/lib/db/settings";
import { readFleetDistribution } from "@/lib/db/telemetry/read";
import { authorize, type Ctx } from "@/lib/domain/access";
import { dayOf } from "@/lib/domain/cost/zone";
import type { OverviewAnswer } from "@/lib/domain/overview";
import { METRICS } from "@/lib/domain/telemetry/catalogue";
import { percentile } from "@/lib/domain/telemetry/distribution";
import { resolveRange } from "@/lib/domain/telemetry/series";
import { alertRow } from "./alerts/read";
import { readOutlook } from "./cost/read";
import { readFleet } from "./fleet/read";

const DAY_MS = 24 * 3_600_000;

/** The one screen: what runs, how busy, what it costs, what fires. */
export async function readOverview(ctx: Ctx): Promise<OverviewAnswer> {
  authorize(ctx, "fleet:read");
  const { zone } = await readSetting("accounting");
  const day = dayOf(ctx.now.getTime(), zone);
  const range = resolveRange(ctx.now.getTime() - DAY_MS, ctx.now.getTime(), 25);
  const [fleet, idle, today, outlook, alerts, hours] = await Promise.all([
    readFleet(ctx),
    listIdle(day),
    sumDays({ from: day, to: day, month: null }),
    readOutlook(ctx, zone),
    listAlerts(ctx.now, 100),
    readFleetDistribution("utilizationPct", range),
  ]);
  const live = fleet.rows.filter((row) => row.isBilled && row.telemetry.state === "reporting");
  const spec = METRICS.utilizationPct.distribution;
  const newest = hours.findLast((dist) => dist !== null);
  const all = hours.filter((dist) => dist !== null);
  const n = all.reduce((sum, dist) => sum + dist.n, 0);
  const gpusMean = weightedMean(live.map((row) => ({ value: row.utilizationPct, weight: row.gpus })));
  const withMemory = live.filter((row) => row.memoryUsedMib !== null && row.memoryTotalMib !== null);
  const sum = (values: (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0);
  return {
    now: ctx.now.getTime(),
    fleet,
    zone,
    day,
    utilization: {
      nowPct: gpusMean,
      p95Pct: newest && spec ? percentile(newest.bins, spec, 95) : null,
      dayMeanPct: n === 0 ? null : all.reduce((total, dist) => total + dist.sum, 0) / n,
    },
    memory: {
      usedMib: withMemory.length === 0 ? null : sum(withMemory.map((row) => row.memoryUsedMib)),
      totalMib: withMemory.length === 0 ? null : sum(withMemory.map((row) => row.memoryTotalMib)),
      instances: withMemory.length,
    },
    reporting: {
      reporting: sum(
        fleet.rows.filter((row) => row.isBilled && row.telemetry.state === "reporting").map((row) => row.gpus),
      ),
      silent: sum(
        fleet.rows
          .filter((row) => row.isBilled && (row.telemetry.state === "silent" || row.telemetry.state === "failing"))
          .map((row) => row.gpus),
      ),
      never: sum(fleet.rows.filter((row) => row.isBilled && row.telemetry.state === "never").map((row) => row.gpus)),
    },
    today: { micros: today.micros.toString(), unknownRows: today.unknownRows },
    idle: idle.map((row) => ({
      id: row.resourceId,
      name: row.name,
      minutes: row.emptyMinutes + row.heldMinutes,
      micros: (row.emptyMicros + row.heldMicros).toString(),
      kind: row.heldMinutes > row.emptyMinutes ? "held" : "empty",
    })),
    idleMicros: idle.reduce((total, row) => total + row.emptyMicros + row.heldMicros, 0n).toString(),
    outlook,
    alerts: alerts.map((alert) => alertRow(alert, ctx.now.getTime())),
  };
}

function weightedMean(rows: { value: number | null; weight: number }[]): number | null {
  const known = rows.flatMap(({ value, weight }) => (value === null ? [] : [{ value, weight: Math.max(1, weight) }]));
  const weight = known.reduce((total, row) => total + row.weight, 0);
  return weight === 0 ? null : known.reduce((total, row) => total + row.value * row.weight, 0) / weight;
}
