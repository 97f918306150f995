"use client";

import type { Route } from "next";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { RowCheckbox } from "@/components/ui/row-checkbox";
import { Instant } from "@/components/ui/time";
import { formatUsd, formatUsdChange } from "@/lib/domain/format";
import type { VarianceView } from "@/lib/domain/invoice/view";
import { CLASS_WORDS, STATE_WORDS } from "@/lib/domain/invoice/words";
import { DecideDialog } from "./decide-dialog";
import type { InvoiceRights } from "./invoices-room";
import { linesWords, quantityWords, rateWords, STATE_LOOK } from "./words";

type Props = {
  invoiceId: string;
  row: VarianceView;
  rights: InvoiceRights;
  isChosen?: boolean;
  onChoose?: (isOn: boolean) => void;
};

export function VarianceRow({ invoiceId, row, rights, isChosen = false, onChoose }: Props) {
  const { evidence } = row;
  const look = STATE_LOOK[row.state];
  const label = evidence.label || CLASS_WORDS[row.class];
  return (
    <tr data-selected={isChosen || undefined}>
      {onChoose && (
        <td>
          <RowCheckbox label={`${CLASS_WORDS[row.class]}, ${label}`} checked={isChosen} onChange={onChoose} />
        </td>
      )}
      <td>{CLASS_WORDS[row.class]}</td>
      <th scope="row" className="invoice-what">
        {row.resourceId ? (
          <Link href={`/fleet/${row.resourceId}` as Route} className="link">
            {label}
          </Link>
        ) : (
          label
        )}{" "}
        <span className="muted">{linesWords(evidence.lines)}</span>
        <span className="invoice-why">
          {evidence.remark}
          {row.class === "quantity" && <Bounds evidence={evidence} />}
        </span>
        {row.class === "price" && row.resourceId && (
          <Link href={"/cost/prices" as Route} className="link invoice-why">
            Correct the price book
          </Link>
        )}
      </th>
      <Side micros={row.billedMicros} quantity={evidence.billedQuantity} rate={evidence.billedRate} row={row} />
      <Side micros={row.ledgerMicros} quantity={evidence.ledgerQuantity} rate={evidence.ledgerRate} row={row} />
      <td className="num">
        <b>{formatUsdChange(row.differenceMicros)}</b>
      </td>
      <td className="invoice-said">
        <Badge tone={look.tone} icon={look.icon}>
          {STATE_WORDS[row.state]}
        </Badge>
        {(row.by !== null || row.note !== "") && (
          <span className="invoice-why">
            {row.by}
            {row.at !== null && (
              <>
                {row.by !== null && ", "}
                <Instant at={row.at} />
              </>
            )}
            {row.note && `${row.at === null ? "" : ": "}${row.note}`}
          </span>
        )}
      </td>
      {onChoose && (
        <td className="text-right">
          <DecideDialog invoiceId={invoiceId} items={[row]} act={rights.decide} label={label}>
            {row.state === "open" ? "Settle…" : "Change…"}
          </DecideDialog>
        </td>
      )}
    </tr>
  );
}

/** Whether we could have missed what the invoice has more. */
function Bounds({ evidence: { isWithinBounds, lowMicros, highMicros } }: Pick<VarianceView, "evidence">) {
  if (isWithinBounds === null) return null;
  const bounds = `${formatUsd(lowMicros)} to ${formatUsd(highMicros)}`;
  if (isWithinBounds) return <>. Within what we could not see: {bounds}</>;
  return (
    <>
      . <b>More than we could have missed:</b> {lowMicros === highMicros ? "both ends are exact" : bounds}
    </>
  );
}

type SideProps = { micros: string | null; quantity: string | null; rate: string | null; row: VarianceView };

function Side({ micros, quantity, rate, row: { evidence } }: SideProps) {
  const words = [quantityWords(quantity, evidence.unit), rateWords(rate, evidence.unit)].filter((one) => one !== null);
  return (
    <td className="num">
      {micros === null ? <span className="muted">none</span> : formatUsd(micros)}
      {words.length > 0 && <span className="invoice-why">{words.join(" at ")}</span>}
    </td>
  );
}
