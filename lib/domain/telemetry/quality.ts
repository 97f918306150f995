import { METRICS, WIDE_METRICS, type WideMetric } from "./catalogue";
import { decodeMissing, MISSING_LABELS, type MissingReason, QUALITY } from "./sample";

/** Why something that was sent is not a stored value, in words; `isLoss`: what was said is not kept anywhere. */
export const REFUSALS = {
  conflict: { label: "another value for an instant", isLoss: true },
  too_old: { label: "older than 48 h", isLoss: true },
  future: { label: "from the future", isLoss: true },
  malformed: { label: "not readable", isLoss: true },
  wrong_scope: { label: "not this token’s machine", isLoss: true },
  no_gpu: { label: "of a GPU without identity", isLoss: true },
  duplicate: { label: "sent again", isLoss: false },
  out_of_range: { label: "a value that cannot be true", isLoss: true },
  series_limit: { label: "beyond the number of series", isLoss: true },
} as const;

export type RefusalReason = keyof typeof REFUSALS;

/** What one sender sent in vain, counted. */
export type RefusalRow = {
  sourceId: string;
  sender: string;
  instance: { id: string; name: string } | null;
  /** Null: it belongs to no GPU. */
  gpu: { id: number; position: number } | null;
  reason: RefusalReason;
  count: number;
  lastAt: number;
  example: string | null;
};

/** Samples that a sender threw away before it could send them, since it was installed. */
export type DroppedRow = {
  sourceId: string;
  sender: string;
  instance: { id: string; name: string } | null;
  count: number;
};

export type RefusalsAnswer = {
  now: number;
  /** Counted from here on: the beginning of yesterday, UTC. */
  since: number;
  rows: RefusalRow[];
  dropped: DroppedRow[];
};

/** A metric that samples lack, and why. */
export type MissingCount = { metric: WideMetric; label: string; reason: MissingReason; words: string; count: number };

export type GpuQuality = {
  id: number;
  position: number;
  mig: string;
  samples: number;
  /** Samples that came so late that no live alert judged them. */
  late: number;
  /** Samples whose sender's clock was off. */
  skewed: number;
  missing: MissingCount[];
};

export type QualityAnswer = Omit<RefusalsAnswer, "since"> & {
  /** The window of the samples, [from, to). */
  from: number;
  to: number;
  refusedSince: number;
  /** How many samples each GPU would have sent at its sender's interval. */
  expected: number;
  gpus: GpuQuality[];
};

/** What the samples of a GPU say of themselves; both columns as stored, NaN for nothing. */
export function countQuality(
  missing: ArrayLike<number>,
  quality: ArrayLike<number>,
): Pick<GpuQuality, "samples" | "late" | "skewed" | "missing"> {
  const codes = new Map<number, number>();
  let late = 0;
  let skewed = 0;
  for (let i = 0; i < missing.length; i++) {
    const bits = quality[i] ?? Number.NaN;
    // NaN has no bits.
    if ((bits & QUALITY.late) !== 0) late++;
    if ((bits & QUALITY.skewed) !== 0) skewed++;
    const code = missing[i] ?? Number.NaN;
    if (!Number.isNaN(code)) codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  return { samples: missing.length, late, skewed, missing: countMissing(codes) };
}

function countMissing(codes: ReadonlyMap<number, number>): MissingCount[] {
  const counts = new Map<string, MissingCount>();
  for (const [code, count] of codes) {
    const reasons = decodeMissing(code);
    for (const metric of WIDE_METRICS) {
      const reason = reasons[metric];
      if (reason === undefined) continue;
      const key = `${metric} ${reason}`;
      const found = counts.get(key);
      if (found) found.count += count;
      else counts.set(key, { metric, label: METRICS[metric].label, reason, words: MISSING_LABELS[reason], count });
    }
  }
  return [...counts.values()].sort(
    (a, b) => WIDE_METRICS.indexOf(a.metric) - WIDE_METRICS.indexOf(b.metric) || b.count - a.count,
  );
}
