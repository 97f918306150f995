import { Note } from "@/components/ui/note";
import { Missing } from "@/components/ui/quantity";
import { Empty } from "@/components/ui/states";
import { Table } from "@/components/ui/table";
import { formatUsd } from "@/lib/domain/format";
import type { CompareAnswer, MovedView } from "@/lib/domain/plan/compare-view";
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
            <td className="num">{formatUsd(fleet.comparedMicros)}</td>
            <td colSpan={2} />
            <td className="num">{formatUsd(fleet.elsewhereMicros)}</td>
            <td className="num">
              <Formula figure={fleet.change} />
            </td>
          </tr>
        </tfoot>
      </Table>
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

function MovedRow({ row }: { row: MovedView }) {
  return (
    <tr>
      <th scope="row" className="font-normal">
        <b>{row.gpu}</b> <span className="muted">{row.typeName}</span>
      </th>
      <td className="num">{Number(row.hours).toLocaleString("en-US")}</td>
      <td className="num">{row.micros === null ? <Missing reason="a price is unknown" /> : formatUsd(row.micros)}</td>
      <td>
        {row.offer ? (
          <>
            <QuoteName quote={row.offer} />
            {row.offer.unit === "instance" && row.offer.gpus > 1 && (
              <span className="muted"> · 1 of {row.offer.gpus}</span>
            )}
          </>
        ) : (
          <span className="muted">no like offer</span>
        )}
      </td>
      <td>{row.offer ? <QuoteAge quote={row.offer} /> : <Missing />}</td>
      <td className="num">{row.elsewhere ? <Formula figure={row.elsewhere} /> : <Missing reason="no like offer" />}</td>
      <td className="num">{row.change ? <Formula figure={row.change} /> : <Missing reason="no like offer" />}</td>
    </tr>
  );
}
