import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { formatUsdRate } from "@/lib/domain/format";
import type { Deal } from "@/lib/domain/plan/deals";
import type { Figure } from "@/lib/domain/plan/formula";
import { breakEvenFigure, changeFigure } from "@/lib/domain/plan/price-figures";
import { TIER_WORDS } from "@/lib/domain/plan/quote-words";
import { providerName } from "@/lib/domain/plan/quotes";
import { Formula } from "./formula";

function sides(deal: Deal) {
  const source = { label: deal.source, ...(deal.asOf !== null && { asOf: deal.asOf }) };
  return {
    demand: { name: "on demand, same source and day", micros: deal.onDemandMicros, source },
    other: { name: TIER_WORDS[deal.tier].toLowerCase(), micros: deal.otherMicros, source },
  };
}

const nameOf = ({ typeName, tier }: Deal) => `${typeName}, ${TIER_WORDS[tier].toLowerCase()}`;

function offFigure(deal: Deal): Figure {
  const { demand, other } = sides(deal);
  const note =
    deal.breakEvenPct === null
      ? "May be taken away at any time."
      : `It pays from ${deal.breakEvenPct} % of the hours of its term on.`;
  return changeFigure(nameOf(deal), deal.changePct, demand, other, [note]);
}

function paysFigure(deal: Deal): Figure | null {
  const { demand, other } = sides(deal);
  return deal.breakEvenPct === null ? null : breakEvenFigure(nameOf(deal), deal.breakEvenPct, demand, other);
}

/** What others give for a commitment or for machines that may be taken away: measured against their own price of the same day. */
export function DealsPanel({ deals }: { deals: readonly Deal[] }) {
  return (
    <Panel
      span={12}
      isFlush={deals.length > 0}
      title="What a commitment or spot takes off"
      sub="from the price book: the same machine, source and day; claimed ranges are not used"
    >
      {deals.length === 0 ? (
        <p className="muted">The price book has no machine on demand and otherwise from one source of one day.</p>
      ) : (
        <Table label="Discounts in the price book" isDense>
          <thead>
            <tr>
              <th scope="col">Machine</th>
              <th scope="col">GPU</th>
              <th scope="col">Kind</th>
              <th scope="col" className="num">
                On demand
              </th>
              <th scope="col" className="num">
                Instead
              </th>
              <th scope="col" className="num">
                Change
              </th>
              <th scope="col" className="num">
                Pays from
              </th>
              <th scope="col">Price of</th>
            </tr>
          </thead>
          <tbody>
            {deals.map((deal) => (
              <tr key={`${deal.provider} ${deal.typeName} ${deal.region} ${deal.tier} ${deal.source} ${deal.asOf}`}>
                <th scope="row">
                  {providerName(deal.provider)} <span className="text-text-2">{deal.typeName}</span>
                </th>
                <td className="text-text-2">{deal.gpu}</td>
                <td>{TIER_WORDS[deal.tier]}</td>
                <td className="num text-text-2">{formatUsdRate(deal.onDemandMicros)}</td>
                <td className="num">{formatUsdRate(deal.otherMicros)}</td>
                <td className="num">
                  <Formula figure={offFigure(deal)} />
                </td>
                <td className="num text-text-2">
                  <Pays deal={deal} />
                </td>
                <td className={deal.state === "stale" ? "stale" : "text-text-2"}>{deal.asOf ?? "no date"}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

function Pays({ deal }: { deal: Deal }) {
  const figure = paysFigure(deal);
  return figure && <Formula figure={figure} />;
}
