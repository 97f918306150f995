import { Facts } from "@/components/ui/page";
import { Panel } from "@/components/ui/panel";
import { isFleet } from "@/lib/domain/cost/scope";
import { formatUsd, formatUsdRate } from "@/lib/domain/format";
import { formatDay } from "@/lib/domain/format-time";
import type { LaunchOffers, Offer } from "@/lib/domain/intents/offers";
import { headroom, launchMicrosPerHour } from "@/lib/domain/intents/preflight-money";
import { spanWords } from "@/lib/domain/intents/span";
import type { Draft } from "./draft";
import { PriceSteps } from "./price-steps";

type Props = { offers: LaunchOffers; offer: Offer | undefined; draft: Draft };

const HOUR_MS = 3_600_000n;
const BUDGETS_SHOWN = 3;

/** What it costs, what it has cost before, and what it does to the budgets. */
export function LaunchPrice({ offers, offer, draft }: Props) {
  const total = launchMicrosPerHour(draft, offer);
  const fleet = BigInt(offers.fleetMicrosPerHour);
  const { zone, now } = offers;
  const leaseMs = draft.leaseUntil === null ? 0 : Math.max(0, draft.leaseUntil - now);
  return (
    <Panel title="Price" sub={`Lambda on-demand${draft.region ? `, ${draft.region}` : ""}`}>
      <p className="launch-price">
        {total === null ? "unknown" : formatUsd(total)}
        <small>/h{draft.count > 1 && offer?.priceMicros && `, ${draft.count} × ${formatUsd(offer.priceMicros)}`}</small>
      </p>
      {offer && <PriceSteps prices={offer.prices} now={now} zone={zone} />}
      {total !== null && offer && (
        <Facts
          rows={[
            ["Per day", formatUsd(total * 24n)],
            ...(leaseMs > 0
              ? [
                  [
                    `To the end of its lease, ${spanWords(leaseMs)}`,
                    formatUsd((total * BigInt(leaseMs)) / HOUR_MS),
                  ] as const,
                ]
              : []),
            ["Per 30 days", formatUsd(total * 720n)],
            [
              "Fleet after launch",
              <span key="fleet">
                {formatUsdRate(fleet + total)} <span className="muted">was {formatUsdRate(fleet)}</span>
              </span>,
            ],
            ...budgetRows({ offers, offer, draft }),
          ]}
        />
      )}
    </Panel>
  );
}

function budgetRows({ offers, offer, draft }: Props & { offer: Offer }) {
  const { zone, now } = offers;
  const rooms = headroom(draft, offer, offers).slice(0, BUDGETS_SHOWN);
  if (rooms.length === 0)
    return [
      [
        "Budget",
        <span key="budget" className="muted">
          none set
        </span>,
      ] as const,
    ];
  return rooms.map(({ budget, withIt }) => {
    const rest = BigInt(budget.micros) - BigInt(budget.spentMicros);
    const name = isFleet(budget.selector) ? "Budget" : budget.name;
    return [
      rest > 0n ? `${name}, ${formatUsd(rest)} left` : name,
      withIt === null ? (
        "not reached"
      ) : (
        <b key={budget.name} className="text-warn">
          {withIt <= now ? "used up" : `reached ${formatDay(withIt, zone)}`}
        </b>
      ),
    ] as const;
  });
}
