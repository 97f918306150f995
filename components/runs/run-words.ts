import { formatCount, formatNumber, formatPercent, formatUsd, NBSP, NONE } from "@/lib/domain/format";
import { formatDuration } from "@/lib/domain/format-time";
import type { RunMoney, RunPlace, RunRow } from "@/lib/domain/workload/view";

/** Which part of its instance a run holds: "all 8 GPUs", "GPU 3", "GPUs 0, 1". */
export function gpuWords({ gpuPositions, gpusOfInstance }: RunPlace): string {
  if (gpuPositions.length === 0)
    return gpusOfInstance === 1 ? formatCount(1, "GPU") : `all ${formatCount(gpusOfInstance, "GPU")}`;
  return `${gpuPositions.length === 1 ? "GPU" : "GPUs"} ${gpuPositions.join(", ")} of ${gpusOfInstance}`;
}

/** How it stands to the hours it was planned to take; null: nobody said. */
export function planWords({ expectedMs, overMs, leftMs, isOverdue, state }: RunRow): string | null {
  if (expectedMs === null) return null;
  const of = `of ${formatDuration(expectedMs)}`;
  if (isOverdue) return `${of}, ${formatDuration(overMs)} over`;
  if (state === "running") return `${of}, ${formatDuration(leftMs)} left`;
  return overMs !== null && overMs > 0 ? `${of}, ${formatDuration(overMs)} longer` : of;
}

/** The bounds of a cost, where they lie apart. */
export function boundWords({ lowMicros, highMicros }: RunMoney): string | null {
  return lowMicros === highMicros ? null : `${formatUsd(lowMicros)} to ${formatUsd(highMicros)}`;
}

/** Below a dollar a unit price needs more digits than money has elsewhere: `$0.0131`, `$0.00042`. */
export function unitUsd(micros: string): string {
  const value = Number(micros);
  if (value === 0 || value >= 1_000_000) return formatUsd(micros);
  return `$${(value / 1_000_000)
    .toFixed(6)
    .replace(/^(0\.0*\d{3})\d*$/, "$1")
    .replace(/(\.\d\d\d*?)0+$/, "$1")}`;
}

/** Why the cost of a run is not known, or is more than is said; null: it is known. */
export function costGap({ unpricedMinutes, unknownMinutes }: RunMoney): string | null {
  const gaps = [
    unknownMinutes > 0 &&
      `${formatDuration(unknownMinutes * 60_000)} of it lie before the ledger of its instance begins`,
    unpricedMinutes > 0 && `${formatDuration(unpricedMinutes * 60_000)} of it have no known price`,
  ].filter((gap) => gap !== false);
  return gaps.length === 0 ? null : gaps.join("; ");
}

/** `384 ms`, `1.42 s`. */
export function latencyText(ms: number | null | undefined, isAtLeast = false): string {
  if (ms == null) return NONE;
  const least = isAtLeast ? "≥ " : "";
  return ms < 1_000
    ? `${least}${formatNumber(ms, ms < 10 ? 1 : 0)}${NBSP}ms`
    : `${least}${formatNumber(ms / 1_000, 2)}${NBSP}s`;
}

/** `1,240 /s`, `0.42 /s`. */
export function perSecondText(value: number | null | undefined): string {
  if (value == null) return NONE;
  return `${formatNumber(value, value < 1 ? 2 : value < 100 ? 1 : 0)}${NBSP}/s`;
}

/** `8.4 M`, `120 k`, `999`. */
export function bigCount(value: number | null | undefined): string {
  if (value == null) return NONE;
  for (const [size, letter] of [
    [1e12, "T"],
    [1e9, "G"],
    [1e6, "M"],
  ] as const)
    if (value >= size) return `${formatNumber(value / size, value / size < 10 ? 2 : 1)}${NBSP}${letter}`;
  return formatNumber(Math.round(value));
}

/** A share of success: one more digit where it is nearly all. */
export function successText(ratio: number | null): string {
  if (ratio === null) return NONE;
  return ratio >= 0.95 && ratio < 1
    ? `${formatNumber(Math.min(99.99, ratio * 100), 2)}${NBSP}%`
    : formatPercent(ratio * 100);
}
