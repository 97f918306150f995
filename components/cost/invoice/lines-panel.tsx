"use client";

import { useState } from "react";
import { dayRangeWords } from "@/components/cost/words";
import { Button } from "@/components/ui/button";
import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { formatCount, formatUsd } from "@/lib/domain/format";
import type { InvoiceAnswer, LineView } from "@/lib/domain/invoice/view";
import { KIND_WORDS } from "@/lib/domain/invoice/words";
import { quantityWords, rateWords } from "./words";

/** The invoice as it was billed, line by line. */
export function LinesPanel({ data, canExport }: { data: InvoiceAnswer; canExport: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel
      span={12}
      isFlush
      title="Lines"
      sub={`${formatCount(data.invoice.lines, "line")} as billed`}
      actions={
        <>
          {canExport && <TableLinks href={`/api/v1/cost/invoices/${data.invoice.id}?table=lines`} what="The lines" />}
          <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? "Hide" : "Show"}
          </Button>
        </>
      }
    >
      {isOpen && (
        <>
          <LineTable label="Lines of the invoice" lines={data.lines} />
          {data.isCut && (
            <p className="cost-remark">
              The first {data.lines.length} of {data.invoice.lines}; the file has all of them.
            </p>
          )}
        </>
      )}
    </Panel>
  );
}

export function LineTable({ label, lines }: { label: string; lines: readonly LineView[] }) {
  return (
    <Table label={label} isDense>
      <thead>
        <tr>
          <th scope="col" className="num">
            Line
          </th>
          <th scope="col">Kind</th>
          <th scope="col">Description</th>
          <th scope="col">Machine or file system</th>
          <th scope="col">Days</th>
          <th scope="col" className="num">
            Quantity
          </th>
          <th scope="col" className="num">
            Rate
          </th>
          <th scope="col" className="num">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => {
          const unit = line.charge === "storage" ? "gib_hour" : "minute";
          return (
            <tr key={line.line}>
              <td className="num">{line.line}</td>
              <td>{KIND_WORDS[line.charge]}</td>
              <th scope="row" className="font-normal invoice-text">
                {line.description}
              </th>
              <td className="mono invoice-text">{line.resource ?? (line.sku === line.description ? "" : line.sku)}</td>
              <td className="nowrap">{line.fromDay && line.toDay ? dayRangeWords(line.fromDay, line.toDay) : ""}</td>
              <td className="num nowrap">{quantityWords(line.quantityMicros, unit)}</td>
              <td className="num nowrap">{rateWords(line.rateMicros, unit)}</td>
              <td className="num">{formatUsd(line.micros)}</td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}
