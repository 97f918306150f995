import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Missing } from "@/components/ui/quantity";
import { Status } from "@/components/ui/status";
import { Table } from "@/components/ui/table";
import { Age } from "@/components/ui/time";
import { formatUsd } from "@/lib/domain/format";
import type { Offer } from "@/lib/domain/intents/offers";
import type { Draft } from "./draft";

type Props = { offers: readonly Offer[]; draft: Draft; onChange: (part: Partial<Draft>) => void };

/** What can be had: what is offered somewhere now comes first, cheapest first. */
export function OfferTable({ offers, draft, onChange }: Props) {
  const price = (offer: Offer) => (offer.priceMicros === null ? Number.POSITIVE_INFINITY : Number(offer.priceMicros));
  const [isAll, setAll] = useState(false);
  const sorted = offers.toSorted((a, b) => Number(isListed(b)) - Number(isListed(a)) || price(a) - price(b));
  const rows = isAll ? sorted : sorted.filter((offer) => isListed(offer) || offer.typeName === draft.typeName);
  const hidden = sorted.length - rows.length;
  return (
    <>
      <Table label="Machines">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Choice</span>
            </th>
            <th scope="col">GPU</th>
            <th scope="col" className="wide-only">
              Type
            </th>
            <th scope="col" className="num">
              $ / h
            </th>
            <th scope="col">Capacity now</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((offer) => {
            const words =
              offer.gpus === 0
                ? offer.description
                : `${offer.gpus} × ${offer.gpuModel ?? offer.description}${offer.gpuMemoryGb === null ? "" : `, ${offer.gpuMemoryGb} GB`}${offer.architecture === "arm64" ? ", arm64" : ""}`;
            return (
              <tr key={offer.typeName} className={draft.typeName === offer.typeName ? "is-selected" : undefined}>
                <td>
                  <input
                    type="radio"
                    name="typeName"
                    aria-label={`${words}, ${offer.typeName}`}
                    value={offer.typeName}
                    checked={draft.typeName === offer.typeName}
                    onChange={() => onChange({ typeName: offer.typeName })}
                  />
                </td>
                <th scope="row">
                  <b>{words}</b>
                </th>
                <td className="wide-only mono text-12 text-text-2">{offer.typeName}</td>
                <td className="num">
                  {offer.priceMicros === null ? (
                    <Missing reason="Lambda does not name it" />
                  ) : (
                    formatUsd(offer.priceMicros)
                  )}
                </td>
                <td>
                  <Capacity offer={offer} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </Table>
      {hidden > 0 && (
        <p className="px-4 py-2">
          <Button size="small" look="ghost" onClick={() => setAll(true)}>
            Show {hidden} without capacity now
          </Button>
        </p>
      )}
    </>
  );
}

export const isListed = (offer: Offer) => offer.regions.some((region) => region.isListed);

function Capacity({ offer }: { offer: Offer }) {
  const listed = offer.regions.filter((region) => region.isListed);
  const [first, second] = listed;
  if (first)
    return (
      <Status of="pass">
        {first.name}
        {second && `, ${second.name}`}
        {listed.length > 2 && ` and ${listed.length - 2} more`}
        {!second && `, ${Math.round(first.share * 100)} % of 24 h`}
      </Status>
    );
  const [last] = offer.regions;
  return (
    <span className="muted">
      {last ? (
        <>
          none now; {last.name} had it <Age at={last.seenAt} />
          {last.share > 0 && `, ${Math.round(last.share * 100)} % of 24 h`}
        </>
      ) : (
        "never listed"
      )}
    </span>
  );
}
