import { Meter } from "@/components/ui/meter";
import { Missing } from "@/components/ui/quantity";
import { Empty } from "@/components/ui/states";
import { GroupRow, Table } from "@/components/ui/table";
import type { CompareAnswer, OfferView } from "@/lib/domain/plan/compare-view";
import type { Likeness } from "@/lib/domain/plan/comparison";
import { TIER_WORDS } from "@/lib/domain/plan/quote-words";
import { Formula } from "./formula";
import { QuoteAge, QuoteName, QuoteStateMark } from "./quote-marks";

const GROUPS: Record<Likeness, { title: string; about: string }> = {
  like: { title: "Like with like", about: "the same card, kept until you end it, machine included" },
  other: {
    title: "Another size or board",
    about: "no difference is drawn, only dollars per GB of GPU memory and hour",
  },
  none: { title: "Not compared", about: "shown so that nobody has to ask" },
};
const COLUMNS = 8;

type Comparison = NonNullable<CompareAnswer["comparison"]>;

/** Every price of the card, like with like first; what cannot be compared stands apart and says why. */
export function OffersTable({ data, comparison }: { data: CompareAnswer; comparison: Comparison }) {
  const { offers, lambdaStorage, left } = comparison;
  if (offers.length === 0)
    return (
      <Empty
        title="Nobody in the book sells this card"
        text="Choose another card, or enter a price that you know on the Prices page."
      />
    );
  const most = Math.max(...offers.map(({ totalMicros }) => Number(totalMicros)), 1);
  return (
    <>
      <Table label="Offers" className="plan-offers">
        <thead>
          <tr>
            <th scope="col">Offer</th>
            <th scope="col" className="num">
              $ / GPU-h
            </th>
            <th scope="col" className="num">
              Cost
            </th>
            <th scope="col" className="not-phone">
              <span className="sr-only">Cost as a bar</span>
            </th>
            <th scope="col" className="num">
              Against Lambda
            </th>
            <th scope="col">Price of</th>
            <th scope="col">State</th>
            <th scope="col">Read this</th>
          </tr>
        </thead>
        {(["like", "other", "none"] as const).map((likeness) => (
          <Group
            key={likeness}
            likeness={likeness}
            offers={offers.filter((offer) => offer.likeness === likeness)}
            most={most}
            hasBase={comparison.hasBase}
            day={data.day}
          />
        ))}
      </Table>
      <p className="muted panel-words">
        {lambdaStorage && (
          <>
            Storage adds <Formula figure={lambdaStorage} /> at Lambda.{" "}
          </>
        )}
        {left.map((words) => `${words} `)}
        Totals and percentages are worked out, never typed. Dotted: older than 30 days or without a day; look it up
        before you decide. Struck through: rejected by a person.
      </p>
    </>
  );
}

type GroupProps = { likeness: Likeness; offers: readonly OfferView[]; most: number; hasBase: boolean; day: string };

function Group({ likeness, offers, most, hasBase }: GroupProps) {
  if (offers.length === 0) return null;
  const { title, about } = GROUPS[likeness];
  return (
    <tbody>
      <GroupRow title={title} count={about} columns={COLUMNS} />
      {offers.map((offer) => (
        <OfferRow key={offer.quote.id} offer={offer} most={most} hasBase={hasBase} />
      ))}
    </tbody>
  );
}

function OfferRow({ offer, most, hasBase }: { offer: OfferView; most: number; hasBase: boolean }) {
  const { quote, total, whole, isBase, likeness, remarks } = offer;
  const isRejected = quote.state === "rejected";
  return (
    <tr className={isBase ? "is-selected" : undefined}>
      <th scope="row" className="font-normal">
        <QuoteName quote={quote} />
        {quote.tier !== "on_demand" && <span className="muted"> · {TIER_WORDS[quote.tier].toLowerCase()}</span>}
      </th>
      <td className="num">
        <span className={isRejected ? "line-through" : undefined}>${offer.perGpuUsd}</span>
      </td>
      <td className="num">
        <b>
          <Formula figure={total}>{isRejected ? <s>{total.value}</s> : total.value}</Formula>
        </b>
      </td>
      <td className="not-phone">
        <Meter
          value={Number(offer.totalMicros)}
          max={most}
          widthPx={56}
          label={`${total.value} of the dearest, ${quote.providerName}`}
          tone={likeness === "none" ? "unknown" : "neutral"}
          {...(isBase && { slot: 1 as const })}
        />
      </td>
      <td className="num">
        <Against offer={offer} hasBase={hasBase} />
      </td>
      <td>
        <QuoteAge quote={quote} />
      </td>
      <td>
        <QuoteStateMark state={quote.state} />
      </td>
      <td className="is-wrapping plan-remarks text-text-2">
        {remarks.join(", ")}
        {whole && (
          <>
            {remarks.length > 0 && ": "}
            <Formula figure={whole}>{whole.value} whole</Formula>
          </>
        )}
      </td>
    </tr>
  );
}

function Against({ offer, hasBase }: { offer: OfferView; hasBase: boolean }) {
  const { isBase, likeness, against, perGb } = offer;
  if (isBase) return <span className="muted">reference</span>;
  if (likeness === "like" && against) return <Formula figure={against} />;
  if (likeness === "other" && perGb) return <Formula figure={perGb}>{perGb.value} /GB-h</Formula>;
  if (likeness === "other") return <span className="muted">memory?</span>;
  if (against) return <Formula figure={against}>price alone</Formula>;
  return <Missing reason={hasBase ? "not compared" : "Lambda has no like offer"} />;
}
