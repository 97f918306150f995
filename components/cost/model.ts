import { type BarModel, barModel } from "@/components/charts/bar-model";
import { chartModel } from "@/components/charts/model";
import type { ChartModel } from "@/components/charts/types";
import { displayLines, MICROS_PER_CENT } from "@/lib/domain/cost/money";
import { sharesOf } from "@/lib/domain/cost/stack";
import type { CostAnswer } from "@/lib/domain/cost/view";
import { formatUsdWhole } from "@/lib/domain/format";
import { zoneName } from "@/lib/domain/format-time";
import { monthName } from "./words";

const LONG_READOUT_PX = 224;
const DAY_MS = 24 * 3_600_000;

/** Amounts in whole cents, as micro-dollars, that add up to the cents of their sum. */
export function inCents(micros: readonly bigint[]): bigint[] {
  const { lineCents } = displayLines(Object.fromEntries(micros.map((one, index) => [index, one])));
  return micros.map((_, index) => (lineCents[index] ?? 0n) * MICROS_PER_CENT);
}

/** The days of the month as bars, each split so that its parts add up to what stands under them. */
export function spendModel(data: CostAnswer): BarModel {
  const model = barModel({
    unit: "usdMicros",
    timeZone: data.zone,
    parts: data.parts.map(({ key, label, slot }) => ({ id: key === null ? "left over" : `key ${key}`, label, slot })),
    bars: data.days.map((day) => ({
      from: day.from,
      to: day.to,
      amounts: day.micros.length > 0 ? knownInCents(day.micros) : data.parts.map(() => null),
      ...(day.expected && {
        expected: {
          amount: Number(day.expected.micros),
          low: Number(day.expected.lowMicros),
          high: Number(day.expected.highMicros),
        },
      }),
    })),
    each: `${zoneName(data.to - 1, data.zone)} day`,
  });
  // Names of types and machines are longer than those of teams.
  const longest = Math.max(0, ...data.parts.map(({ label }) => label.length));
  return { ...model, frame: { ...model.frame, endsPx: longest > 11 ? LONG_READOUT_PX : model.frame.endsPx } };
}

export function knownInCents(amounts: readonly (string | null)[]): (number | null)[] {
  const cents = inCents(amounts.map((micros) => BigInt(micros ?? "0")));
  return amounts.map((micros, index) => (micros === null ? null : Number(cents[index])));
}

/** What the month has cost up to each instant, where it goes, and how the one before went. */
export function runningModel(data: CostAnswer): ChartModel {
  const start = data.days[0]?.from ?? data.from;
  const end = data.days.at(-1)?.to ?? data.to;
  const points = reached(data);
  const before = data.compared?.beforeCumulative.map((micros) => (micros === null ? null : Number(micros))) ?? [];
  const forecast = data.forecast;
  return chartModel({
    unit: "usdMicros",
    timeZone: data.zone,
    from: start,
    to: end,
    stepMs: DAY_MS,
    at: points.map((point) => point.at),
    series: [
      { id: "spent", label: "spent", slot: 1, mean: points.map((point) => point.spent), hasArea: true, hasEnd: false },
      ...(forecast
        ? [
            {
              id: "forecast",
              label: "forecast",
              slot: 1 as const,
              kind: "declared" as const,
              mean: points.map((point) => point.expected),
              min: points.map((point) => point.low),
              max: points.map((point) => point.high),
              hasEnd: false,
            },
          ]
        : []),
      ...(data.compared
        ? [
            {
              id: "before",
              label: monthName(data.compared.before.fromDay.slice(0, 7), false),
              slot: "text" as const,
              kind: "compared" as const,
              mean: points.map(({ day }) => beforeAt(before, day)),
              weight: "quiet" as const,
              hasEnd: false,
            },
          ]
        : []),
    ],
    limits: data.budget
      ? [{ value: Number(data.budget.micros), label: `Budget ${formatUsdWhole(data.budget.micros)}`, tone: "warn" }]
      : [],
    // Between the days of a month that nobody looked at there is nothing to break.
    silentAfterMs: 40 * DAY_MS,
  });
}

/** What the month before had cost after so many days, within a day in proportion to it; null before anybody looked. */
function beforeAt(before: readonly (number | null)[], days: number): number | null {
  const reachedAt = (day: number) => (day === 0 ? (before[0] == null ? null : 0) : (before[day - 1] ?? null));
  const whole = Math.floor(days);
  const start = reachedAt(whole);
  const end = whole === days ? start : reachedAt(whole + 1);
  return start === null || end === null ? null : start + (end - start) * (days - whole);
}

type Point = {
  at: number;
  /** Days up to here. */
  day: number;
  spent: number | null;
  expected: number | null;
  low: number | null;
  high: number | null;
};

/** The ends of the days, and now. */
function reached(data: CostAnswer): Point[] {
  const nothing = { expected: null, low: null, high: null };
  const first = data.days[0];
  const points: Point[] = [];
  const total = Number(data.total.micros);
  let spent = 0;
  let expected = total;
  let isKnown = false;
  if (first) points.push({ at: first.from, day: 0, spent: first.micros.length > 0 ? 0 : null, ...nothing });
  for (const [index, day] of data.days.entries()) {
    spent += sumOf(day.micros);
    isKnown ||= day.micros.length > 0;
    const isToday = data.isCurrent && day.from <= data.now && data.now < day.to;
    if (isToday) {
      const part = (data.now - day.from) / (day.to - day.from);
      points.push({ at: data.now, day: index + part, spent: total, expected: total, low: total, high: total });
    }
    if (!data.isCurrent || day.to <= data.now)
      points.push({ at: day.to, day: index + 1, spent: isKnown ? spent : null, ...nothing });
    else if (day.expected) {
      // Today's part of what is expected is what is not spent yet.
      expected += Number(day.expected.micros) - (isToday ? sumOf(day.micros) : 0);
      points.push({ at: day.to, day: index + 1, spent: null, expected, ...bandAt(data, day.to, expected) });
    }
  }
  return points;
}

function sumOf(micros: readonly (string | null)[]): number {
  return micros.reduce((sum, one) => sum + Number(one ?? "0"), 0);
}

/** The band of the month's end, narrower before it: it grows with the root of the days. */
function bandAt({ forecast, now, days }: CostAnswer, at: number, expected: number): { low: number; high: number } {
  const end = days.at(-1)?.to ?? at;
  if (!forecast || end <= now) return { low: expected, high: expected };
  const growth = Math.sqrt((at - now) / (end - now));
  const half = (Number(forecast.highMicros) - Number(forecast.micros)) * growth;
  return { low: expected - half, high: expected + half };
}

export type Line<T> = { row: T; micros: bigint; idleMicros: bigint; sharePct: number | null };

/** Rows as they are printed: cents and tenths of a per cent that add up to the totals below them. */
export function printed<T extends { micros: string; idleMicros: string; unknownRows: number }>(
  rows: readonly T[],
): Line<T>[] {
  const amounts = rows.map((row) => BigInt(row.micros));
  const cents = inCents(amounts);
  const idle = inCents(rows.map((row) => BigInt(row.idleMicros)));
  const shares = sharesOf(amounts);
  return rows.map((row, index) => {
    // Of what is not known at all there is no share either.
    const share = amounts[index] === 0n && row.unknownRows > 0 ? null : (shares[index] ?? null);
    return {
      row,
      micros: cents[index] ?? 0n,
      idleMicros: idle[index] ?? 0n,
      sharePct: share === null ? null : share / 10,
    };
  });
}
