import { z } from "zod";
import { budgetCrossing, budgetShare, thresholdMicros } from "./budget";
import { type Calculators, calculator, cents, decimal, instant, micros, ratio, weights } from "./case-inputs";
import { centsAtRate } from "./decimal";
import { forecastAccuracy, monthEndForecast, runRateForecast } from "./forecast";
import { centsOf, displayLines, splitByLargestRemainder, sum } from "./money";
import { effectiveRate, idleCost } from "./usage";

const DAY_MS = 86_400_000;

/** Lines of a list are tied in their order: as text, line 10 must not come before line 2. */
function lineKey(index: number): string {
  return String(index).padStart(9, "0");
}

const shown: Calculators = {
  split: calculator(z.object({ amount_micro_usd: micros, weights }), (given) => ({
    micro_usd: splitByLargestRemainder(given.amount_micro_usd, given.weights),
  })),
  "split.cents": calculator(z.object({ tax_cents: micros, weights_micro_usd: weights }), (given) => {
    const parts = splitByLargestRemainder(given.tax_cents, given.weights_micro_usd);
    return { cents: parts, sum_cents: sum(Object.values(parts)) };
  }),
  "display.currency": calculator(z.looseObject({ usd_micro: micros }), (given) =>
    Object.fromEntries(
      Object.entries(given).flatMap(([key, rate]) => {
        const currency = /^rate_([a-z]{3})_per_usd$/.exec(key)?.[1];
        return currency === undefined ? [] : [[`${currency}_cents`, centsAtRate(given.usd_micro, String(rate))]];
      }),
    ),
  ),
  "display.lines": calculator(z.object({ lines_micro_usd: z.array(micros) }), (given) => {
    const lines = Object.fromEntries(given.lines_micro_usd.map((line, i) => [lineKey(i), line]));
    const { lineCents, totalCents } = displayLines(lines);
    const byIndex = Object.entries(lineCents).map(([key, amount]) => [Number(key), amount]);
    return { line_cents: Object.fromEntries(byIndex), total_cents: totalCents };
  }),
  "display.cents": calculator(z.object({ micro_usd: z.array(micros) }), (given) => ({
    cents: given.micro_usd.map(centsOf),
  })),
  "idle.busy-hours": calculator(
    z.object({ cost_micro_usd: micros, gpu_hours: decimal, busy_gpu_hours: decimal }),
    (given) => ({
      idle_cost_micro_usd: idleCost(given.cost_micro_usd, ratio(given.busy_gpu_hours, given.gpu_hours)),
      effective_micro_usd_per_busy_gpu_hour: effectiveRate(given.cost_micro_usd, given.busy_gpu_hours),
    }),
  ),
  "idle.utilisation-weighted": calculator(
    z.object({ cost_micro_usd: micros, gpu_hours: decimal, avg_utilisation_pct: decimal }),
    ({ cost_micro_usd, gpu_hours, avg_utilisation_pct: pct }) => ({
      effective_micro_usd_per_utilised_gpu_hour: effectiveRate(cost_micro_usd, {
        numerator: gpu_hours.numerator * pct.numerator,
        denominator: gpu_hours.denominator * pct.denominator * 100n,
      }),
    }),
  ),
};

const outlook: Calculators = {
  "forecast.run-rate": calculator(
    z.object({
      mtd_micro_usd: micros,
      trailing_7_day_average_micro_usd: micros,
      remaining_days: z.number().nonnegative(),
    }),
    (given) => {
      const restMs = given.remaining_days * DAY_MS;
      return {
        forecast_micro_usd: runRateForecast(given.mtd_micro_usd, given.trailing_7_day_average_micro_usd, restMs),
      };
    },
  ),
  "forecast.state": calculator(
    z.object({
      as_of: instant,
      month_end: instant,
      mtd_micro_usd: micros,
      running: z.array(z.object({ cents, until: instant.nullable() })),
    }),
    (given) => {
      const { baseMicros } = monthEndForecast({
        at: given.as_of,
        monthEnd: given.month_end,
        monthToDateMicros: given.mtd_micro_usd,
        running: given.running.map((one) => ({ microsPerHour: one.cents, plannedEnd: one.until })),
        storageMicrosPerHour: 0n,
        churnMicrosPerDay: 0n,
        dailyResidualMicros: [],
        dailyMeanMicros: 0n,
      });
      return { forecast_micro_usd: baseMicros };
    },
  ),
  "forecast.accuracy": calculator(
    z.object({ actual_micro_usd: z.array(micros), forecast_micro_usd: z.array(micros) }),
    (given) => {
      const { mapePct, wmapePct, biasPct } = forecastAccuracy(given.actual_micro_usd, given.forecast_micro_usd);
      return { mape_pct: mapePct, wmape_pct: wmapePct, bias_pct: biasPct };
    },
  ),
  "budget.crossing": calculator(
    z.object({
      month_start: instant,
      fleet_price_cents_per_hour: cents,
      budget_micro_usd: micros,
      threshold_pct: z.number().nonnegative(),
    }),
    (given) => {
      const crossing = budgetCrossing({
        from: given.month_start,
        spentMicros: 0n,
        microsPerHour: given.fleet_price_cents_per_hour,
        limitMicros: thresholdMicros(given.budget_micro_usd, given.threshold_pct),
      });
      return {
        crossing_minute_index: crossing?.minutes ?? null,
        crossing_at: crossing ? new Date(crossing.at).toISOString().replace(".000Z", "Z") : null,
        spend_at_crossing_micro_usd: crossing?.spentMicros ?? null,
        spend_one_minute_before_micro_usd: crossing?.spentBeforeMicros ?? null,
      };
    },
  ),
  "budget.forecast": calculator(
    z.object({ budget_micro_usd: micros, forecast_micro_usd: micros, threshold_pct: z.number().nonnegative() }),
    (given) => {
      const share = budgetShare(given.forecast_micro_usd, given.budget_micro_usd, given.threshold_pct);
      return { forecast_pct: share?.pct ?? null, alert: share?.isReached ?? false };
    },
  ),
};

/** Worked cases of splitting, display, idle money, forecasts and budgets. */
export const outlookKinds: Calculators = { ...shown, ...outlook };
