import { breakEvenPct } from "@/lib/domain/cost/commitment";
import { signedPct } from "@/lib/domain/cost/decimal";
import { gpuKind, kindName } from "./gpu-kind";
import { perGpu, type Quote, type QuoteState, type QuoteTier, stateOf } from "./quotes";

/** What one source says of the same machine on demand and otherwise on the same day: a discount that is measured, not claimed. */
export type Deal = {
  provider: string;
  typeName: string;
  gpu: string;
  region: string;
  tier: Extract<QuoteTier, "reserved_1y" | "reserved_3y" | "spot">;
  onDemandMicros: string;
  otherMicros: string;
  /** In per cent with its sign: "-36.6". */
  changePct: string;
  /** A commitment pays from so many per cent of the hours on; null for spot. */
  breakEvenPct: string | null;
  asOf: string | null;
  source: string;
  state: QuoteState;
};

const TIERS = ["reserved_1y", "reserved_3y", "spot"] as const;

/** Commitments before spot, the deepest discount first. */
export function dealsOf(quotes: readonly Quote[], day: string): Deal[] {
  const good = quotes.filter((quote) => quote.status !== "rejected" && quote.unit !== "gpu_component");
  const key = ({ provider, typeName, region, unit, gpus, source, asOf }: Quote) =>
    [provider, typeName.toLowerCase(), region, unit, gpus, source, asOf].join("|");
  const onDemand = new Map(good.filter(({ tier }) => tier === "on_demand").map((quote) => [key(quote), quote]));
  return good
    .flatMap((quote): Deal[] => {
      const tier = TIERS.find((one) => one === quote.tier);
      const base = onDemand.get(key(quote));
      if (tier === undefined || base === undefined) return [];
      const changePct = signedPct(quote.micros - base.micros, base.micros, 1);
      if (changePct === null || perGpu(quote).numerator <= 0n) return [];
      return [
        {
          provider: quote.provider,
          typeName: quote.typeName,
          gpu: kindName(gpuKind(quote.gpu).model, quote.gpuMemoryGb),
          region: quote.region,
          tier,
          onDemandMicros: base.micros.toString(),
          otherMicros: quote.micros.toString(),
          changePct,
          breakEvenPct: tier === "spot" ? null : breakEvenPct(quote.micros, base.micros),
          asOf: quote.asOf,
          source: quote.source,
          state: stateOf(quote, day),
        },
      ];
    })
    .sort((a, b) => TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier) || Number(a.changePct) - Number(b.changePct));
}
