import { Panel } from "@/components/ui/panel";
import { RowCard } from "@/components/ui/row-card";
import { Table } from "@/components/ui/table";
import { formatCount } from "@/lib/domain/format";
import { ARCHITECTURE_WORDS } from "@/lib/domain/plan/gpu-kind";
import { STATE_WORDS, TIER_WORDS } from "@/lib/domain/plan/quote-words";
import { ageDays, providerName } from "@/lib/domain/plan/quotes";
import { gpuOf, type SizedOffer } from "@/lib/domain/plan/sizing";
import { offerFigure } from "@/lib/domain/plan/sizing-figures";
import type { SizingAnswer } from "@/lib/domain/plan/sizing-view";
import { Formula } from "./formula";

export function priceAge(offer: SizedOffer, day: string): string {
  if (offer.state === "live") return "live";
  const age = ageDays(offer.asOf, day);
  return age === null ? "no date" : `${STATE_WORDS[offer.state].toLowerCase()}, ${age} d old`;
}

function keyOf({ provider, typeName, region, tier, unit, priceMicros, asOf }: SizedOffer): string {
  return `${provider} ${typeName} ${region} ${tier} ${unit} ${priceMicros} ${asOf}`;
}

function remarksOf({ spareGpus, remarks }: SizedOffer): string {
  return [spareGpus > 0 && `${formatCount(spareGpus, "GPU")} more than needed`, ...remarks].filter(Boolean).join("; ");
}

function OfferCard({ offer, day }: { offer: SizedOffer; day: string }) {
  return (
    <RowCard
      name={
        <>
          <b>{providerName(offer.provider)}</b> <span className="text-text-2">{offer.typeName}</span>
        </>
      }
      about={
        <>
          <span>
            {TIER_WORDS[offer.tier]},{" "}
            {offer.unit === "gpu" ? `${offer.machines} GPUs` : formatCount(offer.machines, "machine")}
          </span>
          <span className={offer.state === "stale" ? "stale justify-self-start" : undefined}>
            {priceAge(offer, day)}
          </span>
        </>
      }
      value={<Formula figure={offerFigure(offer, "month")} />}
      more={
        <span>
          <Formula figure={offerFigure(offer, "hour")} />
        </span>
      }
    >
      {remarksOf(offer)}
    </RowCard>
  );
}

/** Every firm offer of the card that is shown. */
export function OffersPanel({ data }: { data: SizingAnswer }) {
  const gpu = gpuOf(data.shown);
  return (
    <Panel
      span={12}
      isFlush={data.offers.length > 0}
      title={`Where ${gpu.name} is sold`}
      sub={`${formatCount(data.offers.length, "firm offer")} of the price book; spot, medians, rejected and GPU-only prices are none; ${ARCHITECTURE_WORDS[gpu.architecture]}`}
    >
      {data.offers.length === 0 ? (
        <p className="muted">The price book has no firm offer of it, or no number of them holds the model.</p>
      ) : (
        <>
          <ul className="phone-only">
            {data.offers.map((offer) => (
              <OfferCard key={keyOf(offer)} offer={offer} day={data.day} />
            ))}
          </ul>
          <div className="not-phone">
            <Table label={`Offers of ${gpu.name}`} isDense>
              <thead>
                <tr>
                  <th scope="col">Offer</th>
                  <th scope="col">Kind</th>
                  <th scope="col" className="num">
                    Machines
                  </th>
                  <th scope="col" className="num">
                    An hour
                  </th>
                  <th scope="col" className="num">
                    A month
                  </th>
                  <th scope="col">Price of</th>
                  <th scope="col">Read this</th>
                </tr>
              </thead>
              <tbody>
                {data.offers.map((offer) => (
                  <tr key={keyOf(offer)}>
                    <th scope="row">
                      {providerName(offer.provider)} <span className="text-text-2">{offer.typeName}</span>
                    </th>
                    <td className="text-text-2">{TIER_WORDS[offer.tier]}</td>
                    <td className="num text-text-2">
                      {offer.unit === "gpu" ? `${offer.machines} GPUs` : offer.machines}
                    </td>
                    <td className="num">
                      <Formula figure={offerFigure(offer, "hour")} />
                    </td>
                    <td className="num">
                      <Formula figure={offerFigure(offer, "month")} />
                    </td>
                    <td className={offer.state === "stale" ? "stale" : "text-text-2"}>{priceAge(offer, data.day)}</td>
                    <td className="sizing-note text-text-2">{remarksOf(offer)}</td>
                  </tr>
                ))}
              </tbody>
            </Table>
          </div>
        </>
      )}
    </Panel>
  );
}
