"use client";

import { Refusal } from "@/components/settings/refusal";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Panel } from "@/components/ui/panel";
import { formatCount, formatUsd, formatUsdChange } from "@/lib/domain/format";
import { parseMoney } from "@/lib/domain/invoice/amount";
import type { Failure } from "@/lib/errors";

export type Head = { number: string; issuedOn: string; fromDay: string; toDay: string; total: string };

export const emptyHead = (): Head => ({ number: "", issuedOn: "", fromDay: "", toDay: "", total: "" });

const FIELDS = ["number", "issuedOn", "fromDay", "toDay", "total", "file"];

type Props = {
  head: Head;
  onChange: (change: Partial<Head>) => void;
  count: number;
  /** Null: nothing was read yet. */
  sumMicros: bigint | null;
  problems: number;
  known: string | null;
  failure: Failure | null;
  isPending: boolean;
  onEnter: () => void;
};

/** What the invoice is, and whether its lines come to its total. */
export function HeadPanel({ head, onChange, count, sumMicros, problems, known, failure, isPending, onEnter }: Props) {
  const total = moneyOf(head.total);
  const left = total !== null && sumMicros !== null ? total - sumMicros : null;
  const why = reasonNot(count, problems, known);
  const error = (name: keyof Head | "file") => failure?.fields[name];
  return (
    <Panel title="Invoice">
      <form
        className="invoice-form"
        onSubmit={(event) => {
          event.preventDefault();
          onEnter();
        }}
      >
        <div className="invoice-pair">
          <TextField
            label="Number"
            required
            maxLength={60}
            value={head.number}
            onChange={({ currentTarget: { value } }) => onChange({ number: value })}
            error={error("number")}
          />
          <TextField
            label="Issued on"
            type="date"
            required
            value={head.issuedOn}
            onChange={({ currentTarget: { value } }) => onChange({ issuedOn: value })}
            error={error("issuedOn")}
          />
          <TextField
            label="First day"
            type="date"
            required
            value={head.fromDay}
            onChange={({ currentTarget: { value } }) => onChange({ fromDay: value })}
            error={error("fromDay")}
          />
          <TextField
            label="Last day"
            type="date"
            required
            value={head.toDay}
            onChange={({ currentTarget: { value } }) => onChange({ toDay: value })}
            error={error("toDay")}
          />
        </div>
        <TextField
          label="Total to pay"
          required
          inputMode="decimal"
          unit="USD"
          value={head.total}
          hint="With tax and after credits, as the invoice says it"
          onChange={({ currentTarget: { value } }) => onChange({ total: value })}
          error={error("total")}
        />
        <div aria-live="polite">
          <Sum label={formatCount(count, "line")} value={sumMicros === null ? "—" : formatUsd(sumMicros)} />
          <Sum label="Left of the total" value={left === null ? "—" : left === 0n ? "$0.00" : formatUsdChange(left)} />
        </div>
        {left !== null && left !== 0n && count > 0 && problems === 0 && (
          <Note tone="warn">
            <b>The lines do not come to the total.</b> {formatUsdChange(left)} will stand among the differences as “in
            the total, in no line”.
          </Note>
        )}
        <Refusal failure={failure} fields={FIELDS.filter((name) => name !== "file")} />
        <Button
          type="submit"
          look="primary"
          isPending={isPending}
          disabled={why !== null}
          {...(why !== null && { title: why })}
        >
          Enter invoice
        </Button>
        {why !== null && count + problems > 0 && <p className="field-hint">{why}</p>}
      </form>
    </Panel>
  );
}

function Sum({ label, value }: { label: string; value: string }) {
  return (
    <p className="invoice-sum">
      <span className="muted">{label}</span>
      <b className="num">{value}</b>
    </p>
  );
}

function reasonNot(count: number, problems: number, known: string | null): string | null {
  if (known !== null) return `This file is invoice ${known} already.`;
  if (problems > 0) return `${formatCount(problems, "problem")} to put right first.`;
  return count === 0 ? "There are no lines yet." : null;
}

function moneyOf(text: string): bigint | null {
  try {
    return parseMoney(text);
  } catch {
    return null;
  }
}
