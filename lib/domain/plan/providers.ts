import { formatNumber, MINUS } from "@/lib/domain/format";
import { groupBy } from "@/lib/domain/group";
import { isLess } from "./comparison";
import { type Figure, figure } from "./formula";
import { gpuKind } from "./gpu-kind";
import { downMinutes } from "./lambda-catalogue";
import { plain } from "./numbers";
import { type QuoteView, quoteView } from "./quote-view";
import { firmness, perGpu, providerName, type Quote } from "./quotes";

/** What our own looks said of a provider's machines and interface. */
export type ProviderFacts = {
  days: number;
  /** From the first sight of a machine to active, half of them faster; null: no machine was seen booting. */
  bootMs: number | null;
  boots: number;
  polls: number;
  failedPolls: number;
  billedMinutes: number;
  unhealthyMinutes: number;
};

/** A provider as the price book knows it, with what is measured where machines of ours run: nobody's word is taken for that. */
export type ProviderView = {
  provider: string;
  name: string;
  prices: number;
  models: number;
  /** The cheapest firm A100 for an hour, 80 GB before 40 GB. */
  a100: QuoteView | null;
  hasSpot: boolean;
  hasReserved: boolean;
  newest: string | null;
  measured: ProviderFacts | null;
};

/** Providers: those that are measured, then by how many prices the book has of them. */
export function providerViews(book: readonly Quote[], lambda: ProviderFacts, day: string): ProviderView[] {
  const good = book.filter(({ status }) => status !== "rejected");
  return [...groupBy(good, ({ provider }) => provider)]
    .map(([provider, own]): ProviderView => {
      const [a100] = own
        .filter(
          (quote) =>
            gpuKind(quote.gpu).model === "A100" && firmness(quote.tier) === "firm" && quote.unit !== "gpu_component",
        )
        .sort((a, b) => (b.gpuMemoryGb ?? 0) - (a.gpuMemoryGb ?? 0) || (isLess(perGpu(a), perGpu(b)) ? -1 : 1));
      return {
        provider,
        name: providerName(provider),
        prices: own.length,
        models: new Set(own.map(({ gpu }) => gpuKind(gpu).model)).size,
        a100: a100 ? quoteView(a100, day, true) : null,
        hasSpot: own.some(({ tier }) => firmness(tier) === "interruptible"),
        hasReserved: own.some(({ tier }) => firmness(tier) === "reserved"),
        newest:
          own
            .flatMap(({ asOf }) => asOf ?? [])
            .sort()
            .at(-1) ?? null,
        measured: provider === "lambda" ? lambda : null,
      };
    })
    .sort(
      (a, b) =>
        Number(b.measured !== null) - Number(a.measured !== null) ||
        b.prices - a.prices ||
        a.provider.localeCompare(b.provider),
    );
}

/** Shares near the whole lose what matters when they are rounded. */
function percent(share: number): string {
  return `${share.toFixed(share > 99 ? 2 : 1)}\u202f%`;
}

/** Of looks at the provider's interface, how many were answered; null: nobody looked. */
export function answeredFigure({ polls, failedPolls, days }: ProviderFacts): Figure | null {
  if (polls === 0) return null;
  const share = ((polls - failedPolls) / polls) * 100;
  return figure({
    name: `Looks that were answered in ${days} days`,
    value: percent(share),
    amount: share,
    formula: "({looks} − {failed}) ÷ {looks} × 100",
    numbers: [
      plain("looks", "looks at its API", polls),
      plain("failed", "not answered, or not to be believed", failedPolls),
    ],
  });
}

/** Of billed minutes, how many without a complaint of the provider; null: nothing ran. */
export function availabilityFigure({ billedMinutes, unhealthyMinutes, days }: ProviderFacts): Figure | null {
  if (billedMinutes === 0) return null;
  const share = ((billedMinutes - unhealthyMinutes) / billedMinutes) * 100;
  return figure({
    name: `Availability in ${days} days`,
    value: percent(share),
    amount: share,
    formula: "({billed} − {ill}) ÷ {billed} × 100",
    numbers: [
      plain("billed", "billed minutes of all machines", billedMinutes, "", { label: "ledger" }),
      plain("ill", "of them, minutes in which Lambda called a machine unhealthy", unhealthyMinutes),
    ],
    notes: ["What nobody noticed is not in it: a machine that is silent is told by its alert, not here."],
  });
}

/** The availability that the requirements name. Nobody has promised it: no agreement with Lambda is known. */
export const AVAILABILITY_PCT = 99.9;

/** What is left of the minutes that the target allows to be down, over all machines; negative: overspent. Null: nothing ran. */
export function downtimeLeftFigure({ billedMinutes, unhealthyMinutes }: ProviderFacts): Figure | null {
  if (billedMinutes === 0) return null;
  const left = (billedMinutes * (100 - AVAILABILITY_PCT)) / 100 - unhealthyMinutes;
  return figure({
    name: `Downtime left of ${AVAILABILITY_PCT} %`,
    value: `${left < 0 ? MINUS : ""}${formatNumber(Math.abs(left), 1)} min`,
    amount: left,
    formula: "{billed} × (100 − {target}) ÷ 100 − {ill}",
    numbers: [
      plain("billed", "billed minutes of all machines", billedMinutes, "", { label: "ledger" }),
      plain("target", "target, per cent", AVAILABILITY_PCT, "", { label: "Lambda overview course, unverified" }),
      plain("ill", "minutes in which Lambda called a machine unhealthy", unhealthyMinutes),
    ],
    notes: [`One machine that runs for 30 days may be down ${formatNumber(downMinutes(AVAILABILITY_PCT, 30), 1)} min.`],
  });
}
