"use client";

import { useId, useState } from "react";
import { Refusal } from "@/components/settings/refusal";
import { type Act, useAct } from "@/components/settings/use-act";
import { Button, type ButtonLook } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { TextAreaField } from "@/components/ui/field";

type Props<I, T> = {
  /** On both buttons. */
  word: string;
  look?: ButtonLook;
  title: string;
  about: string;
  label: string;
  act: Act<I, T>;
  inputOf: (reason: string) => I;
  onDone: (data: T) => void;
};

/** A decision that stands in the trail with its reason. */
export function ReasonDialog<I, T>({
  word,
  look = "secondary",
  title,
  about,
  label,
  act,
  inputOf,
  onDone,
}: Props<I, T>) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const { run, failure, isPending, clear } = useAct(act);
  return (
    <Dialog
      trigger={<Button look={look}>{word}…</Button>}
      open={isOpen}
      onOpenChange={(next) => {
        setOpen(next);
        clear();
      }}
      title={title}
      about={about}
      isNarrow
      remark="Written to the audit trail"
      actions={
        <>
          <DialogClose />
          <Button
            type="submit"
            form={id}
            look={look === "danger" ? "danger-solid" : "primary"}
            disabled={reason.trim().length < 3}
            isPending={isPending}
          >
            {word}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          run(inputOf(reason), (data) => {
            setOpen(false);
            onDone(data);
          });
        }}
      >
        <TextAreaField
          label={label}
          rows={3}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          error={failure?.fields.reason}
        />
        <Refusal failure={failure} fields={["reason"]} />
      </form>
    </Dialog>
  );
}
