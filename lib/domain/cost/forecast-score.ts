import { decimalText } from "./decimal";
import { forecastAccuracy } from "./forecast";
import type { Micros } from "./money";

/** A forecast of a month as it was written down on a day, beside what the month came to. */
export type KeptForecast = {
  madeOn: string;
  baseMicros: Micros;
  lowMicros: Micros;
  highMicros: Micros;
  naiveMicros: Micros;
};

export type ForecastScore = {
  scope: string;
  /** Days on which it was forecast. */
  count: number;
  /** Σ|forecast − actual| ÷ Σ actual, per cent to two digits; null where nothing was spent. */
  wmapePct: string | null;
  /** Positive: forecast too high. */
  biasPct: string | null;
  /** Share of the days on which the month lay in the band of that day, which is meant for 80 %. */
  coveragePct: string | null;
  /** 100 − 100 × wMAPE ÷ wMAPE of the run rate: how much better than going on as in the last week; null: that one was exact. */
  skillPct: string | null;
  /** By how much the first forecast of the month was off, with its sign. */
  firstPct: string | null;
};

/** How good the forecasts of a month were, all days together, against the month as it came. */
export function forecastScore(scope: string, kept: readonly KeptForecast[], actualMicros: Micros): ForecastScore {
  const actual = kept.map(() => actualMicros);
  const own = forecastAccuracy(
    actual,
    kept.map((one) => one.baseMicros),
  );
  const naive = forecastAccuracy(
    actual,
    kept.map((one) => one.naiveMicros),
  );
  const [first] = [...kept].sort((a, b) => (a.madeOn < b.madeOn ? -1 : 1));
  const inside = kept.filter((one) => one.lowMicros <= actualMicros && actualMicros <= one.highMicros).length;
  const percent = (numerator: bigint, denominator: bigint) =>
    denominator > 0n ? decimalText(100n * numerator, denominator, 2) : null;
  const errors = (of: (one: KeptForecast) => Micros) =>
    kept.reduce((total, one) => total + size(of(one) - actualMicros), 0n);
  const naiveErrors = errors((one) => one.naiveMicros);
  return {
    scope,
    count: kept.length,
    wmapePct: twoDigits(own.wmapePct),
    biasPct: twoDigits(own.biasPct),
    coveragePct: percent(BigInt(inside), BigInt(kept.length)),
    skillPct: naive.wmapePct === null ? null : percent(naiveErrors - errors((one) => one.baseMicros), naiveErrors),
    firstPct: first ? percent(first.baseMicros - actualMicros, actualMicros) : null,
  };
}

function twoDigits(percent: string | null): string | null {
  return percent === null ? null : decimalText(BigInt(percent.replace(".", "")), 10_000n, 2);
}

function size(value: bigint): bigint {
  return value < 0n ? -value : value;
}
