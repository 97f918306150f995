"use client";

import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useId } from "react";
import { Button } from "@/components/ui/button";
import { useTimeZone } from "@/components/ui/clock";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { SelectField, TextAreaField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { toast } from "@/components/ui/toast";
import type { AlertRow } from "@/lib/domain/alerts/view";
import { formatInstant } from "@/lib/domain/format-time";
import type { Failure } from "@/lib/errors";
import { inboxQuery, peopleToAskQuery } from "@/lib/queries/alerts";
import { PART_WORDS } from "./alert-words";
import { useVerb, type Verb } from "./use-verb";

type Shared = { onClose: () => void };

type FormProps = Shared & {
  title: string;
  about: string;
  act: string;
  isPending: boolean;
  failure: Failure | null;
  onSubmit: (given: FormData) => void;
  children: ReactNode;
};

/** A dialog around one form: what went wrong stands on top, nothing is lost. */
function ActDialog({ title, about, act, isPending, failure, onSubmit, onClose, children }: FormProps) {
  const form = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <Dialog
      isNarrow
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={title}
      about={about}
      remark="Written to the audit trail"
      actions={
        <>
          <DialogClose />
          <Button look="primary" type="submit" form={form} isPending={isPending}>
            {act}
          </Button>
        </>
      }
    >
      <form id={form} className="grid gap-3" onSubmit={submit}>
        {failure && (
          <Note tone="crit">
            <b>Nothing was changed.</b> {failure.message}
          </Note>
        )}
        {children}
      </form>
    </Dialog>
  );
}

export type Assigned = { assigneeId: string | null };

type AssignProps = Shared & {
  current: string | null;
  isPending: boolean;
  failure: Failure | null;
  onAssign: (to: Assigned) => void;
};

/** Who looks after it. */
export function AssignDialog({ current, isPending, failure, onAssign, onClose }: AssignProps) {
  const { data, isError } = useQuery(peopleToAskQuery());
  return (
    <ActDialog
      title="Assign"
      about="Says who looks after it. Repeats go on until somebody acknowledges it."
      act="Assign"
      isPending={isPending}
      failure={failure}
      onClose={onClose}
      onSubmit={(given) => {
        // Before the people are there, nobody has chosen anybody.
        if (!data) return;
        const id = String(given.get("assigneeId") ?? "");
        onAssign({ assigneeId: id === "" ? null : id });
      }}
    >
      <SelectField
        // The list comes after the dialog; the choice is made when it is there.
        key={data ? "known" : "asked"}
        label="To"
        name="assigneeId"
        defaultValue={current ?? data?.people[0]?.id ?? ""}
        error={
          failure?.fields.assigneeId ?? (isError ? "The people could not be read; close this and try again" : undefined)
        }
      >
        {data?.people.map(({ id, name, isMe }) => (
          <option key={id} value={id}>
            {name}
            {isMe && " (you)"}
          </option>
        ))}
        <option value="">{data ? "Nobody" : "Reading the people…"}</option>
      </SelectField>
    </ActDialog>
  );
}

const HOUR_MS = 3_600_000;
const FOR = [1, 2, 4, 8, 24, 72] as const;

type SnoozeProps = Shared & {
  row: AlertRow;
  now: number;
  /** When the next working day begins. */
  working: number | null;
  verb: Verb<{ alertId: string; until: number | null; note: string }>;
};

/** Until when nothing is told of it. */
export function SnoozeDialog({ row, now, working, verb, onClose }: SnoozeProps) {
  const timeZone = useTimeZone();
  const snooze = useVerb(verb, () => {
    onClose();
    toast("ok", "Snoozed", "It stays open and its meter runs on.");
  });
  const clock = (at: number) => formatInstant(at, { timeZone });
  return (
    <ActDialog
      title="Snooze"
      about="Nothing is told of this episode until then. It stays in the inbox, and it is not acknowledged."
      act="Snooze"
      isPending={snooze.isPending}
      failure={snooze.failure}
      onClose={onClose}
      onSubmit={(given) =>
        snooze.run({ alertId: row.id, until: Number(given.get("until")), note: String(given.get("note") ?? "") })
      }
    >
      <SelectField label="Until" name="until" defaultValue={now + HOUR_MS} error={snooze.failure?.fields.until}>
        {FOR.map((hours) => (
          <option key={hours} value={now + hours * HOUR_MS}>
            {hours} h, {clock(now + hours * HOUR_MS)}
          </option>
        ))}
        {working !== null && <option value={working}>next working day, {clock(working)}</option>}
      </SelectField>
      <TextAreaField
        label="Note"
        name="note"
        rows={2}
        maxLength={1000}
        placeholder="Why it may wait"
        error={snooze.failure?.fields.note}
      />
    </ActDialog>
  );
}

type MergeProps = Shared & { row: AlertRow; verb: Verb<{ alertId: string; alertIds: string[] }> };

/** Which alerts are the same trouble. Those of the same machine and the same team stand first. */
export function MergeDialog({ row, verb, onClose }: MergeProps) {
  const { data } = useQuery(inboxQuery());
  const merge = useVerb(verb, () => {
    onClose();
    toast("ok", "Merged into one incident");
  });
  const own = row.leadId ?? row.id;
  const near = (one: AlertRow) =>
    (one.resourceId !== null && one.resourceId === row.resourceId ? 0 : 2) + (one.team === row.team ? 0 : 1);
  const others = (data?.rows ?? [])
    .filter(
      (one) => one.firedAt !== null && one.part !== "resolved" && one.id !== row.id && (one.leadId ?? one.id) !== own,
    )
    .sort((a, b) => near(a) - near(b) || (b.firedAt ?? 0) - (a.firedAt ?? 0));
  return (
    <ActDialog
      title="Merge into one incident"
      about={`${row.ruleName} on ${row.targetName} leads; acknowledging it takes the others in hand too.`}
      act="Merge"
      isPending={merge.isPending}
      failure={merge.failure}
      onClose={onClose}
      onSubmit={(given) => merge.run({ alertId: row.id, alertIds: given.getAll("alertIds").map(String) })}
    >
      {merge.failure?.fields.alertIds && <p className="field-error">{merge.failure.fields.alertIds}</p>}
      {others.length === 0 ? (
        <p className="muted">{data ? "No other alert is open that has fired." : "Reading the other alerts…"}</p>
      ) : (
        <fieldset className="merge-list">
          <legend className="sr-only">Alerts that join</legend>
          {others.slice(0, 100).map((one) => (
            <label key={one.id} className="merge-choice">
              <input type="checkbox" name="alertIds" value={one.id} />
              <span className="min-w-0">
                {one.ruleName}
                <span className="muted ellipsis block">
                  {one.targetName}, {PART_WORDS[one.part].toLowerCase()}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </ActDialog>
  );
}
