import { authorize, type Ctx } from "@/lib/domain/access";
import { parseDecimal } from "@/lib/domain/cost/decimal";
import { roundHalfAway } from "@/lib/domain/cost/money";
import { kindsOf } from "@/lib/domain/plan/compare-view";
import { compareNeed, type Need, type Offer } from "@/lib/domain/plan/comparison";
import { quoteView } from "@/lib/domain/plan/quote-view";
import { providerName } from "@/lib/domain/plan/quotes";
import { measuredDiscounts, type SpotWork, spotAdvice } from "@/lib/domain/plan/spot";
import {
  discountFigure,
  interruptionsFigure,
  onDemandFigure,
  type SpotAnswer,
  type SpotQuestion,
  savedFigure,
  spotFigure,
} from "@/lib/domain/plan/spot-view";
import { readBook } from "./quotes";

/** Whether a piece of work belongs on spot machines, with what it costs there when lost work is counted. */
export async function readSpot(ctx: Ctx, question: SpotQuestion): Promise<SpotAnswer> {
  authorize(ctx, "cost:read");
  const { day, current, all } = await readBook(ctx);
  const [, model = "A100", memory = "80"] = /^(.+) (\d+(?:\.\d+)?)$/.exec(question.gpu) ?? [];
  const none = parseDecimal("0");
  const need = (firmness: Need["firmness"]): Need => ({
    model,
    memoryGb: Number(memory),
    board: null,
    gpus: question.gpus,
    hours: parseDecimal("1"),
    firmness,
    storageGib: none,
    egressGb: none,
    storageMicrosPerGibMonth: null,
    egressMicrosPerGb: null,
    lambdaStorageMicros: null,
  });
  const cheapest = (firmness: Need["firmness"]): Offer | null => {
    const { offers } = compareNeed(current, need(firmness), day);
    const like = offers.filter(({ likeness }) => likeness === "like");
    // Nobody buys one GPU of a machine that is sold by eight, unless nothing else is there.
    const whole = like.filter(({ wholeMicros }) => wholeMicros === null);
    const choice = [...(whole.length > 0 ? whole : like)].sort((a, b) => (a.computeMicros < b.computeMicros ? -1 : 1));
    return choice.find(({ quote }) => quote.provider === "lambda") ?? choice[0] ?? null;
  };
  const firm = question.firmUsd === "" ? cheapest("firm") : null;
  const spot = question.spotUsd === "" ? cheapest("interruptible") : null;
  const work: SpotWork = {
    runs: question.runs,
    hoursPerRun: question.hours,
    gpus: question.gpus,
    onDemandMicros: firm ? rateOf(firm) : microsOf(question.firmUsd || "0"),
    spotMicros: spot ? rateOf(spot) : question.spotUsd === "" ? null : microsOf(question.spotUsd),
    interruptionsPerDay: question.interruptions,
    checkpointMinutes:
      question.checkpoint === "" || Number(question.checkpoint) <= 0 ? null : Number(question.checkpoint),
    restartMinutes: question.restart,
    transferMicros: microsOf(question.transfer || "0"),
    isGuaranteed: question.guaranteed === "yes",
    turnaroundHours: question.within === "" ? null : Number(question.within),
  };
  const advice = spotAdvice(work);
  return {
    now: ctx.now.getTime(),
    day,
    kinds: kindsOf(current),
    choice: advice.choice,
    because: advice.because,
    matrix: advice.matrix,
    firmOffer: firm && quoteView(firm.quote, day, true),
    spotOffer: spot && quoteView(spot.quote, day, true),
    hasFirm: work.onDemandMicros > 0n,
    hasSpot: work.spotMicros !== null,
    onDemand: onDemandFigure(work, advice.onDemand, firm?.quote ?? null),
    spot: advice.spot && spotFigure(work, advice.spot, spot?.quote ?? null),
    saved: savedFigure(advice),
    promisedPct: advice.promisedPct,
    savedPct: advice.savedPct,
    interruptions: advice.spot && interruptionsFigure(work, advice.spot),
    discounts: measuredDiscounts(all).map((one) => ({
      provider: providerName(one.provider),
      typeName: one.typeName,
      asOf: one.asOf,
      source: one.source,
      off: discountFigure(one),
    })),
  };
}

function rateOf({ perGpuHour }: Offer): bigint {
  return roundHalfAway(perGpuHour.numerator, perGpuHour.denominator);
}

function microsOf(usd: string): bigint {
  const { numerator, denominator } = parseDecimal(usd);
  return roundHalfAway(numerator * 1_000_000n, denominator);
}
