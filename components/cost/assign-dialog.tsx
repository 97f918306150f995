"use client";

import { useId, useState } from "react";
import { Refusal } from "@/components/settings/refusal";
import { type Act, useAct } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { SelectField, TextField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { NOBODY, OWNER_FIELD_NAMES, OWNER_FIELDS, type OwnerWords } from "@/lib/domain/cost/allocation";
import type { AllocationAnswer, Assign } from "@/lib/domain/cost/allocation-view";
import { formatCount } from "@/lib/domain/format";
import { monthName } from "./words";

export type Assigner = Act<Assign, { count: number }>;

const LISTS = {
  team: "teams",
  project: "projects",
  environment: "environments",
  costCenter: "costCenters",
} as const;

type WordsProps = {
  words: OwnerWords;
  known: AllocationAnswer["words"];
  onChange: (words: OwnerWords) => void;
  error?: string | undefined;
};

/** The four words of who pays; those in use are offered. */
export function OwnerFields({ words, known, onChange, error }: WordsProps) {
  const id = useId();
  return (
    <div className="alloc-words">
      {OWNER_FIELDS.map((field) => (
        <div key={field}>
          <TextField
            label={OWNER_FIELD_NAMES[field]}
            value={words[field]}
            maxLength={64}
            list={`${id}-${field}`}
            spellCheck={false}
            autoCapitalize="off"
            error={field === "team" ? error : undefined}
            onChange={(event) => onChange({ ...words, [field]: event.target.value })}
          />
          <datalist id={`${id}-${field}`}>
            {known[LISTS[field]].map((word) => (
              <option key={word} value={word} />
            ))}
          </datalist>
        </div>
      ))}
    </div>
  );
}

type Props = {
  things: readonly { resourceId: string; name: string }[];
  suggested: OwnerWords | null;
  data: AllocationAnswer;
  act: Assigner;
  onClose: (isDone: boolean) => void;
};

/** Names who pays for one thing or for many. */
export function AssignDialog({ things, suggested, data, act, onClose }: Props) {
  const form = useId();
  const [words, setWords] = useState(suggested ?? NOBODY);
  const [from, setFrom] = useState<Assign["from"]>("month");
  const { run, failure, isPending } = useAct(act);
  const [first] = things;
  const what = things.length === 1 && first ? first.name : formatCount(things.length, "resource");
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose(false)}
      isNarrow
      title={`Who pays for ${what}?`}
      about="Written as labels. Wherever somebody is named already, that stays."
      remark="Written to the audit trail"
      actions={
        <>
          <DialogClose />
          <Button look="primary" type="submit" form={form} isPending={isPending}>
            Assign
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const resourceIds = things.map(({ resourceId }) => resourceId);
          run({ resourceIds, words, from, month: data.month }, ({ count }) => {
            toast("ok", `${formatCount(count, "resource")} assigned`, "The ledger follows within a minute.");
            onClose(true);
          });
        }}
      >
        <OwnerFields words={words} known={data.words} onChange={setWords} error={failure?.fields["words.team"]} />
        <SelectField
          label="From when on"
          value={from}
          onChange={(event) => setFrom(FROMS.find((one) => one === event.target.value) ?? "month")}
          hint="What lies in a closed month is corrected in the open one."
        >
          <option value="month">the beginning of {monthName(data.month)}</option>
          <option value="beginning">its beginning</option>
          <option value="now">now</option>
        </SelectField>
        <Refusal failure={failure} fields={["words.team"]} />
      </form>
    </Dialog>
  );
}

const FROMS = ["month", "beginning", "now"] as const;
