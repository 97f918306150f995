import type { Route } from "next";
import { Link } from "@/components/ui/link";
import type { CostRow } from "@/lib/domain/cost/view";
import { formatUsd } from "@/lib/domain/format";
import type { Line } from "./model";
import { quantityOf, RowBadges, ratesOf, type Shown } from "./resource-panel";
import { Amount } from "./statement-panel";

/** The same lines on a phone, where a table would have to be dragged. */
export function ResourceCards({ shown }: { shown: Shown }) {
  return (
    <ul>
      {[...shown.instances, ...shown.storage].map((line) => (
        <Card key={line.row.id} line={line} />
      ))}
      {shown.hidden.count > 0 && (
        <li className="cost-card">
          <span className="muted">{shown.hidden.count} more</span>
          <span className="num">
            <Amount micros={shown.hidden.micros} unknownRows={shown.hidden.unknownRows} />
          </span>
        </li>
      )}
      <li className="cost-card">
        <b>Total</b>
        <b className="num">{formatUsd(shown.totalMicros)}</b>
      </li>
    </ul>
  );
}

function Card({ line }: { line: Line<CostRow> }) {
  const { row, micros, idleMicros } = line;
  const isInstance = row.kind === "instance";
  const words = (
    <>
      <span className="min-w-0">
        <b className="ellipsis block">{row.name}</b>
        <span className="muted ellipsis block">
          {[isInstance ? row.typeName : "file system", row.team || "unallocated"].filter(Boolean).join(", ")}
        </span>
        <RowBadges row={row} />
      </span>
      <span className="text-right">
        <span className="block">
          <Amount micros={micros} unknownRows={row.unknownRows} />
        </span>
        <span className="muted block">{isInstance ? `${quantityOf(row)} h at ${ratesOf(row)}` : quantityOf(row)}</span>
        {row.idleMicros !== "0" && <span className="muted block">{formatUsd(idleMicros)} idle</span>}
      </span>
    </>
  );
  return (
    <li>
      {isInstance ? (
        <Link href={`/fleet/${row.id}` as Route} className="cost-card">
          {words}
        </Link>
      ) : (
        <div className="cost-card">{words}</div>
      )}
    </li>
  );
}
