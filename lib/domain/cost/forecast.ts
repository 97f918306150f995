import { decimalText, squareRoot } from "./decimal";
import { type Micros, roundHalfAway, sum } from "./money";

const HOUR_MS = 3_600_000n;
const DAY_MS = 24n * HOUR_MS;

/** When something is planned to end (null: not), and the hours outside which it does not run (absent: it runs on). */
export type Plan = { plannedEnd: number | null; within?: readonly { from: number; to: number }[] };

export type ForecastInput = {
  at: number;
  monthEnd: number;
  /** The ledger of the month up to `at`. */
  monthToDateMicros: Micros;
  /** What runs now: its price per hour, and as long as it is planned to. */
  running: readonly (Plan & { microsPerHour: Micros })[];
  /** What storage costs now, per hour. */
  storageMicrosPerHour: Micros;
  /** Mean cost per day of what started and ended within the last 28 days. */
  churnMicrosPerDay: Micros;
  /** Forecast minus actual of the closed days, at most the last 28; null where there is no history yet. */
  dailyResidualMicros: readonly Micros[];
  /** Mean cost of those days. */
  dailyMeanMicros: Micros;
};

export type Forecast = { baseMicros: Micros; lowMicros: Micros; highMicros: Micros };

/** Month end from the state of the fleet, with a band that holds 80 % of outcomes (cost reference, Algorithms). */
export function monthEndForecast(input: ForecastInput): Forecast {
  const { at, monthEnd, monthToDateMicros } = input;
  const restMs = BigInt(Math.max(0, monthEnd - at));
  const running = input.running.map((one) => one.microsPerHour * BigInt(plannedMs(one, at, monthEnd)));
  const hourly = sum(running) + input.storageMicrosPerHour * restMs;
  const baseMicros =
    monthToDateMicros + roundHalfAway(hourly, HOUR_MS) + roundHalfAway(input.churnMicrosPerDay * restMs, DAY_MS);
  const band = bandMicros(input.dailyResidualMicros, input.dailyMeanMicros, restMs);
  return { baseMicros, lowMicros: baseMicros - band, highMicros: baseMicros + band };
}

/** How long it runs of [from, to). */
function plannedMs({ plannedEnd, within }: Plan, from: number, to: number): number {
  const until = plannedEnd === null ? to : Math.min(plannedEnd, to);
  const hours = within ?? [{ from, to: until }];
  return hours.reduce((all, one) => all + Math.max(0, Math.min(one.to, until) - Math.max(one.from, from)), 0);
}

/** What is added from `at` to the first of these instants, from there to the next, and so on: the parts end exactly at the forecast of the last. */
export function forecastParts(input: ForecastInput, ends: readonly number[]): Forecast[] {
  let reached = input.monthToDateMicros;
  let from = input.at;
  return ends.map((end) => {
    const base = monthEndForecast({ ...input, monthEnd: end }).baseMicros;
    const baseMicros = base - reached;
    const band = bandMicros(input.dailyResidualMicros, input.dailyMeanMicros, BigInt(Math.max(0, end - from)));
    reached = base;
    from = end;
    return { baseMicros, lowMicros: baseMicros - band, highMicros: baseMicros + band };
  });
}

/** 1.28 s √days: s is the standard deviation of the daily residuals, at least 2 % of the daily mean. */
function bandMicros(residuals: readonly Micros[], dailyMean: Micros, restMs: bigint): Micros {
  const n = BigInt(residuals.length);
  const total = sum(residuals);
  const squares = sum(residuals.map((one) => one * one));
  const variance = n < 2n ? 0n : (n * squares - total * total) / (n * (n - 1n));
  const floor = roundHalfAway(dailyMean * 2n, 100n);
  const s2 = variance > floor * floor ? variance : floor * floor;
  return squareRoot((s2 * 128n * 128n * restMs) / (10_000n * DAY_MS));
}

/** The naive forecast to measure the other by: so far, and the rest at the mean of the last seven days. */
export function runRateForecast(monthToDateMicros: Micros, dailyMeanMicros: Micros, restMs: number): Micros {
  return monthToDateMicros + roundHalfAway(dailyMeanMicros * BigInt(Math.max(0, restMs)), DAY_MS);
}

export type Accuracy = {
  /** Per cent to four digits; null where nothing was spent. */
  mapePct: string | null;
  wmapePct: string | null;
  /** Positive: forecast too high. */
  biasPct: string | null;
};

/** How good forecasts were. Pairs are in the same order; a day without cost counts in the weighted measures only. */
export function forecastAccuracy(actual: readonly Micros[], forecast: readonly Micros[]): Accuracy {
  const pairs = actual.map((a, i) => ({ a, error: (forecast[i] ?? 0n) - a }));
  const total = sum(actual);
  const scale = 10n ** 18n;
  const shares = pairs.filter(({ a }) => a > 0n).map(({ a, error }) => roundHalfAway(size(error) * scale, a));
  const percent = (numerator: bigint) => (total > 0n ? decimalText(100n * numerator, total, 4) : null);
  return {
    mapePct: shares.length === 0 ? null : decimalText(100n * sum(shares), scale * BigInt(shares.length), 4),
    wmapePct: percent(sum(pairs.map(({ error }) => size(error)))),
    biasPct: percent(sum(pairs.map(({ error }) => error))),
  };
}

function size(value: bigint): bigint {
  return value < 0n ? -value : value;
}
