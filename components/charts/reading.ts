/** How the numbers of a chart read: on the axis, in the header, in the tooltip, in a sentence and in a table. */

import {
  formatCelsius,
  formatGib,
  formatMegahertz,
  formatNumber,
  formatPercent,
  formatUsd,
  formatUsdRate,
  formatUsdShort,
  formatWatts,
  NBSP,
  NONE,
  splitUnit,
} from "@/lib/domain/format";
import { formatClock, formatDay, formatDuration, formatInstant, zoneName } from "@/lib/domain/format-time";
import { displayScale } from "./scale";
import type { ChartModel, Unit } from "./types";

const DAY = 86_400_000;

/** A value in the unit, as people read it; null is a dash. */
export function formatValue(unit: Unit, value: number | null): string {
  if (value === null) return NONE;
  switch (unit) {
    case "percent":
      return formatPercent(value);
    case "mib":
      return formatGib(value);
    case "watts":
      return formatWatts(value);
    case "celsius":
      return formatCelsius(value);
    case "megahertz":
      return formatMegahertz(value);
    case "usdMicros":
      return formatUsd(BigInt(Math.round(value)));
    case "usdMicrosPerHour":
      return formatUsdRate(BigInt(Math.round(value)));
    case "count":
      return formatNumber(value, Number.isInteger(value) ? 0 : 1);
  }
}

/** For the labels at the right edge, where money is short. */
export function formatEnd(unit: Unit, value: number): string {
  return unit === "usdMicros" ? formatUsdShort(BigInt(Math.round(value))) : formatValue(unit, value);
}

/** The unit, where it is too long to stand at every label of the axis; the header says it once. */
export function unitInHeader(unit: Unit): string | null {
  return unit === "mib" ? "GiB" : unit === "megahertz" ? "MHz" : null;
}

/** One label of the value axis; `ticks` are all of them, so that one axis is written one way. */
export function axisLabel(unit: Unit, value: number, ticks: readonly number[]): string {
  const shown = value / displayScale[unit];
  const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0)) / displayScale[unit];
  const digits = step < 0.1 ? 2 : step < 1 ? 1 : 0;
  if (unit === "usdMicros" || unit === "usdMicrosPerHour") {
    const micros = BigInt(Math.round(value));
    const isLarge = (ticks.at(-1) ?? 0) / displayScale[unit] >= 10_000;
    const text =
      step < 1
        ? formatUsd(micros)
        : isLarge && value > 0
          ? `$${formatNumber(shown / 1000, shown % 1000 === 0 ? 0 : 1)}k`
          : formatUsdShort(micros);
    return unit === "usdMicros" ? text : `${text}/h`;
  }
  const number = formatNumber(shown, digits);
  const suffix = { percent: "%", watts: "W", celsius: "°C", mib: null, megahertz: null, count: null }[unit];
  return suffix === null ? number : `${number}${NBSP}${suffix}`;
}

/** What stands in the header: value and grey unit, with its share of the whole where there is one. */
export function readout(model: ChartModel, value: number | null): { value: string; unit: string | null } {
  const parts = splitUnit(formatValue(model.unit, value));
  if (value === null || model.whole === null) return parts;
  if (model.unit === "watts") return { value: parts.value, unit: `W of ${formatWatts(model.whole)}` };
  return { value: parts.value, unit: `${parts.unit ?? ""}, ${formatShare(value, model.whole)}`.replace(/^, /, "") };
}

/** A share of capacity is evidence: one decimal wherever it is not whole. */
export function formatShare(value: number, whole: number): string {
  return `${formatNumber((value / whole) * 100, 1)}${NBSP}%`;
}

/** The newest value of a line that still counts as current; null where it has gone silent or never spoke. */
export function latestOf(model: ChartModel, line: number): number | null {
  return (
    model.rows.findLast((row) => row.values[line] !== null && row.values[line] !== undefined)?.values[line] ?? null
  );
}

export type TooltipRow = { label: string; text: string; color: string | null; isMissing: boolean };

