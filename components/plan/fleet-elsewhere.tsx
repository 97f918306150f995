import { Note } from "@/components/ui/note";
import { Missing } from "@/components/ui/quantity";
import { RowCard } from "@/components/ui/row-card";
import { Empty } from "@/components/ui/states";
import { Table } from "@/components/ui/table";
import { formatUsd } from "@/lib/domain/format";
import type { CompareAnswer } from "@/lib/domain/plan/compare-view";
import type { MovedView } from "@/lib/domain/plan/fleet-view";
import type { QuoteView } from "@/lib/domain/plan/quote-view";
import { Formula } from "./formula";
import { QuoteAge, QuoteName } from "./quote-marks";

type Fleet = NonNullable<CompareAnswer["fleet"]>;

/** The hours that the ledger billed in a month, at like prices elsewhere; what has no like offer stays and is in no sum. */
export function FleetElsewhere({ fleet }: { fleet: Fleet }) {
  if (fleet.rows.length === 0)
    return (
      <Empty
        title="Nothing was billed in this month"
        text="Choose a month in which machines ran, or compare a machine."
      />
    );
  return (
    <>
      <MovedCards fleet={fleet} />
      <div className="not-phone">
        <Table label="The fleet elsewhere" className="plan-offers">
          <thead>
            <tr>
              <th scope="col">Machine</th>
              <th scope="col" className="num">
                Hours
              </th>
              <th scope="col" className="num">
                At Lambda
              </th>
              <th scope="col">Same card at</th>
              <th scope="col">Price of</th>
              <th scope="col" className="num">
                Would cost
              </th>
              <th scope="col" className="num">
                Change
              </th>
            </tr>
          </thead>
          <tbody>
            {fleet.rows.map((row) => (
              <MovedRow key={row.typeName} row={row} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={2}>
                Compared part{fleet.coveredPct !== null && `, ${fleet.coveredPct} % of the GPU-hours`}
              </th>
              <td className="num">
                <Formula figure={fleet.compared} />
              </td>
              <td colSpan={2} />
              <td className="num">
                <Formula figure={fleet.elsewhere} />
              </td>
              <td className="num">
                <Formula figure={fleet.change} />
              </td>
            </tr>
          </tfoot>
        </Table>
      </div>
      <div className="plan-notes">
        {fleet.stale > 0 && (
          <Note tone="warn">
            <b>
              {fleet.stale === fleet.used ? "All" : `${fleet.stale} of ${fleet.used}`} prices elsewhere are stale or
              undated: a lead, not a decision.
            </b>{" "}
            What has no like offer is not guessed. Storage stays where it is.
          </Note>
        )}
        {fleet.unknownRows > 0 && (
          <Note tone="warn">Some of these machines have hours without a price; they are in no sum.</Note>
        )}
      </div>
    </>
  );
}

/** The same on a phone. */
function MovedCards({ fleet }: { fleet: Fleet }) {
  return (
    <ul className="phone-only">
      {fleet.rows.map((row) => (
        <RowCard
          key={row.typeName}
          name={<b>{row.gpu}</b>}
          about={
            <>
              <span>
                {row.typeName}, {Number(row.hours).toLocaleString("en-US")} h
              </span>
              <span>{row.offer ? <MovedOffer offer={row.offer} /> : "no like offer"}</span>
            </>
          }
          value={row.change ? <Formula figure={row.change} /> : <Missing reason="no like offer" />}
          more={
            <>
              <span>{row.micros === null ? "price unknown" : `${formatUsd(row.micros)} here`}</span>
              {row.elsewhere && (
                <span>
                  <Formula figure={row.elsewhere} /> there
                </span>
              )}
            </>
          }
        />
      ))}
      <RowCard
        name={<b>Compared part</b>}
        about={fleet.coveredPct !== null && <span>{fleet.coveredPct} % of the GPU-hours</span>}
        value={<Formula figure={fleet.change} />}
        more={
          <>
            <span>
              <Formula figure={fleet.compared} /> here
            </span>
            <span>
              <Formula figure={fleet.elsewhere} /> there
            </span>
          </>
        }
        isMarked
      />
    </ul>
  );
}

function MovedOffer({ offer }: { offer: QuoteView }) {
  return (
    <>
      <QuoteName quote={offer} />
      {offer.unit === "instance" && offer.gpus > 1 && <span className="muted"> · 1 of {offer.gpus}</span>}
    </>
  );
}

function MovedRow({ row }: { row: MovedView }) {
  return (
    <tr>
      <th scope="row" className="font-normal">
        <b>{row.gpu}</b> <span className="muted">{row.typeName}</span>
      </th>
      <td className="num">{Number(row.hours).toLocaleString("en-US")}</td>
      <td className="num">{row.micros === null ? <Missing reason="a price is unknown" /> : formatUsd(row.micros)}</td>
      <td>{row.offer ? <MovedOffer offer={row.offer} /> : <span className="muted">no like offer</span>}</td>
      <td>{row.offer ? <QuoteAge quote={row.offer} /> : <Missing />}</td>
      <td className="num">{row.elsewhere ? <Formula figure={row.elsewhere} /> : <Missing reason="no like offer" />}</td>
      <td className="num">{row.change ? <Formula figure={row.change} /> : <Missing reason="no like offer" />}</td>
    </tr>
  );
}
