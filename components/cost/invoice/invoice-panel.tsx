"use client";

import { FilePlus2 } from "lucide-react";
import type { Route } from "next";
import { dayRangeWords } from "@/components/cost/words";
import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Deck, Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";
import { Table } from "@/components/ui/table";
import { formatCount, formatUsd, formatUsdChange } from "@/lib/domain/format";
import type { InvoiceRow, InvoicesAnswer } from "@/lib/domain/invoice/view";
import { invoicesQuery } from "@/lib/queries/invoices";
import { ACCRUED, invoicesHref, standing } from "./words";

/** The month's page asks it too: does the ledger equal what was billed? */
export function InvoicePanel({ month, canWrite }: { month: string; canWrite: boolean }) {
  const { data } = useLive(invoicesQuery({ month }));
  const isBlank = data.invoices.length === 0;
  return (
    <Deck className="cost invoice-room">
      <Panel
        span={12}
        isFlush
        title="Does it equal the invoice?"
        sub={isBlank ? undefined : `${formatCount(data.invoices.length, "invoice")} received`}
        actions={
          <>
            {!isBlank && (
              <ButtonLink size="small" href={invoicesHref(month)}>
                All differences
              </ButtonLink>
            )}
            {canWrite && <AddLink month={month} />}
          </>
        }
      >
        <div id="invoices">
          {isBlank ? (
            <Empty
              icon={FilePlus2}
              title="No invoice yet"
              text={`${formatUsd(data.totals.accruedMicros)} of this month is accrued. Enter the provider’s weekly invoice to compare it line by line.`}
            />
          ) : (
            <InvoiceTable data={data} />
          )}
        </div>
      </Panel>
    </Deck>
  );
}

export function AddLink({ month }: { month: string }) {
  return (
    <ButtonLink size="small" icon={FilePlus2} href={`/cost/${month}/invoices/new` as Route}>
      Add invoice
    </ButtonLink>
  );
}

type TableProps = { data: InvoicesAnswer; current?: string | undefined };

/** Invoices and the days between them, in order of time, with their sums. */
export function InvoiceTable({ data, current }: TableProps) {
  const rows = [
    ...data.invoices.map((invoice) => ({ from: invoice.fromDay, invoice, accrued: null })),
    ...data.accrued.map((accrued) => ({ from: accrued.fromDay, invoice: null, accrued })),
  ].sort((a, b) => (a.from < b.from ? -1 : 1));
  const { totals } = data;
  const difference = BigInt(totals.totalMicros) - BigInt(totals.ledgerMicros);
  return (
    <Table label="Invoices of the month">
      <thead>
        <tr>
          <th scope="col">Days, {data.zone}</th>
          <th scope="col">Invoice</th>
          <th scope="col" className="num">
            Invoiced
          </th>
          <th scope="col" className="num">
            Our ledger
          </th>
          <th scope="col" className="num">
            Difference
          </th>
          <th scope="col" className="num">
            Unexplained
          </th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ invoice, accrued }) =>
          invoice ? (
            <InvoiceLine key={invoice.id} month={data.month} row={invoice} isCurrent={invoice.id === current} />
          ) : (
            accrued && (
              <tr key={accrued.fromDay}>
                <td className="nowrap">{dayRangeWords(accrued.fromDay, accrued.toDay)}</td>
                <td className="muted">none yet</td>
                <td className="num muted">not received</td>
                <td className="num">{formatUsd(accrued.micros)}</td>
                <td className="num muted">—</td>
                <td className="num muted">—</td>
                <td>
                  <Badge tone={ACCRUED.tone} icon={ACCRUED.icon}>
                    {ACCRUED.word}
                  </Badge>
                </td>
              </tr>
            )
          ),
        )}
      </tbody>
      {data.invoices.length > 0 && (
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              Received
            </th>
            <td className="num">{formatUsd(totals.totalMicros)}</td>
            <td className="num">{formatUsd(totals.ledgerMicros)}</td>
            <td className="num">{formatUsdChange(difference)}</td>
            <td className="num">{formatUsdChange(totals.openMicros)}</td>
            <td className="muted">{totals.open === 0 ? "to the cent" : `${totals.open} open`}</td>
          </tr>
        </tfoot>
      )}
    </Table>
  );
}

function InvoiceLine({ month, row, isCurrent }: { month: string; row: InvoiceRow; isCurrent: boolean }) {
  const { tone, icon, word } = standing(row);
  return (
    <tr data-selected={isCurrent || undefined}>
      <td className="nowrap">{dayRangeWords(row.fromDay, row.toDay)}</td>
      <th scope="row">
        <Link href={invoicesHref(month, row.id)} className="link mono" scroll={false}>
          {row.number}
        </Link>
      </th>
      <td className="num">{formatUsd(row.totalMicros)}</td>
      <td className="num">{formatUsd(row.ledgerMicros)}</td>
      <td className="num">{formatUsdChange(row.differenceMicros)}</td>
      <td className="num">{formatUsdChange(row.openMicros)}</td>
      <td>
        <Badge tone={tone} icon={icon}>
          {word}
        </Badge>
      </td>
    </tr>
  );
}
