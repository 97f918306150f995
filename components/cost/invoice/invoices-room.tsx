"use client";

import { FilePlus2 } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useLive } from "@/components/page/use-live";
import { KeyFigure } from "@/components/ui/key-figure";
import { Deck, Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";
import { TableLinks } from "@/components/ui/table-links";
import { formatCount, formatUsd, formatUsdChange } from "@/lib/domain/format";
import type { Decide, InvoicesAnswer, RemoveInvoice } from "@/lib/domain/invoice/view";
import type { Result } from "@/lib/errors";
import { invoicesQuery } from "@/lib/queries/invoices";
import { AddLink, InvoiceTable } from "./invoice-panel";
import { VariancesPanel } from "./variances-panel";

export type InvoiceRights = {
  decide: (input: Decide) => Promise<Result<{ decided: number }>>;
  remove: (input: RemoveInvoice | FormData) => Promise<Result<{ id: string }>>;
  /** Why somebody may only look; null: he may act. */
  lock: string | null;
  canExport: boolean;
};

/** A month's invoices, and what is different of the one that is chosen. */
export function InvoicesRoom({ month, first, ...rights }: { month: string; first: string | null } & InvoiceRights) {
  const { data } = useLive(invoicesQuery({ month }));
  const asked = useSearchParams().get("invoice");
  const shown = data.invoices.find(({ id }) => id === asked)?.id ?? data.invoices.find(({ id }) => id === first)?.id;
  const current = shown ?? data.invoices.at(-1)?.id;
  return (
    <>
      <Deck className="cost">
        <Figures data={data} />
        <Panel
          span={12}
          isFlush
          title="Invoices"
          sub="with a day in the month; weekly ones reach into two"
          actions={
            <>
              {rights.canExport && data.invoices.length > 0 && (
                <TableLinks href={`/api/v1/cost/invoices?month=${month}`} what="The invoices" />
              )}
              {rights.lock === null && <AddLink month={month} />}
            </>
          }
        >
          {data.invoices.length === 0 && data.accrued.length === 0 ? (
            <Empty
              icon={FilePlus2}
              title="No invoice yet"
              text="Enter one as a CSV file, by pasting its table, or by typing its lines."
            />
          ) : (
            <InvoiceTable data={data} current={current} />
          )}
          {rights.lock !== null && <p className="cost-remark">{rights.lock}</p>}
        </Panel>
      </Deck>
      {current !== undefined && <VariancesPanel key={current} invoiceId={current} month={month} {...rights} />}
    </>
  );
}

function Figures({ data: { totals, invoices, accrued } }: { data: InvoicesAnswer }) {
  const difference = BigInt(totals.totalMicros) - BigInt(totals.ledgerMicros);
  return (
    <>
      <KeyFigure
        span={3}
        label="Invoiced"
        value={formatUsd(totals.totalMicros)}
        note={formatCount(invoices.length, "invoice")}
      />
      <KeyFigure
        span={3}
        label="Against our ledger"
        value={formatUsdChange(difference)}
        note={`${formatUsd(totals.ledgerMicros)} in the same days`}
      />
      <KeyFigure
        span={3}
        label="Unexplained"
        value={formatUsdChange(totals.openMicros)}
        note={totals.open === 0 ? "nothing is open" : `${formatCount(totals.open, "difference")} open`}
      />
      <KeyFigure
        span={3}
        label="Not invoiced yet"
        value={formatUsd(totals.accruedMicros)}
        note={accrued.length === 0 ? "every day is covered" : "accrued until the invoice comes"}
      />
    </>
  );
}
