"use client";

import { type ReactNode, useId, useState } from "react";
import { Refusal } from "@/components/settings/refusal";
import { useAct } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { RadioRow } from "@/components/ui/choice";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { TextAreaField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { formatCount, formatUsdChange } from "@/lib/domain/format";
import { VARIANCE_STATES, type VarianceState } from "@/lib/domain/invoice/types";
import { bookedKind } from "@/lib/domain/invoice/variance";
import type { VarianceView } from "@/lib/domain/invoice/view";
import { STATE_WORDS } from "@/lib/domain/invoice/words";
import type { InvoiceRights } from "./invoices-room";

type Props = {
  invoiceId: string;
  items: readonly VarianceView[];
  act: InvoiceRights["decide"];
  /** What is chosen first. */
  state?: VarianceState;
  label?: string;
  onDone?: () => void;
  children: ReactNode;
};

/** What a person says of one difference or of several at once. */
export function DecideDialog({ invoiceId, items, act, state, label, onDone, children }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<VarianceState>(state ?? "accepted");
  const { run, failure, isPending, clear } = useAct(act);
  const total = items.reduce((all, { differenceMicros }) => all + BigInt(differenceMicros), 0n);
  const canReopen = items.some((one) => one.state !== "open");
  const needsNote = chosen === "disputed" || chosen === "explained";
  return (
    <Dialog
      trigger={
        <Button size="small" {...(label !== undefined && { "aria-label": `Settle ${label}` })}>
          {children}
        </Button>
      }
      open={isOpen}
      onOpenChange={(next) => {
        setOpen(next);
        setChosen(state ?? "accepted");
        clear();
      }}
      title={label ?? formatCount(items.length, "difference")}
      about={`${formatUsdChange(total)} in all`}
      isNarrow
      remark="Written to the audit trail"
      actions={
        <>
          <DialogClose />
          <Button type="submit" form={id} look="primary" isPending={isPending}>
            {chosen === "open" ? "Open again" : "Settle"}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const note = String(new FormData(event.currentTarget).get("note") ?? "");
          run({ invoiceId, keys: items.map(({ key }) => key), state: chosen, note }, ({ decided }) => {
            setOpen(false);
            onDone?.();
            toast("ok", `${formatCount(decided, "difference")}: ${STATE_WORDS[chosen].toLowerCase()}`);
          });
        }}
      >
        <fieldset className="grid gap-1">
          <legend className="sr-only">What you say of it</legend>
          {VARIANCE_STATES.filter((one) => one !== "open" || canReopen).map((one) => (
            <RadioRow
              key={one}
              name="state"
              checked={chosen === one}
              onChange={() => setChosen(one)}
              label={one === "open" ? "Open again" : STATE_WORDS[one]}
              hint={hintOf(one, items)}
            />
          ))}
        </fieldset>
        <TextAreaField
          label={needsNote ? "What is disputed, or why this is all right" : "Note"}
          name="note"
          required={needsNote}
          {...(needsNote && { minLength: 3 })}
          maxLength={500}
          defaultValue={items.length === 1 ? items[0]?.note : ""}
          error={failure?.fields.note}
        />
        <Refusal failure={failure} fields={["note"]} />
      </form>
    </Dialog>
  );
}

function hintOf(state: VarianceState, items: readonly VarianceView[]): string {
  const kinds = items.map((one) => bookedKind(one));
  const corrected = kinds.filter((kind) => kind === "adjustment").length;
  const charged = kinds.filter((kind) => kind === "tax" || kind === "credit").length;
  const booked = [
    charged > 0 && formatCount(charged, "tax or credit line"),
    corrected > 0 && formatCount(corrected, "correction"),
  ].filter(Boolean);
  if (state === "accepted")
    return booked.length > 0
      ? `The invoice is right. Into the ledger: ${booked.join(" and ")}.`
      : "The invoice is right, and is paid as it is.";
  if (state === "disputed") return "The invoice is wrong: ask for it back.";
  if (state === "explained") return "Both are right; the note says why they differ.";
  return "Nobody has spoken of it; a charge that was made of it is taken back.";
}
