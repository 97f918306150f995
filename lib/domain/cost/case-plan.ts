import { z } from "zod";
import { fitPools } from "@/lib/domain/alignment/pools";
import { compareOffers } from "@/lib/domain/plan/compare";
import { costAfterSaving } from "@/lib/domain/plan/savings";
import { environmentCosts, moveReturn, trainingCost } from "@/lib/domain/plan/scenario";
import { type Calculators, calculator, cents, decimal, micros } from "./case-inputs";
import { type Decimal, exactText } from "./decimal";
import { centsOf } from "./money";

/** A figure that is a plain number where the file has one. */
function number(value: Decimal): number | string {
  const text = exactText(value);
  return String(Number(text)) === text ? Number(text) : text;
}

const plans: Calculators = {
  "compare.providers": calculator(
    z.object({ base_cents: cents, hours: decimal, prices_cents: z.record(z.string(), cents) }),
    (given) => {
      const offers = compareOffers(given.hours, given.base_cents, given.prices_cents);
      const cost = `cost_${exactText(given.hours)}h_cents`;
      return {
        rows: Object.fromEntries(
          Object.entries(offers).map(([name, { costMicros, againstBasePct }]) => [
            name,
            { [cost]: centsOf(costMicros), vs_lambda_pct: againstBasePct },
          ]),
        ),
      };
    },
  ),
  "savings.early-stop": calculator(
    z.object({ base_micro_usd: micros, savings_pct: z.array(z.union([z.number(), z.string()])) }),
    (given) => ({
      micro_usd: Object.fromEntries(
        given.savings_pct.map((pct) => [String(pct), costAfterSaving(given.base_micro_usd, decimal.parse(pct))]),
      ),
    }),
  ),
  "scenario.environments": calculator(
    z.record(
      z.string(),
      z
        .object({ n: decimal, usd: decimal, hours: decimal })
        .transform(({ n, usd, hours }) => ({ count: n, usdPerHour: usd, hours })),
    ),
    (given) => {
      const { each, totalMicros } = environmentCosts(given);
      return { micro_usd: { ...each, total: totalMicros } };
    },
  ),
  "scenario.training": calculator(
    z.object({ total_usd: decimal, gpus: decimal, days: decimal, hyperscaler_usd: decimal }),
    (given) => {
      const cost = trainingCost({
        totalUsd: given.total_usd,
        otherUsd: given.hyperscaler_usd,
        gpus: given.gpus,
        days: given.days,
      });
      return {
        gpu_hours: number(cost.gpuHours),
        micro_usd_per_gpu_hour: cost.microsPerGpuHour,
        hyperscaler_micro_usd_per_gpu_hour: cost.otherMicrosPerGpuHour,
        saving_pct: cost.savingPct,
      };
    },
  ),
  "scenario.roi": calculator(
    z.object({
      aws_monthly_usd: decimal,
      p4d_usd_per_hour: decimal,
      gpus_per_p4d: decimal,
      speedup: decimal,
      lambda_h100_usd_per_gpu_hour: decimal,
      setup_hours: decimal,
      setup_usd_per_hour: decimal,
      migration_usd: decimal.nullable().default(null),
    }),
    (given) => {
      const found = moveReturn({
        monthlyUsd: given.aws_monthly_usd,
        machineUsdPerHour: given.p4d_usd_per_hour,
        gpusPerMachine: given.gpus_per_p4d,
        speedup: given.speedup,
        targetUsdPerGpuHour: given.lambda_h100_usd_per_gpu_hour,
        setupHours: given.setup_hours,
        setupUsdPerHour: given.setup_usd_per_hour,
        migrationUsd: given.migration_usd,
      });
      return {
        a100_gpu_hours: found?.sourceGpuHours ?? null,
        h100_gpu_hours: found?.targetGpuHours ?? null,
        lambda_monthly_micro_usd: found?.targetMonthlyMicros ?? null,
        monthly_saving_incl_setup_micro_usd: found?.monthlySavingMicros ?? null,
        annual_micro_usd: found?.annualSavingMicros ?? null,
        payback_months:
          given.migration_usd === null ? "undefined without a one-off migration cost" : (found?.paybackMonths ?? null),
      };
    },
  ),
  "alignment.pools": calculator(
    z
      .object({ gpu_memory_gb: decimal })
      .catchall(z.unknown())
      .transform(({ gpu_memory_gb: memory, ...rest }) => ({
        memory,
        pools: Object.entries(rest).flatMap(([key, list]) => {
          const name = /^pools_(\w+)$/.exec(key)?.[1];
          return name === undefined ? [] : [{ name, sizes: z.array(decimal).parse(list) }];
        }),
      })),
    ({ memory, pools }) => {
      const h200 = { numerator: 141n, denominator: 1n };
      const figures = pools.flatMap(({ name, sizes }) => {
        const fit = fitPools(sizes, memory);
        return [
          [`${name}_sum`, number(fit.sumGb)],
          [`${name}_ok`, fit.fits],
          [`${name}_over_by`, number(fit.overGb)],
          [`${name}_fits_h200_141`, fitPools(sizes, h200).fits],
        ];
      });
      return Object.fromEntries(figures);
    },
  ),
};

/** Worked cases of planning and alignment. */
export const planKinds: Calculators = plans;
