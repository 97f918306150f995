"use client";

import { type ReactElement, type ReactNode, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import type { Failure } from "@/lib/errors";
import { Refusal } from "./refusal";
import { type Act, useAct } from "./use-act";

type Props<T> = {
  trigger: ReactElement;
  title: ReactNode;
  about?: ReactNode;
  word: string;
  act: Act<FormData, T>;
  /** The names of the fields, so that a refusal of one stands beside it. */
  fields: readonly string[];
  children: (failure: Failure | null) => ReactNode;
  /** Values that nobody types: the id of what is changed. */
  hidden?: Record<string, string>;
} & (
  | { onDone: (data: T) => void }
  | {
      /** Shows what is seen only once; the dialog stays open for it. */
      outcome: (data: T) => ReactNode;
    }
);

/** A form over the page. */
export function FormDialog<T>({ trigger, title, about, word, act, fields, children, hidden, ...then }: Props<T>) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<{ data: T } | null>(null);
  const { run, failure, isPending, clear } = useAct(act);
  const isOver = made !== null && "outcome" in then;
  return (
    <Dialog
      trigger={trigger}
      open={isOpen}
      onOpenChange={(next) => {
        setOpen(next);
        setMade(null);
        clear();
      }}
      title={title}
      about={isOver ? undefined : about}
      isNarrow={!isOver}
      remark={isOver ? undefined : "Written to the audit trail"}
      actions={
        isOver ? (
          <DialogClose look="primary">Done</DialogClose>
        ) : (
          <>
            <DialogClose />
            <Button type="submit" form={id} look="primary" isPending={isPending}>
              {word}
            </Button>
          </>
        )
      }
    >
      {isOver ? (
        then.outcome(made.data)
      ) : (
        <form
          id={id}
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            run(new FormData(event.currentTarget), (data) => {
              if ("outcome" in then) return setMade({ data });
              setOpen(false);
              then.onDone(data);
            });
          }}
        >
          {Object.entries(hidden ?? {}).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {children(failure)}
          <Refusal failure={failure} fields={fields} />
        </form>
      )}
    </Dialog>
  );
}
