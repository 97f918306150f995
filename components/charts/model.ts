import { formatDuration } from "@/lib/domain/format-time";
import { cell, clamp, known } from "./columns";
import { findGaps, gapWords } from "./gaps";
import { chooseLines, colorOf, endOf, endsWidth, lineOf } from "./lines";
import { axisLabel } from "./reading";
import { displayScale, timeTicks, valueTicks } from "./scale";
import type { ChartInput, ChartModel, Series, Span, Stretch, Unit } from "./types";

/** Every decision of a chart of time, so that drawing it needs no further thought. */
export function chartModel(input: ChartInput): ChartModel {
  const drawn = chooseLines(input.series);
  const measured = drawn.filter((series) => (series.kind ?? "measured") === "measured");
  const subject = drawn.length === 1 ? drawn[0] : undefined;
  const isSeveral = drawn.length > 1;

  const rows = input.at.map((at, row) => ({
    at,
    values: drawn.map((series) => cell(series.mean, row)),
    ranges: drawn.map((series) => {
      const [low, high] = [cell(series.min, row), cell(series.max, row)];
      return low === null || high === null ? null : ([low, high] satisfies [number, number]);
    }),
    samples: drawn.map((series) => cell(series.samples, row)),
  }));
  const isEmpty = !drawn.some((series) => series.mean.some((value) => value !== null));

  const y = valueAxis(input, drawn);
  const share = (value: number) => clamp((value - y.min) / (y.max - y.min));
  const left = (at: number) => clamp((at - input.from) / (input.to - input.from));
  const stretch = (from: number, to: number, label: string | null): Stretch => ({
    left: left(from),
    width: left(to) - left(from),
    label,
  });

  const limits = (input.limits ?? []).map((limit) => ({
    share: share(limit.value),
    label: limit.label,
    tone: limit.tone,
    isDashed: limit.isDashed ?? false,
    side: flagSide(limit.value, y, drawn),
  }));
  const gaps = subject ? findGaps(input, subject.mean) : [];
  const ends = drawn
    .filter((series) => series.hasEnd ?? isSeveral)
    .map((series) => endOf(series, input, share))
    .sort((a, b) => b.share - a.share);
  const capacity = input.pools && input.whole !== undefined ? input.whole : Number.POSITIVE_INFINITY;
  const declared = Math.max(0, ...(input.pools ?? []).map((pool) => pool.to));

  return {
    unit: input.unit,
    timeZone: input.timeZone,
    from: input.from,
    to: input.to,
    stepMs: input.stepMs,
    sub: input.sub ?? null,
    rows,
    lines: drawn.map((series) => lineOf(series, isSeveral, measured.length === 1, input.staleSince != null)),
    hiddenLines: input.series.length - drawn.length,
    y: {
      min: y.min,
      max: y.max,
      ticks: y.ticks.map((value) => ({ share: share(value), label: axisLabel(input.unit, value, y.ticks) })),
    },
    x: timeTicks(input.from, input.to, input.timeZone),
    limits,
    spans: (input.spans ?? [])
      .filter((span) => span.to > input.from && span.from < input.to)
      .map((span) => ({ ...stretch(span.from, span.to, spanWords(span)), kind: span.kind })),
    gaps: gaps.map((gap) => {
      const words = gapWords(gap, input, subject?.mean ?? [], share);
      return {
        ...stretch(gap.from, gap.to, words?.text ?? null),
        ms: gap.to - gap.from,
        labelAt: words?.at ?? "bottom",
      };
    }),
    pools: (input.pools ?? []).map((pool) => ({
      id: pool.id,
      label: pool.label,
      verdict: pool.verdict,
      color: colorOf(pool.slot),
      bottom: share(pool.from),
      top: share(pool.to),
    })),
    nothingBehind: declared > capacity ? { bottom: share(capacity), top: share(declared) } : null,
    happenings: [...new Map((input.happenings ?? []).map((happening) => [happening.at, happening])).values()]
      .filter(({ at }) => at >= input.from && at < input.to)
      .map(({ at, tone }) => ({ left: left(at), tone })),
    marks: (input.marks ?? []).map((mark) => ({
      left: left(mark.at),
      share: share(mark.value),
      tone: mark.tone,
      label: mark.label ?? null,
    })),
    ends,
    subject: subject ? 0 : null,
    whole: input.whole ?? null,
    gutterPx: input.unit === "usdMicros" || input.unit === "usdMicrosPerHour" ? 44 : 40,
    endsPx: endsWidth(ends),
    staleSince: input.staleSince ?? null,
    isEmpty,
  };
}

type ValueAxis = { min: number; max: number; ticks: number[] };

/** Percentages run 0 to 100; money, counts, memory and power start at 0; heat and clocks may start higher. */
function valueAxis(input: ChartInput, drawn: readonly Series[]): ValueAxis {
  const intervals = input.isSubject ? (input.unit === "mib" ? 6 : 5) : 4;
  if (input.unit === "percent") {
    const ticks = valueTicks(0, 100, "percent", input.isSubject ? 4 : 2);
    return { min: 0, max: 100, ticks };
  }
  const values = [
    ...drawn.flatMap((series) => [...known(series.mean), ...known(series.min), ...known(series.max)]),
    ...(input.limits ?? []).map((limit) => limit.value),
    ...(input.pools ?? []).map((pool) => pool.to),
    ...(input.marks ?? []).map((mark) => mark.value),
    ...(input.pools && input.whole !== undefined ? [input.whole] : []),
  ];
  const high = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const low = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  if (!Number.isFinite(high)) return axis(valueTicks(0, displayScale[input.unit], input.unit, intervals));
  const floats = startsAnywhere(input.unit);
  return axis(valueTicks(floats ? low : Math.min(0, low), floats ? high : Math.max(high, 0), input.unit, intervals));
}

function startsAnywhere(unit: Unit): boolean {
  return unit === "celsius" || unit === "megahertz";
}

function axis(ticks: number[]): ValueAxis {
  return { min: ticks[0] ?? 0, max: ticks.at(-1) ?? 1, ticks };
}

/** The side of the plot where no line runs close to the limit, so that its words cover nothing; right if both are free. */
function flagSide(value: number, y: ValueAxis, drawn: readonly Series[]): "left" | "right" {
  const isCrowded = (pick: (length: number) => [number, number]) =>
    drawn.some((series) =>
      known(series.mean.slice(...pick(series.mean.length))).some(
        (near) => Math.abs(near - value) < (y.max - y.min) * 0.1,
      ),
    );
  const isRightCrowded = isCrowded((length) => [Math.floor(length * 0.7), length]);
  const isLeftCrowded = isCrowded((length) => [0, Math.ceil(length * 0.3)]);
  return isRightCrowded && !isLeftCrowded ? "left" : "right";
}

function spanWords(span: Span): string | null {
  if (span.label !== undefined) return span.label;
  return span.kind === "pending" || span.kind === "firing"
    ? `${span.kind} ${formatDuration(span.to - span.from)}`
    : null;
}
