import { runsByLabel } from "@/lib/db/workload/runs";
import {
  type OpenedSeries,
  openSeries,
  type SeriesValue,
  type WantedSeries,
  writeSeries,
} from "@/lib/db/workload/series";
import type { GpuPlace, LabelledValue } from "@/lib/domain/telemetry/report";
import { judgeTime } from "@/lib/domain/telemetry/sample";
import { isCounter, type Recognised, recogniseWorkloadMetric, WORKLOAD_METRICS } from "@/lib/domain/workload/catalogue";
import { readBound } from "@/lib/domain/workload/histogram";
import { settledBefore } from "@/lib/domain/workload/hours";
import { canonicalLabels, labelProblem, runLabelOf, SERIES_LIMITS } from "@/lib/domain/workload/labels";

export type LabelledRefusal = {
  reason: "series_limit" | "malformed" | "too_old" | "future" | "out_of_range";
  count: number;
  example: string | null;
};

export type RecordedLabelled = {
  /** Values stored now. */
  accepted: number;
  /** Values of an instant that was stored before; the first one stays. */
  duplicates: number;
  /** Values under names that mean nothing here; not stored. */
  ignored: number;
  refused: LabelledRefusal[];
};

/**
 * Stores what jobs and services say of themselves: each series and instant once, what cannot be true refused and counted, names
 * that are not in the catalogue left out. A sender has so many series at most; beyond them values are refused, with the limit.
 */
export async function recordLabelled(
  source: { id: string; resourceId: string | null },
  labelled: readonly LabelledValue[],
  gpuIdOf: (place: GpuPlace) => number | null,
  receivedAt: Date,
): Promise<RecordedLabelled> {
  const refusals = new Map<LabelledRefusal["reason"], LabelledRefusal>();
  const refuse = (reason: LabelledRefusal["reason"], example: string, count = 1) => {
    const before = refusals.get(reason);
    if (before) before.count += count;
    else refusals.set(reason, { reason, count, example: example.slice(0, 200) });
  };

  let ignored = 0;
  const series = new Map<
    string,
    { wanted: Omit<WantedSeries, "runId">; runLabel: string | null; values: Map<number, number> }
  >();
  for (const given of labelled) {
    const known = recogniseWorkloadMetric(given.metric);
    if (!known) {
      ignored++;
      continue;
    }
    const value = given.value * known.scale;
    const problem = problemOf(given, known, value, receivedAt.getTime());
    if (problem) {
      refuse(problem.reason, problem.example);
      continue;
    }
    const labels = canonicalLabels({ ...given.labels, ...known.labels });
    const name = known.part === "value" ? known.metric : `${known.metric}_${known.part}`;
    const key = `${name}\n${JSON.stringify(labels)}`;
    let found = series.get(key);
    if (!found) {
      if (series.size >= SERIES_LIMITS.kept) {
        refuse("series_limit", limitWords(name, "kept"));
        continue;
      }
      found = {
        wanted: { metric: name, labels, isCounter: isCounter(known), gpuId: gpuIn(labels, gpuIdOf) },
        runLabel: runLabelOf(labels),
        values: new Map(),
      };
      series.set(key, found);
    }
    if (!found.values.has(given.at)) found.values.set(given.at, value);
  }

  const all = [...series.values()];
  const runs = await runsByLabel([...new Set(all.flatMap(({ runLabel }) => runLabel ?? []))], source);
  const opened = await openSeries(
    source,
    all.map(({ wanted, runLabel }) => ({ ...wanted, runId: (runLabel && runs.get(runLabel)) || null })),
    receivedAt,
  );
  const rows: SeriesValue[] = [];
  for (const [i, { wanted, values }] of all.entries()) {
    const seriesId = opened.ids[i] ?? null;
    if (seriesId === null) refuse("series_limit", limitWords(wanted.metric, opened.limit), values.size);
    else for (const [at, value] of values) rows.push({ seriesId, at, value });
  }
  const accepted = await writeSeries(rows, settledBefore(receivedAt));
  return { accepted, duplicates: rows.length - accepted, ignored, refused: [...refusals.values()] };
}

function problemOf(
  { metric, at, labels, value: sent }: LabelledValue,
  known: Recognised,
  value: number,
  receivedAt: number,
): { reason: LabelledRefusal["reason"]; example: string } | null {
  const broken = labelProblem(labels);
  if (broken) return { reason: broken.limit ? "series_limit" : "malformed", example: `${metric}: ${broken.message}` };
  if (!Number.isSafeInteger(at)) return { reason: "malformed", example: `${metric}: it has no readable time` };
  if (!Number.isFinite(sent)) return { reason: "malformed", example: `${metric}: ${sent} is not a number` };
  if (known.part === "bucket" && readBound(labels.le) === null)
    return { reason: "malformed", example: `${metric}: a bucket has no upper bound in its label le` };
  const { min, max } = WORKLOAD_METRICS[known.metric];
  const isWithin =
    known.part === "value" ? value >= min && value <= max : value >= 0 && value <= Number.MAX_SAFE_INTEGER;
  if (!isWithin) return { reason: "out_of_range", example: `${metric}: ${sent} cannot be` };
  const verdict = judgeTime(at, receivedAt);
  return verdict === "too_old" || verdict === "future"
    ? { reason: verdict, example: `${metric}: ${new Date(Math.max(-8.64e15, Math.min(8.64e15, at))).toISOString()}` }
    : null;
}

function limitWords(metric: string, limit: OpenedSeries["limit"]): string {
  return limit === "kept"
    ? `${metric}: this sender has ${SERIES_LIMITS.kept} series that are still kept, and may have no more; send fewer different labels`
    : `${metric}: this sender has ${SERIES_LIMITS.active} series of the last 24 h, and may have no more; send fewer different labels`;
}

/** The card that a value is about, where its labels say so as exporters do. */
function gpuIn(labels: Readonly<Record<string, string>>, gpuIdOf: (place: GpuPlace) => number | null): number | null {
  const uuid = labels.UUID ?? labels.gpu_uuid ?? labels.uuid ?? null;
  const index = labels.gpu ?? labels.gpu_index ?? null;
  if (uuid === null && (index === null || !/^\d{1,3}$/.test(index))) return null;
  return gpuIdOf({
    uuid,
    mig: "",
    busId: null,
    index: index !== null && /^\d{1,3}$/.test(index) ? Number(index) : null,
  });
}
