import { listInstances } from "@/lib/db/fleet/read";
import { readSetting } from "@/lib/db/settings";
import {
  listLatest,
  readSeries as readColumns,
  readFleetDistribution,
  readMachineMeans,
} from "@/lib/db/telemetry/read";
import { authorize, type Ctx } from "@/lib/domain/access";
import { dayOf } from "@/lib/domain/cost/zone";
import { windowOf } from "@/lib/domain/fleet/window";
import { METRICS, type Metric } from "@/lib/domain/telemetry/catalogue";
import { percentile } from "@/lib/domain/telemetry/distribution";
import { resolveRange } from "@/lib/domain/telemetry/series";
import type {
  FleetSeriesAnswer,
  FleetSeriesQuestion,
  InstanceSeriesQuestion,
  SeriesAnswer,
} from "@/lib/domain/telemetry/view";

const MOST_POINTS = 400;

/** A metric of one machine over a window: mean, lowest and highest per step, gaps as null. */
export async function readInstanceSeries(ctx: Ctx, question: InstanceSeriesQuestion): Promise<SeriesAnswer> {
  authorize(ctx, "fleet:read");
  const metric = question.metric as Metric;
  const { from, to } = windowOf(question, ctx.now.getTime());
  const range = resolveRange(from, to, MOST_POINTS);
  const gpus = await listLatest([question.instanceId]);
  const all = await readColumns(
    gpus.map((gpu) => gpu.gpuId),
    metric,
    range,
  );
  const single =
    gpus.length > 1
      ? await Promise.all(
          gpus.map(async (gpu) => ({
            id: gpu.gpuId,
            position: gpu.position,
            mean: rounded((await readColumns([gpu.gpuId], metric, range)).mean, metric),
          })),
        )
      : [];
  return {
    metric,
    ...range,
    at: all.at,
    all: { mean: rounded(all.mean, metric), min: rounded(all.min, metric), max: rounded(all.max, metric) },
    gpus: single,
  };
}

const LINES_AT_MOST = 7;
const FINEST_FLEET_STEP_MS = 300_000;

/** A metric over the fleet: exact mean and 95th percentile of all GPUs' samples, and a line for each of the dearest machines. */
export async function readFleetSeries(ctx: Ctx, question: FleetSeriesQuestion): Promise<FleetSeriesAnswer> {
  authorize(ctx, "fleet:read");
  const { metric } = question;
  const { from, to } = windowOf(question, ctx.now.getTime());
  const points = Math.min(MOST_POINTS, Math.max(12, Math.floor((to - from) / FINEST_FLEET_STEP_MS)));
  const range = resolveRange(from, to, points + 1);
  const { zone } = await readSetting("accounting");
  const machines = (await listInstances(dayOf(ctx.now.getTime(), zone), { goneSince: new Date(from) })).filter(
    (one) => one.activeSince !== null,
  );
  const shown = machines.filter((one) => one.goneAt === null).slice(0, LINES_AT_MOST);
  const [distributions, means] = await Promise.all([
    readFleetDistribution(metric, range),
    readMachineMeans(
      shown.map((one) => one.id),
      metric,
      range,
    ),
  ]);
  const spec = METRICS[metric].distribution;
  return {
    metric,
    ...range,
    at: distributions.map((_, i) => range.from + i * range.stepMs),
    mean: rounded(
      distributions.map((dist) => (dist ? dist.sum / dist.n : null)),
      metric,
    ),
    min: rounded(
      distributions.map((dist) => dist?.min ?? null),
      metric,
    ),
    p95: rounded(
      distributions.map((dist) => (dist && spec ? percentile(dist.bins, spec, 95) : null)),
      metric,
    ),
    lines: shown.map((one) => ({
      id: one.id,
      name: one.name ?? one.externalId.slice(0, 12),
      mean: rounded(means.get(one.id) ?? distributions.map(() => null), metric),
    })),
    hidden: Math.max(0, machines.filter((one) => one.goneAt === null).length - LINES_AT_MOST),
  };
}

/** Fifteen decimals travel badly; one more than people are shown is enough. */
function rounded(values: (number | null)[], metric: Metric): (number | null)[] {
  const scale = 10 ** (METRICS[metric].decimals + 1);
  return values.map((value) => (value === null ? null : Math.round(value * scale) / scale));
}
