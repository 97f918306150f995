"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { dayRangeWords } from "@/components/cost/words";
import { useLive } from "@/components/page/use-live";
import { SelectField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Deck, Panel } from "@/components/ui/panel";
import { RowCheckbox } from "@/components/ui/row-checkbox";
import { FilteredToNothing } from "@/components/ui/states";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { formatCount, formatUsd, formatUsdChange } from "@/lib/domain/format";
import { VARIANCE_CLASSES, VARIANCE_STATES, type VarianceClass, type VarianceState } from "@/lib/domain/invoice/types";
import type { InvoiceAnswer, VarianceView } from "@/lib/domain/invoice/view";
import { CLASS_WORDS, STATE_WORDS } from "@/lib/domain/invoice/words";
import { invoiceQuery } from "@/lib/queries/invoices";
import { DecideDialog } from "./decide-dialog";
import type { InvoiceRights } from "./invoices-room";
import { LinesPanel } from "./lines-panel";
import { RemoveDialog } from "./remove-dialog";
import { VarianceRow } from "./variance-row";

type Props = { invoiceId: string; month: string } & InvoiceRights;

/** What is different of an invoice: each difference with its class, its evidence, and what was said of it. */
export function VariancesPanel({ invoiceId, month, ...rights }: Props) {
  const { data } = useLive(invoiceQuery(invoiceId));
  const [found, setFound] = useState<VarianceClass | "">("");
  const [state, setState] = useState<VarianceState | "">("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const shown = data.variances.filter(
    (one) => (found === "" || one.class === found) && (state === "" || one.state === state),
  );
  const picked = shown.filter(({ key }) => chosen.has(key));
  const canWrite = rights.lock === null;
  const toggle = (keys: readonly string[], isOn: boolean) =>
    setChosen((before) => {
      const next = new Set(before);
      for (const key of keys) isOn ? next.add(key) : next.delete(key);
      return next;
    });
  const rounding = data.variances.filter((one) => one.class === "rounding" && one.state === "open");
  const { invoice } = data;
  return (
    <Deck className="cost invoice-room">
      <Panel
        span={12}
        isFlush
        title={
          <>
            <span className="mono">{invoice.number}</span>, {dayRangeWords(invoice.fromDay, invoice.toDay)}
          </>
        }
        sub={matchWords(data)}
        actions={
          <>
            {invoice.fileName !== null && (
              <a className="btn btn-small" href={`/api/v1/cost/invoices/${invoice.id}/file`} download>
                <Download size={14} aria-hidden="true" />
                <span className="invoice-file">{invoice.fileName}</span>
              </a>
            )}
            {rights.canExport && data.variances.length > 0 && (
              <TableLinks
                href={`/api/v1/cost/invoices/${invoice.id}?${new URLSearchParams({ ...(found && { class: found }), ...(state && { state }) })}`}
                what="The differences"
              />
            )}
            {canWrite && <RemoveDialog invoice={invoice} month={month} act={rights.remove} />}
          </>
        }
      >
        <Tolerance data={data} />
        {data.variances.length > 0 && (
          <>
            <div className="invoice-tools">
              <SelectField
                label="Class"
                isLabelHidden
                value={found}
                onChange={({ currentTarget: { value } }) =>
                  setFound(VARIANCE_CLASSES.find((one) => one === value) ?? "")
                }
              >
                <option value="">All classes</option>
                {invoice.byClass.map((one) => (
                  <option key={one.class} value={one.class}>
                    {CLASS_WORDS[one.class]} ({one.count})
                  </option>
                ))}
              </SelectField>
              <SelectField
                label="State"
                isLabelHidden
                value={state}
                onChange={({ currentTarget: { value } }) =>
                  setState(VARIANCE_STATES.find((one) => one === value) ?? "")
                }
              >
                <option value="">All states</option>
                {VARIANCE_STATES.map((one) => (
                  <option key={one} value={one}>
                    {STATE_WORDS[one]}
                  </option>
                ))}
              </SelectField>
              {canWrite && (
                <span className="invoice-acts">
                  {rounding.length > 0 && picked.length === 0 && (
                    <DecideDialog invoiceId={invoiceId} items={rounding} act={rights.decide} state="accepted">
                      Accept rounding…
                    </DecideDialog>
                  )}
                  {picked.length > 0 && (
                    <DecideDialog
                      invoiceId={invoiceId}
                      items={picked}
                      act={rights.decide}
                      onDone={() => setChosen(new Set())}
                    >
                      Settle {picked.length}…
                    </DecideDialog>
                  )}
                </span>
              )}
            </div>
            {shown.length === 0 ? (
              <FilteredToNothing
                title={`0 of ${formatCount(data.variances.length, "difference")}`}
                filter={[found && CLASS_WORDS[found], state && STATE_WORDS[state]].filter(Boolean).join(", ")}
                onClear={() => {
                  setFound("");
                  setState("");
                }}
              />
            ) : (
              <VarianceTable
                invoiceId={invoiceId}
                rows={shown}
                rights={rights}
                chosen={chosen}
                {...(canWrite && { onChoose: toggle })}
              />
            )}
          </>
        )}
      </Panel>
      <LinesPanel data={data} canExport={rights.canExport} />
    </Deck>
  );
}

