"use client";

import { Plus, Undo2 } from "lucide-react";
import { Confirm } from "@/components/settings/confirm";
import { FormDialog } from "@/components/settings/form-dialog";
import { Button, IconButton } from "@/components/ui/button";
import { SelectField, TextField } from "@/components/ui/field";
import { Meter } from "@/components/ui/meter";
import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { toast } from "@/components/ui/toast";
import type { CommitmentLine, PricesAnswer } from "@/lib/domain/cost/price-view";
import { formatNumber, formatUsd } from "@/lib/domain/format";
import { formatDay } from "@/lib/domain/format-time";
import { toLocalInput } from "@/lib/domain/local-input";
import { DayFields, OWNER_FIELDS, OwnerFields } from "./charge-fields";
import type { PriceActs } from "./price-room";
import { priceWords, regionWords } from "./price-words";

const FIELDS = [
  "name",
  "sku",
  "region",
  "count",
  "fromDay",
  "toDay",
  "upfront",
  "weekly",
  "rate",
  "note",
  ...OWNER_FIELDS,
];

type Props = { data: PricesAnswer; acts: PriceActs; locked: string | null; canExport: boolean };

/** Capacity that is paid for whether it is used or not, and how much of it was. */
export function CommitmentsPanel({ data, acts, locked, canExport }: Props) {
  return (
    <Panel
      span={6}
      isFlush
      title="Commitments"
      sub="paid for a term, used or not"
      actions={
        <>
          {canExport && data.commitments.length > 0 && (
            <TableLinks href="/api/v1/cost/prices?table=commitments" what="Commitments" />
          )}
          {locked === null && <NewCommitmentDialog data={data} acts={acts} />}
        </>
      }
    >
      {data.commitments.length === 0 ? (
        <p className="muted panel-words">
          None. What is paid for one is billed on its day, and spread over the term on the minutes that it covers.
        </p>
      ) : (
        <Table label="Commitments">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col" className="not-phone">
                Term
              </th>
              <th scope="col" className="num">
                Paid
              </th>
              <th scope="col" className="num">
                Used
              </th>
              {locked === null && (
                <th scope="col">
                  <span className="sr-only">Take back</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {data.commitments.map((one) => (
              <CommitmentRow key={one.id} one={one} zone={data.zone} acts={acts} locked={locked} />
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

type RowProps = { one: CommitmentLine; zone: string; acts: PriceActs; locked: string | null };

function CommitmentRow({ one, zone, acts, locked }: RowProps) {
  const used = Number(one.usedMicros);
  const spread = used + Number(one.unusedMicros);
  const pct = spread > 0 ? (used / spread) * 100 : null;
  return (
    <tr>
      <th scope="row" className="py-2 font-normal leading-snug whitespace-normal">
        <span className="font-medium">{one.name}</span>
        <div className="muted text-12">
          {one.count} × {one.sku} in {regionWords(one.region)}: {termsOf(one)}
        </div>
      </th>
      <td className="not-phone">
        {formatDay(one.from, zone, true)} – {formatDay(one.to - 1, zone, true)}
      </td>
      <td className="num">{formatUsd(one.paidMicros)}</td>
      <td className="num">
        {pct === null ? (
          <span className="muted">not begun</span>
        ) : (
          <>
            <Meter value={pct} max={100} label={`${formatNumber(pct, 1)} % used`} widthPx={56} /> {formatNumber(pct, 0)}{" "}
            %<div className="muted text-12">{formatUsd(one.unusedMicros)} unused</div>
          </>
        )}
      </td>
      {locked === null && (
        <td>
          <Confirm
            trigger={<IconButton size="small" icon={Undo2} label={`Take back ${one.name}`} />}
            title={`Take back ${one.name}`}
            word="Take it back"
            done="The commitment is taken back"
            act={acts.removeCommitment}
            input={{ commitmentId: one.id }}
          >
            What it covered is billed as if it had never been. What is in closed months stays there and is corrected in
            the open one.
          </Confirm>
        </td>
      )}
    </tr>
  );
}

function termsOf({ upfrontMicros, weeklyMicros, rateMicros }: CommitmentLine): string {
  return [
    upfrontMicros !== "0" && `${priceWords(upfrontMicros)} upfront`,
    weeklyMicros !== "0" && `${priceWords(weeklyMicros)} a week`,
    `${priceWords(rateMicros)}/h`,
  ]
    .filter(Boolean)
    .join(", ");
}

function NewCommitmentDialog({ data, acts }: Pick<Props, "data" | "acts">) {
  const today = toLocalInput(data.now, data.zone).slice(0, 10);
  return (
    <FormDialog
      trigger={
        <Button size="small" icon={Plus}>
          Add commitment
        </Button>
      }
      title="Add a commitment"
      about="At each instant it covers the machines of its type that began first, as many as it pays for. The rest is billed as always."
      word="Add"
      act={acts.addCommitment}
      fields={FIELDS}
      onDone={() => toast("ok", "The commitment is added", "The ledger follows within a minute.")}
    >
      {(failure) => (
        <>
          <TextField label="Name" name="name" required maxLength={120} error={failure?.fields.name} />
          <TextField
            label="Instance type"
            name="sku"
            required
            list="commitment-skus"
            spellCheck={false}
            error={failure?.fields.sku}
          />
          <datalist id="commitment-skus">
            {data.skus.map((sku) => (
              <option key={sku} value={sku} />
            ))}
          </datalist>
          <div className="grid grid-cols-2 gap-3 max-[700px]:grid-cols-1">
            <SelectField label="Region" name="region" defaultValue="" error={failure?.fields.region}>
              <option value="">Every region</option>
              {data.regions.map((region) => (
                <option key={region}>{region}</option>
              ))}
            </SelectField>
            <TextField
              label="Instances at once"
              name="count"
              inputMode="numeric"
              required
              defaultValue="1"
              error={failure?.fields.count}
            />
          </div>
          <DayFields today={today} fields={failure?.fields ?? {}} />
          <div className="grid grid-cols-3 gap-3 max-[700px]:grid-cols-1">
            <TextField label="Upfront" name="upfront" inputMode="decimal" unit="USD" error={failure?.fields.upfront} />
            <TextField label="Each week" name="weekly" inputMode="decimal" unit="USD" error={failure?.fields.weekly} />
            <TextField label="Per hour used" name="rate" inputMode="decimal" unit="USD" error={failure?.fields.rate} />
          </div>
          <TextField label="Note" name="note" maxLength={300} error={failure?.fields.note} />
          <OwnerFields fields={failure?.fields ?? {}} />
        </>
      )}
    </FormDialog>
  );
}
