import { authorize, type Ctx } from "@/lib/domain/access";
import { signedPct } from "@/lib/domain/cost/decimal";
import { roundHalfAway } from "@/lib/domain/cost/money";
import { providerViews } from "@/lib/domain/plan/providers";
import { firmness, perGpu, type Quote } from "@/lib/domain/plan/quotes";
import { bestGpu, cheapestAt, sizedGpus } from "@/lib/domain/plan/sizing";
import { WORKLOAD_TYPES } from "@/lib/domain/plan/workload-types";
import {
  type LambdaPrice,
  priceRanges,
  type SizedWorkload,
  type WorkloadsAnswer,
} from "@/lib/domain/plan/workload-view";
import { type Book, readBook, readProvider } from "./quotes";
import { readMeasured } from "./sizing";

/** Kinds of work with what they need and what that costs today, and the prices of every GPU. */
export async function readWorkloads(ctx: Ctx): Promise<WorkloadsAnswer> {
  authorize(ctx, "cost:read");
  const [book, measured, provider] = await Promise.all([readBook(ctx), readMeasured(ctx), readProvider(ctx)]);
  const { current, day } = book;
  return {
    now: ctx.now.getTime(),
    day,
    types: WORKLOAD_TYPES.map(({ key, example }): SizedWorkload => {
      const sized = sizedGpus(example.plan, current, day);
      const best = bestGpu(sized);
      return {
        key,
        gpu: best?.gpu.key ?? null,
        gpus: best?.gpu.fit.gpus ?? null,
        usedPct: best?.gpu.fit.usedPct ?? null,
        lambda: best?.gpu.lambda ?? null,
        elsewhere: cheapestAt(sized, "elsewhere")?.offer ?? null,
      };
    }),
    prices: priceRanges(current, day),
    lambda: lambdaPrices(book),
    providers: providerViews(current, provider, day),
    measured,
    measuredDays: 30,
  };
}

/** Lambda's prices as they stand, each with the last other price that is known of the same type. */
function lambdaPrices({ current, all }: Book): LambdaPrice[] {
  const own = (quotes: readonly Quote[]) =>
    quotes.filter(
      ({ provider, unit, tier, status }) =>
        provider === "lambda" && unit === "instance" && firmness(tier) === "firm" && status !== "rejected",
    );
  const history = own(all);
  return own(current)
    .filter(({ gpuMemoryGb, typeName }) => gpuMemoryGb !== null && typeName.startsWith("gpu_"))
    .map((quote): LambdaPrice => {
      const [before] = history
        .filter(
          (one) =>
            one.typeName === quote.typeName &&
            one.micros !== quote.micros &&
            one.asOf !== null &&
            one.asOf < (quote.asOf ?? ""),
        )
        .sort((a, b) => (b.asOf ?? "").localeCompare(a.asOf ?? ""));
      const { numerator, denominator } = perGpu(quote);
      return {
        typeName: quote.typeName,
        gpu: quote.gpu,
        gpus: quote.gpus,
        micros: quote.micros.toString(),
        perGpuMicros: roundHalfAway(numerator, denominator).toString(),
        asOf: quote.asOf,
        isLive: quote.origin === "live",
        before:
          before && before.asOf !== null
            ? {
                micros: before.micros.toString(),
                asOf: before.asOf,
                changePct: signedPct(quote.micros - before.micros, before.micros, 1) ?? "+0.0",
              }
            : null,
      };
    })
    .sort((a, b) => a.gpus - b.gpus || (BigInt(a.perGpuMicros) < BigInt(b.perGpuMicros) ? -1 : 1));
}
