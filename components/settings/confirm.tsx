"use client";

import { type ReactElement, type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { Refusal } from "./refusal";
import { type Act, useAct } from "./use-act";

type Props<I, T> = {
  trigger: ReactElement;
  title: ReactNode;
  /** What happens, and what does not. */
  children: ReactNode;
  /** The word on the button that does it. */
  word: string;
  done: string;
  act: Act<I, T>;
  input: I;
};

/** Asks once more before something that cannot be taken back. */
export function Confirm<I, T>({ trigger, title, children, word, done, act, input }: Props<I, T>) {
  const [isOpen, setOpen] = useState(false);
  const { run, failure, isPending, clear } = useAct(act);
  return (
    <Dialog
      trigger={trigger}
      open={isOpen}
      onOpenChange={(next) => {
        setOpen(next);
        clear();
      }}
      title={title}
      isNarrow
      remark="Written to the audit trail"
      actions={
        <>
          <DialogClose />
          <Button
            look="danger-solid"
            isPending={isPending}
            onClick={() =>
              run(input, () => {
                setOpen(false);
                toast("ok", done);
              })
            }
          >
            {word}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <div className="text-text-2">{children}</div>
        <Refusal failure={failure} />
      </div>
    </Dialog>
  );
}
