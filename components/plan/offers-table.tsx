import { Meter } from "@/components/ui/meter";
import { Missing } from "@/components/ui/quantity";
import { RowCard } from "@/components/ui/row-card";
import { Empty } from "@/components/ui/states";
import { GroupRow, Table } from "@/components/ui/table";
import type { CompareAnswer, OfferView } from "@/lib/domain/plan/compare-view";
import type { Likeness } from "@/lib/domain/plan/comparison";
import { perGpuFigure } from "@/lib/domain/plan/price-figures";
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
export function OffersTable({ comparison }: { comparison: Comparison }) {
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
      <OfferCards offers={offers} hasBase={comparison.hasBase} />
      <div className="not-phone">
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
              <th scope="col">
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
            />
          ))}
        </Table>
      </div>
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

type CardsProps = { offers: readonly OfferView[]; hasBase: boolean };

/** The same on a phone. */
function OfferCards({ offers, hasBase }: CardsProps) {
  return (
    <div className="phone-only">
      {(["like", "other", "none"] as const).map((likeness) => {
        const own = offers.filter((offer) => offer.likeness === likeness);
        const { title } = GROUPS[likeness];
        return own.length === 0 ? null : (
          <section key={likeness} aria-label={title}>
            <h3 className="card-group">
              {title}
              <span className="muted">{own.length}</span>
            </h3>
            <ul>
              {own.map((offer) => (
                <OfferCard key={offer.quote.id} offer={offer} hasBase={hasBase} />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function OfferCard({ offer, hasBase }: { offer: OfferView; hasBase: boolean }) {
  const { quote, isBase, remarks, whole } = offer;
  return (
    <RowCard
      name={<OfferName quote={quote} />}
      about={
        <span className="flex flex-wrap gap-x-3">
          <QuoteStateMark state={quote.state} />
          <QuoteAge quote={quote} />
        </span>
      }
      value={<Total offer={offer} />}
      more={
        <>
          <span>
            <Against offer={offer} hasBase={hasBase} />
          </span>
          <span>
            <GpuHour offer={offer} /> / GPU-h
          </span>
        </>
      }
      isMarked={isBase}
    >
      {(remarks.length > 0 || whole) && <Remarks offer={offer} />}
    </RowCard>
  );
}

type GroupProps = { likeness: Likeness; offers: readonly OfferView[]; most: number; hasBase: boolean };

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
  const { quote, total, isBase, likeness } = offer;
  return (
    <tr className={isBase ? "is-selected" : undefined}>
      <th scope="row" className="font-normal">
        <OfferName quote={quote} />
      </th>
      <td className="num">
        <GpuHour offer={offer} />
      </td>
      <td className="num">
        <b>
          <Total offer={offer} />
        </b>
      </td>
      <td>
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
        <Remarks offer={offer} />
      </td>
    </tr>
  );
}

function OfferName({ quote }: Pick<OfferView, "quote">) {
  return (
    <>
      <QuoteName quote={quote} />
      {quote.tier !== "on_demand" && <span className="muted"> · {TIER_WORDS[quote.tier].toLowerCase()}</span>}
    </>
  );
}

function GpuHour({ offer: { quote, perGpuUsd } }: { offer: OfferView }) {
  const figure = perGpuFigure(quote);
  const words = <span className={quote.state === "rejected" ? "line-through" : undefined}>${perGpuUsd}</span>;
  return figure ? <Formula figure={figure}>{words}</Formula> : words;
}

function Total({ offer: { quote, total } }: { offer: OfferView }) {
  return <Formula figure={total}>{quote.state === "rejected" ? <s>{total.value}</s> : total.value}</Formula>;
}

function Remarks({ offer: { remarks, whole } }: { offer: OfferView }) {
  return (
    <>
      {remarks.join(", ")}
      {whole && (
        <>
          {remarks.length > 0 && ": "}
          <Formula figure={whole}>{whole.value} whole</Formula>
        </>
      )}
    </>
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
