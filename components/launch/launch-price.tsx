import { Facts } from "@/components/ui/page";
import { Panel } from "@/components/ui/panel";
import { formatUsd, formatUsdRate } from "@/lib/domain/format";
import { formatDay } from "@/lib/domain/format-time";
import { budgetReachedAt, type LaunchOffers, type Offer } from "@/lib/domain/intents/preflight";

type Props = { offers: LaunchOffers; offer: Offer | undefined; region: string };

/** What it costs, and what it does to the month. */
export function LaunchPrice({ offers, offer, region }: Props) {
  const price = offer?.priceMicros ?? null;
  const fleet = BigInt(offers.fleetMicrosPerHour);
  const { budget, zone, now } = offers;
  const reached =
    budget === null || price === null
      ? null
      : budgetReachedAt(budget, BigInt(budget.microsPerHour) + BigInt(price), now);
  return (
    <Panel title="Price" sub={`Lambda on-demand${region ? `, ${region}` : ""}`}>
      <p className="launch-price">
        {price === null ? "unknown" : formatUsd(price)}
        <small>/h</small>
      </p>
      {price !== null && (
        <Facts
          rows={[
            ["Per day", formatUsd(BigInt(price) * 24n)],
            ["Per 30 days", formatUsd(BigInt(price) * 720n)],
            [
              "Fleet after launch",
              <span key="fleet">
                {formatUsdRate(fleet + BigInt(price))} <span className="muted">was {formatUsdRate(fleet)}</span>
              </span>,
            ],
            [
              "Month’s budget",
              budget === null ? (
                <span key="budget" className="muted">
                  none set
                </span>
              ) : reached === null ? (
                `${formatUsd(budget.micros)}, not reached at this rate`
              ) : (
                <b key="budget" className="text-warn">
                  {reached <= now ? "used up" : `reached ${formatDay(reached, zone)}`}
                </b>
              ),
            ],
          ]}
        />
      )}
    </Panel>
  );
}
