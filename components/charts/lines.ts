import { cell, clamp, known } from "./columns";
import { silentAfter } from "./gaps";
import { formatEnd } from "./reading";
import type { ChartInput, ChartLine, End, Series, Slot } from "./types";

const MOST_LINES = 8;

/**
 * At most eight, beside a mean or total, which takes no colour. Where there are more, a mean or total stands for them all beside the lines with a firing alert;
 * without one, the highest are drawn.
 */
export function chooseLines(series: readonly Series[]): Series[] {
  const totals = series.filter((one) => one.slot === "text");
  if (series.length - totals.length <= MOST_LINES) return [...series];
  const strong = series.filter((one) => one.slot !== "text" && one.weight === "strong");
  const rest = series.filter((one) => one.slot !== "text" && one.weight !== "strong");
  const byPeak = (list: Series[]) => list.toSorted((a, b) => peak(b) - peak(a) || (a.id < b.id ? -1 : 1));
  const ranked = [...totals, ...byPeak(strong), ...(totals.length > 0 ? [] : byPeak(rest))];
  const kept = new Set(ranked.slice(0, MOST_LINES));
  return series.filter((one) => kept.has(one));
}

function peak(series: Series): number {
  return Math.max(Number.NEGATIVE_INFINITY, ...known(series.max ?? series.mean));
}

export function colorOf(slot: Slot): string {
  return slot === "text" ? "var(--text)" : `var(--chart-${slot})`;
}

export function lineOf(series: Series, isSeveral: boolean, isOnlyMeasured: boolean, isStale: boolean): ChartLine {
  const kind = series.kind ?? "measured";
  const weight = series.weight ?? "normal";
  const isTotal = series.slot === "text";
  const width = isTotal ? (isSeveral ? 2.25 : 2) : { normal: 1.5, strong: 1.75, quiet: 1 }[weight];
  return {
    id: series.id,
    label: series.label,
    color: isStale ? "var(--unknown-mark)" : kind === "compared" ? "var(--text-3)" : colorOf(series.slot),
    width: kind === "compared" ? 1.25 : width,
    opacity: weight === "quiet" ? 0.5 : 1,
    dash: kind === "declared" ? "4 3" : kind === "compared" ? "2 3" : null,
    isStepped: series.isStepped ?? false,
    hasRange: series.min !== undefined && series.max !== undefined,
    // A total's shade lies under many lines, a forecast's under its own thin one.
    rangeOpacity: isTotal ? 0.1 : kind === "declared" ? 0.2 : 0.16,
    hasArea: (series.hasArea ?? false) && isOnlyMeasured,
    isTotal,
  };
}

export function endOf(series: Series, input: ChartInput, share: (value: number) => number): End {
  const last = series.mean.findLastIndex((value) => value !== null);
  const value = cell(series.mean, last);
  const age = input.to - ((input.at[last] ?? input.from) + input.stepMs);
  const isMissing = value === null || ((series.kind ?? "measured") === "measured" && age > silentAfter(input));
  return {
    id: series.id,
    label: series.label,
    text: isMissing || value === null ? "no data" : formatEnd(input.unit, value),
    color: series.kind === "compared" ? "var(--text-3)" : colorOf(series.slot),
    isTotal: series.slot === "text",
    isMissing,
    share: value === null ? 0 : share(value),
  };
}

/** Wide enough for the longest label and value at 11 px, within bounds. */
export function endsWidth(ends: readonly End[]): number {
  if (ends.length === 0) return 0;
  const longest = (pick: (end: End) => string) => Math.max(...ends.map((end) => pick(end).length));
  return Math.round(clamp((24 + 6.2 * (longest((end) => end.label) + longest((end) => end.text)) + 12) / 176) * 176);
}
