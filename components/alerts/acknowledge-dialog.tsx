"use client";

import { UserCheck } from "lucide-react";
import { type FormEvent, useId } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { SelectField, TextAreaField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { toast } from "@/components/ui/toast";
import { useVerb, type Verb } from "./use-verb";

export type AcknowledgeInput = { alertId: string; note: string; minutes: number | null };

/** After how many minutes it is told again if it still fires. */
const AGAIN = [
  ["", "Not before it resolves"],
  ["15", "After 15 min"],
  ["60", "After 1 h"],
  ["240", "After 4 h"],
  ["720", "After 12 h"],
  ["1440", "After 24 h"],
] as const;

type Props = { alertId: string; verb: Verb<AcknowledgeInput>; onClose: () => void };

/** Acknowledging with a word to the others, or for a while only. */
export function AcknowledgeDialog({ alertId, verb, onClose }: Props) {
  const form = useId();
  const take = useVerb(verb, () => {
    onClose();
    toast("ok", "Acknowledged");
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const minutes = String(given.get("minutes") ?? "");
    take.run({ alertId, note: String(given.get("note") ?? ""), minutes: minutes === "" ? null : Number(minutes) });
  };
  return (
    <Dialog
      isNarrow
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Acknowledge with a note"
      about="Everybody sees that you have it. No more is sent about this episode meanwhile."
      remark="Written to the audit trail"
      actions={
        <>
          <DialogClose />
          <Button look="primary" icon={UserCheck} type="submit" form={form} isPending={take.isPending}>
            Acknowledge
          </Button>
        </>
      }
    >
      <form id={form} className="grid gap-3" onSubmit={submit}>
        {take.failure && (
          <Note tone="crit">
            <b>Nothing was changed.</b> {take.failure.message}
          </Note>
        )}
        <TextAreaField
          label="Note"
          name="note"
          maxLength={1000}
          placeholder="What you are doing about it"
          error={take.failure?.fields.note}
        />
        <SelectField label="Tell again if it still fires" name="minutes" defaultValue="">
          {AGAIN.map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </SelectField>
      </form>
    </Dialog>
  );
}
