"use client";

import { Plus, Undo2 } from "lucide-react";
import { Confirm } from "@/components/settings/confirm";
import { FormDialog } from "@/components/settings/form-dialog";
import { Button, IconButton } from "@/components/ui/button";
import { SelectField, TextField } from "@/components/ui/field";
import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { toast } from "@/components/ui/toast";
import type { ChargeLine, PricesAnswer } from "@/lib/domain/cost/price-view";
import { formatUsdChange } from "@/lib/domain/format";
import { toLocalInput } from "@/lib/domain/local-input";
import { DayFields, OWNER_FIELDS, OwnerFields } from "./charge-fields";
import type { PriceActs } from "./price-room";

const KIND_WORDS: Record<ChargeLine["kind"], string> = {
  credit: "Credit",
  tax: "Tax",
  adjustment: "Adjustment",
  rounding: "Rounding",
  commitment: "Commitment",
};

const FIELDS = ["kind", "direction", "amount", "fromDay", "toDay", "description", ...OWNER_FIELDS];

type Props = { data: PricesAnswer; acts: PriceActs; locked: string | null; canExport: boolean };

/** Credits, tax and adjustments: amounts that no meter sees. */
export function ChargesPanel({ data, acts, locked, canExport }: Props) {
  return (
    <Panel
      span={6}
      isFlush
      title="Charges"
      sub="credits, tax, adjustments"
      actions={
        <>
          {canExport && data.charges.length > 0 && (
            <TableLinks href="/api/v1/cost/prices?table=charges" what="Charges" />
          )}
          {locked === null && <NewChargeDialog data={data} acts={acts} />}
        </>
      }
    >
      {data.charges.length === 0 ? (
        <p className="muted panel-words">
          None. A credit or a tax of an invoice that is entered here becomes rows of the ledger, one for each of its
          days.
        </p>
      ) : (
        <Table label="Charges">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Days</th>
              <th scope="col" className="not-phone">
                Borne by
              </th>
              <th scope="col" className="num">
                Amount
              </th>
              {locked === null && (
                <th scope="col">
                  <span className="sr-only">Take back</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {data.charges.map((charge) => (
              <tr key={charge.id}>
                <th scope="row" className="py-2 font-normal leading-snug whitespace-normal">
                  <span className="font-medium">{charge.description}</span>
                  <div className="muted text-12">
                    {KIND_WORDS[charge.kind]}
                    {charge.invoice !== null && `, invoice ${charge.invoice}`}
                    {charge.by !== null && `, ${charge.by}`}
                  </div>
                </th>
                <td>{charge.fromDay === charge.toDay ? charge.fromDay : `${charge.fromDay} – ${charge.toDay}`}</td>
                <td className="not-phone text-text-2">{charge.owner || "by rule"}</td>
                <td className="num">
                  <b>{formatUsdChange(charge.micros)}</b>
                </td>
                {locked === null && (
                  <td>
                    {charge.invoice === null && (
                      <Confirm
                        trigger={<IconButton size="small" icon={Undo2} label={`Take back ${charge.description}`} />}
                        title={`Take back ${charge.description}`}
                        word="Take it back"
                        done="The charge is taken back"
                        act={acts.removeCharge}
                        input={{ chargeId: charge.id }}
                      >
                        Its rows leave the open months within a minute. What is in closed months stays there and is
                        taken off the open one.
                      </Confirm>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

function NewChargeDialog({ data, acts }: Pick<Props, "data" | "acts">) {
  const today = toLocalInput(data.now, data.zone).slice(0, 10);
  return (
    <FormDialog
      trigger={
        <Button size="small" icon={Plus}>
          Add charge
        </Button>
      }
      title="Add a charge"
      about="An amount over several days falls on them in equal parts. In a closed month it counts in the open one."
      word="Add"
      act={acts.addCharge}
      fields={FIELDS}
      onDone={() => toast("ok", "The charge is added", "The ledger follows within a minute.")}
    >
      {(failure) => (
        <>
          <div className="grid grid-cols-2 gap-3 max-[700px]:grid-cols-1">
            <SelectField label="Kind" name="kind" defaultValue="credit" error={failure?.fields.kind}>
              <option value="credit">Credit, lowers the bill</option>
              <option value="tax">Tax</option>
              <option value="adjustment">Adjustment</option>
            </SelectField>
            <SelectField label="An adjustment" name="direction" defaultValue="adds" error={failure?.fields.direction}>
              <option value="adds">adds to the bill</option>
              <option value="lowers">lowers the bill</option>
            </SelectField>
          </div>
          <TextField
            label="Amount"
            name="amount"
            inputMode="decimal"
            unit="USD"
            required
            error={failure?.fields.amount}
          />
          <TextField
            label="What it is for"
            name="description"
            required
            maxLength={120}
            placeholder="Credit of invoice 4711"
            error={failure?.fields.description}
          />
          <DayFields today={today} fields={failure?.fields ?? {}} />
          <OwnerFields fields={failure?.fields ?? {}} />
        </>
      )}
    </FormDialog>
  );
}
