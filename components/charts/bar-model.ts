import { formatDay, wallTime } from "@/lib/domain/format-time";
import { axisLabel, formatValue } from "./reading";
import { valueTicks } from "./scale";
import type { Frame, Slot, Tick, TimeTick, Unit } from "./types";

export type BarPart = { id: string; label: string; slot: Exclude<Slot, "text"> };

/** One bar. Amounts are shown as they come: whoever splits a total into cents does it so that they add up. */
export type BarInput = {
  from: number;
  to: number;
  /** Its name in the readout and under the plot, where it is not a day. */
  label?: string;
  tick?: string;
  /** One per part, in the order of `parts`; null where it is not known. What is less than nothing is written, not drawn. */
  amounts: readonly (number | null)[];
  /** Nothing can be known of it yet: empty, and no hole in what is known. */
  isToCome?: boolean;
  /** What the whole bar is expected to reach, with its band. For a past bar, nothing. */
  expected?: { amount: number; low: number; high: number };
};

export type BarChartInput = {
  unit: Unit;
  timeZone: string;
  parts: readonly BarPart[];
  bars: readonly BarInput[];
  sub?: string;
  /** What the bars are of, for the head of the readout: "UTC day". */
  each: string;
};

export type BarRow = {
  at: number;
  label: string;
  /** By part, in stacking order from the bottom; what is not known stands at 0 and is marked by `isUnknown`. */
  amounts: number[];
  texts: string[];
  total: string;
  isUnknown: boolean;
  /** Shares of the plot: measured top, expected top, and the band of the forecast. */
  top: number;
  expected: { top: number; low: number; high: number; text: string } | null;
};

export type BarModel = {
  unit: Unit;
  sub: string | null;
  each: string;
  parts: { id: string; label: string; color: string }[];
  rows: BarRow[];
  frame: Frame;
  hasForecast: boolean;
  isEmpty: boolean;
};

const READOUT_PX = 178;
const MOST_LABELS = 8;

/** Every decision of a chart of stacked bars. The largest part lies at the bottom, slot 8 (unallocated) on top. */
export function barModel(input: BarChartInput): BarModel {
  const sumOf = (part: number) => input.bars.reduce((sum, bar) => sum + (bar.amounts[part] ?? 0), 0);
  const order = input.parts
    .map((part, index) => ({ part, index, sum: sumOf(index) }))
    .sort((a, b) => Number(a.part.slot === 8) - Number(b.part.slot === 8) || b.sum - a.sum || a.index - b.index);

  const totals = input.bars.map((bar) => bar.amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0));
  const drawn = input.bars.map((bar) => bar.amounts.reduce<number>((sum, amount) => sum + Math.max(0, amount ?? 0), 0));
  const highest = Math.max(0, ...drawn, ...input.bars.map((bar) => bar.expected?.high ?? 0));
  const values = valueTicks(0, highest || 1, input.unit, 5);
  const top = values.at(-1) ?? 1;
  const share = (value: number) => Math.min(1, Math.max(0, value / top));

  const rows = input.bars.map((bar, row) => {
    const isUnknown = bar.amounts.some((amount) => amount === null) && !bar.expected && !bar.isToCome;
    const total = totals[row] ?? 0;
    return {
      at: bar.from,
      label: bar.label ?? `${weekday(bar.from, input.timeZone)} ${formatDay(bar.from, input.timeZone)}`,
      amounts: order.map(({ index }) => Math.max(0, bar.amounts[index] ?? 0)),
      texts: order.map(({ index }) => formatValue(input.unit, bar.amounts[index] ?? null)),
      total: isUnknown && total === 0 ? formatValue(input.unit, null) : formatValue(input.unit, total),
      isUnknown,
      top: share(drawn[row] ?? 0),
      expected: bar.expected
        ? {
            top: share(bar.expected.amount),
            low: share(bar.expected.low),
            high: share(bar.expected.high),
            text: formatValue(input.unit, bar.expected.amount),
          }
        : null,
    };
  });

  return {
    unit: input.unit,
    sub: input.sub ?? null,
    each: input.each,
    parts: order.map(({ part }) => ({ id: part.id, label: part.label, color: `var(--chart-${part.slot})` })),
    rows,
    frame: {
      y: {
        min: 0,
        max: top,
        ticks: values.map((value): Tick => ({ share: share(value), label: axisLabel(input.unit, value, values) })),
      },
      x: barLabels(input),
      limits: [],
      spans: [],
      gaps: rows.flatMap((row, index) =>
        row.isUnknown
          ? [{ left: index / rows.length, width: 1 / rows.length, label: null, ms: 0, labelAt: "bottom" as const }]
          : [],
      ),
      pools: [],
      nothingBehind: null,
      happenings: [],
      marks: [],
      ends: [],
      gutterPx: 44,
      endsPx: READOUT_PX,
    },
    hasForecast: input.bars.some((bar) => bar.expected !== undefined),
    isEmpty: input.bars.every((bar) => bar.amounts.every((amount) => amount === null)),
  };
}

/** Every n-th bar has its day under it, from the first on. */
function barLabels(input: BarChartInput): TimeTick[] {
  const every = Math.max(1, Math.ceil(input.bars.length / MOST_LABELS));
  return input.bars.flatMap((bar, index) =>
    index % every === 0
      ? [
          {
            share: (index + 0.5) / input.bars.length,
            label: bar.tick ?? formatDay(bar.from, input.timeZone),
            align: "middle" as const,
          },
        ]
      : [],
  );
}

function weekday(at: number, timeZone: string): string {
  return ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][wallTime(at, timeZone).weekday] ?? "";
}

/** The bars in one sentence. */
export function summariseBars(title: string, model: BarModel): string {
  if (model.isEmpty) return `${title}: nothing was measured`;
  const known = model.rows.filter((row) => !row.isUnknown && row.amounts.some((amount) => amount > 0));
  const first = known[0];
  const last = known.at(-1);
  const highest = known.toSorted((a, b) => b.top - a.top)[0];
  if (!first || !last || !highest) return `${title}: ${formatValue(model.unit, 0)} throughout`;
  const unknown = model.rows.filter((row) => row.isUnknown).length;
  return [
    `${title}, ${first.label} to ${last.label}: highest ${highest.total} on ${highest.label}, last ${last.total}`,
    ...(unknown > 0 ? [`${unknown} not known`] : []),
    ...(model.hasForecast ? ["the rest is a forecast"] : []),
  ].join("; ");
}