function matchWords({ matched, invoice, unknownRows }: InvoiceAnswer): string {
  const words = `${matched.lines} of ${formatCount(invoice.lines, "line")} agree exactly, ${formatUsd(matched.micros)}`;
  return unknownRows === 0 ? words : `${words}; ${formatCount(unknownRows, "row")} of the ledger have no price`;
}

function Tolerance({ data }: { data: InvoiceAnswer }) {
  const difference = formatUsdChange(data.comparedMicros);
  const within = `${formatUsd(data.toleranceMicros)} tolerance for ${formatCount(data.ledgerRows, "row")} (FOCUS 1.4)`;
  return (
    <div className="invoice-note">
      {data.isWithinTolerance ? (
        <Note tone="ok">
          <b>{difference} without tax and credits.</b> Within the {within}.
        </Note>
      ) : (
        <Note tone="warn">
          <b>{difference} without tax and credits.</b> More than the {within}.
        </Note>
      )}
    </div>
  );
}

type TableProps = {
  invoiceId: string;
  rows: readonly VarianceView[];
  rights: InvoiceRights;
  chosen: ReadonlySet<string>;
  onChoose?: (keys: readonly string[], isOn: boolean) => void;
};

function VarianceTable({ invoiceId, rows, rights, chosen, onChoose }: TableProps) {
  const picked = rows.filter(({ key }) => chosen.has(key)).length;
  const total = rows.reduce((all, { differenceMicros }) => all + BigInt(differenceMicros), 0n);
  return (
    <Table label="Differences" className="invoice-table">
      <thead>
        <tr>
          {onChoose && (
            <th scope="col">
              <RowCheckbox
                label="all that are shown"
                checked={picked === 0 ? false : picked === rows.length ? true : "some"}
                onChange={(isOn) =>
                  onChoose(
                    rows.map(({ key }) => key),
                    isOn,
                  )
                }
              />
            </th>
          )}
          <th scope="col">Class</th>
          <th scope="col">What</th>
          <th scope="col" className="num">
            Invoiced
          </th>
          <th scope="col" className="num">
            Our ledger
          </th>
          <th scope="col" className="num">
            Difference
          </th>
          <th scope="col">State</th>
          {onChoose && (
            <th scope="col">
              <span className="sr-only">Acts</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <VarianceRow
            key={row.key}
            invoiceId={invoiceId}
            row={row}
            rights={rights}
            {...(onChoose && {
              isChosen: chosen.has(row.key),
              onChoose: (isOn: boolean) => onChoose([row.key], isOn),
            })}
          />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={onChoose ? 5 : 4}>
            {formatCount(rows.length, "difference")}
          </th>
          <td className="num">{formatUsdChange(total)}</td>
          <td colSpan={onChoose ? 2 : 1} />
        </tr>
      </tfoot>
    </Table>
  );
}
