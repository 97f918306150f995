"use client";

import { useQuery } from "@tanstack/react-query";
import { CalendarClock, Undo2, UserPlus } from "lucide-react";
import { FormDialog } from "@/components/settings/form-dialog";
import { useAct } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { useClock } from "@/components/ui/clock";
import { SelectField, TextAreaField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { formatCount } from "@/lib/domain/format";
import { peopleToAskQuery } from "@/lib/queries/alerts";
import type { FindingActs } from "./alignment-room";

const DAY_MS = 24 * 3_600_000;
const ACCEPT_FIELDS = ["reason", "until"] as const;
const ASSIGN_FIELDS = ["personId"] as const;
const UNTIL: readonly (readonly [days: number, words: string])[] = [
  [7, "a week"],
  [30, "30 days"],
  [90, "a quarter"],
  [365, "a year"],
];

type Ids = { ids: string[] };

export function AcceptButton({ accept, ids, fact }: Ids & { accept: FindingActs["accept"]; fact: string }) {
  const now = useClock((at) => Math.floor(at / 60_000) * 60_000);
  return (
    <FormDialog
      trigger={
        <Button size="small" icon={CalendarClock}>
          Accept…
        </Button>
      }
      title={`Accept: ${fact}${ids.length > 1 ? `, ${formatCount(ids.length, "machine")}` : ""}`}
      about="It stays a finding and raises no alert. It is open again when the time is over, or when another value is seen."
      word="Accept"
      act={(data: FormData) =>
        accept({
          findingIds: ids,
          reason: String(data.get("reason") ?? ""),
          until: now + Number(data.get("until")) * DAY_MS,
        })
      }
      fields={ACCEPT_FIELDS}
      onDone={() => toast("ok", "Accepted", "It is looked at again when its time is over.")}
    >
      {(failure) => (
        <>
          <TextAreaField
            label="Why it may stay"
            name="reason"
            required
            minLength={3}
            maxLength={500}
            rows={2}
            placeholder="the plan is changed with the next budget"
            error={failure?.fields.reason}
          />
          <SelectField label="For" name="until" defaultValue="30" error={failure?.fields.until}>
            {UNTIL.map(([days, words]) => (
              <option key={days} value={days}>
                {words}
              </option>
            ))}
          </SelectField>
        </>
      )}
    </FormDialog>
  );
}

export function ReopenButton({ reopen, ids }: Ids & { reopen: FindingActs["reopen"] }) {
  const { run, isPending, failure } = useAct(reopen);
  return (
    <>
      <Button
        size="small"
        icon={Undo2}
        isPending={isPending}
        onClick={() => run({ findingIds: ids }, () => toast("ok", "Open again"))}
      >
        Open again
      </Button>
      {failure && <span className="field-error">{failure.message}</span>}
    </>
  );
}

export function AssignButton({
  assign,
  ids,
  current,
}: Ids & { assign: FindingActs["assign"]; current: string | null }) {
  const { data } = useQuery(peopleToAskQuery());
  return (
    <FormDialog
      trigger={
        <Button size="small" icon={UserPlus}>
          Assign…
        </Button>
      }
      title="Assign"
      about="Says who settles it."
      word="Assign"
      act={(form: FormData) => assign({ findingIds: ids, personId: String(form.get("personId") ?? "") || null })}
      fields={ASSIGN_FIELDS}
      onDone={() => toast("ok", "Assigned")}
    >
      {(failure) => (
        <SelectField label="To" name="personId" defaultValue={current ?? ""} error={failure?.fields.personId}>
          <option value="">Nobody</option>
          {(data?.people ?? []).map(({ id, name, isMe }) => (
            <option key={id} value={id}>
              {name}
              {isMe ? " (me)" : ""}
            </option>
          ))}
        </SelectField>
      )}
    </FormDialog>
  );
}
