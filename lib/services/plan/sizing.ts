import { authorize, type Ctx } from "@/lib/domain/access";
import type { Measured } from "@/lib/domain/plan/benchmarks";
import { memoryHints } from "@/lib/domain/plan/hints";
import { memoryOf } from "@/lib/domain/plan/memory";
import { bestGpu, gpuOf, offersFor, planOf, type SizingQuestion, sizedGpus } from "@/lib/domain/plan/sizing";
import type { SizingAnswer } from "@/lib/domain/plan/sizing-view";
import { readUnits } from "@/lib/services/cost/units";
import { readBook } from "./quotes";

const MEASURED_DAYS = 30;
const SHOWN_MODELS = 8;

/** Which GPUs hold a model, how many, where they are sold and for how much, and what its work costs where that was measured. */
export async function readSizing(ctx: Ctx, asked: SizingQuestion): Promise<SizingAnswer> {
  authorize(ctx, "cost:read");
  const [{ current, day }, measured] = await Promise.all([readBook(ctx), readMeasured(ctx)]);
  const plan = planOf(asked);
  const gpus = sizedGpus(plan, current, day);
  const best = bestGpu(gpus)?.gpu.key ?? null;
  const shown = asked.gpu ?? best ?? "gh200";
  const fit = gpus.find(({ key }) => key === shown)?.fit;
  return {
    now: ctx.now.getTime(),
    day,
    asked,
    plan,
    memory: memoryOf(plan),
    gpus,
    best,
    shown,
    offers: fit?.gpus == null ? [] : offersFor(gpuOf(shown), fit.gpus, current, day),
    hints: memoryHints(plan),
    measured,
    measuredDays: MEASURED_DAYS,
  };
}

/** What tokens and requests really cost, by model, as far as programs count them. */
export async function readMeasured(ctx: Ctx): Promise<Measured[]> {
  const { groups } = await readUnits(ctx, { days: MEASURED_DAYS, by: "model" });
  return groups
    .filter(({ key, prices }) => key !== "" && (prices.perMillionTokens !== null || prices.perThousandTasks !== null))
    .slice(0, SHOWN_MODELS)
    .map(({ key, prices, units, gpuMinutes, costMicros }) => ({
      model: key,
      perMillionTokens: prices.perMillionTokens,
      perThousandRequests: prices.perThousandTasks,
      tokens: units.tokens ?? null,
      gpuMinutes,
      costMicros,
    }));
}
