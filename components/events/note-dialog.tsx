"use client";

import { useQueryClient } from "@tanstack/react-query";
import { StickyNote } from "lucide-react";
import { useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { useTimeZone } from "@/components/ui/clock";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { TextAreaField, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { toast } from "@/components/ui/toast";
import type { NewNote } from "@/lib/domain/events/view";
import { fromLocalInput } from "@/lib/domain/local-input";
import type { Failure, Result } from "@/lib/errors";

type Props = {
  instanceId: string;
  add: (input: NewNote) => Promise<Result<{ id: string }>>;
};

const UNREACHED = {
  message: "The server did not answer. Look whether the note is there before you write it again.",
  fields: {},
};

/** Puts a line of a person on the time axis of the machine. */
export function NoteDialog({ instanceId, add }: Props) {
  const client = useQueryClient();
  const timeZone = useTimeZone();
  const [isOpen, setOpen] = useState(false);
  const [refusal, setRefusal] = useState<Pick<Failure, "message" | "fields"> | null>(null);
  const [isPending, start] = useTransition();
  const form = `note-${instanceId}`;

  const submit = (data: FormData) =>
    start(async () => {
      setRefusal(null);
      const at = fromLocalInput(String(data.get("at") ?? ""), timeZone);
      const result = await add({ instanceId, at, text: String(data.get("text") ?? "") }).catch(() => null);
      if (!result?.ok) return setRefusal(result?.error ?? UNREACHED);
      toast("ok", "Note added", "It stands on the machine's time axis.");
      await client.invalidateQueries({ queryKey: ["events"] });
      setOpen(false);
    });

  return (
    <>
      <Button size="small" icon={StickyNote} onClick={() => setOpen(true)}>
        Add a note
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        isNarrow
        title="Add a note"
        about="What happened to the machine that nothing else tells: a new driver, another batch size, a test."
        remark="Written to the audit trail"
        actions={
          <>
            <DialogClose />
            <Button look="primary" type="submit" form={form} isPending={isPending}>
              Add
            </Button>
          </>
        }
      >
        <form
          id={form}
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            submit(new FormData(event.currentTarget));
          }}
        >
          <TextAreaField label="What happened" name="text" maxLength={280} required error={refusal?.fields.text} />
          <TextField
            label="When"
            name="at"
            type="datetime-local"
            hint={`Empty: now. Time zone: ${timeZone}.`}
            error={refusal?.fields.at}
          />
          <div role="alert">
            {refusal && Object.keys(refusal.fields).length === 0 && <Note tone="crit">{refusal.message}</Note>}
          </div>
        </form>
      </Dialog>
    </>
  );
}