/** The rows of the one tooltip: several lines by value from the top down, or one line with everything known about it. */
export function tooltipRows(model: ChartModel, index: number): TooltipRow[] {
  const row = model.rows[index];
  if (!row) return [];
  if (model.subject !== null && model.lines.length === 1) {
    const line = model.lines[model.subject];
    const value = row.values[model.subject] ?? null;
    const range = row.ranges[model.subject] ?? null;
    const samples = row.samples[model.subject] ?? null;
    if (!line || value === null)
      return [{ label: line?.label ?? "", text: "no data", color: line?.color ?? null, isMissing: true }];
    const detail = (label: string, text: string) => ({ label, text, color: null, isMissing: false });
    return [
      { label: line.label, text: formatValue(model.unit, value), color: line.color, isMissing: false },
      ...(range ? [detail("Min to max", formatRange(model.unit, range))] : []),
      ...(model.whole === null ? [] : [detail("Of capacity", formatShare(value, model.whole))]),
      ...(samples === null ? [] : [detail("Mean of", `${samples} samples, ${formatDuration(model.stepMs)}`)]),
    ];
  }
  return model.lines
    .map((line, position) => ({ line, value: row.values[position] ?? null, isPast: line.dash !== null }))
    .filter(({ value, isPast }) => value !== null || !isPast)
    .sort((a, b) => (b.value ?? Number.NEGATIVE_INFINITY) - (a.value ?? Number.NEGATIVE_INFINITY))
    .map(({ line, value }) => ({
      label: line.label,
      text: value === null ? "no data" : formatValue(model.unit, value),
      color: line.color,
      isMissing: value === null,
    }));
}

/** `89.9 to 90.6 GiB`: the unit once. */
export function formatRange(unit: Unit, [low, high]: readonly [number, number]): string {
  const from = splitUnit(formatValue(unit, low));
  const to = formatValue(unit, high);
  return `${from.unit !== null && splitUnit(to).unit === from.unit ? from.value : formatValue(unit, low)} to ${to}`;
}

/** Full instant with its zone, as the tooltip's head. */
export function tooltipHead(model: ChartModel, at: number): string {
  return formatInstant(at, { timeZone: model.timeZone, seconds: model.stepMs < 3_600_000 });
}

/** The black flag on the time axis. */
export function flagText(model: ChartModel, at: number): string {
  return model.stepMs >= DAY ? formatDay(at, model.timeZone) : formatClock(at, model.timeZone, model.stepMs < 60_000);
}

/** The chart in one sentence, for those who do not see it. */
export function summarise(title: string, model: ChartModel): string {
  const isLong = model.to - model.from > DAY;
  const moment = (at: number) =>
    isLong ? `${formatDay(at, model.timeZone)} ${formatClock(at, model.timeZone)}` : formatClock(at, model.timeZone);
  const window = `${moment(model.from)} to ${moment(model.to)} ${zoneName(model.to, model.timeZone)}`;
  if (model.isEmpty) return `${title}, ${window}: nothing was measured`;

  const clauses = model.lines.map((line, index) => {
    const known = model.rows.filter((row) => typeof row.values[index] === "number");
    const values = known.map((row) => row.values[index] ?? 0);
    if (values.length === 0) return `${line.label}: no data`;
    const last = known.at(-1);
    const isSilent = model.ends.some((end) => end.id === line.id && end.isMissing) || endsInGap(model);
    const now = isSilent
      ? `no data since ${moment(last?.at ?? model.from)}`
      : `${formatValue(model.unit, values.at(-1) ?? null)} at the end`;
    if (model.lines.length > 3) return `${line.label} ${now}`;
    const range = formatRange(model.unit, [Math.min(...values), Math.max(...values)]);
    return `${line.label} ${now}, between ${range.replace(" to ", " and ")}`;
  });
  if (model.hiddenLines > 0) clauses.push(`${model.hiddenLines} more not drawn`);
  for (const limit of model.limits) clauses.push(limit.label);
  for (const pool of model.pools) clauses.push([pool.label, pool.verdict].filter(Boolean).join(", "));
  for (const span of model.spans) if (span.label) clauses.push(span.label);
  const gapMs = model.gaps.reduce((sum, gap) => sum + gap.ms, 0);
  if (gapMs > 0) clauses.push(`no data for ${formatDuration(gapMs)}`);
  return `${title}, ${window}: ${clauses.join("; ")}`;
}

function endsInGap(model: ChartModel): boolean {
  const gap = model.gaps.at(-1);
  return gap !== undefined && gap.left + gap.width > 0.999;
}

export type ChartTable = { heads: string[]; rows: { at: number; cells: string[] }[] };

/** The same columns as the drawing, newest first: time, then each line's mean and, where drawn, its lowest and highest. */
export function tableOf(model: ChartModel): ChartTable {
  const heads = model.lines.flatMap((line) => (line.hasRange ? [line.label, "Min", "Max"] : [line.label]));
  const rows = model.rows.toReversed().map((row) => ({
    at: row.at,
    cells: model.lines.flatMap((line, index) => {
      const mean = formatValue(model.unit, row.values[index] ?? null);
      const range = row.ranges[index];
      if (!line.hasRange) return [mean];
      return [mean, formatValue(model.unit, range?.[0] ?? null), formatValue(model.unit, range?.[1] ?? null)];
    }),
  }));
  return { heads: [`Time, ${zoneName(model.to, model.timeZone)}`, ...heads], rows };
}
